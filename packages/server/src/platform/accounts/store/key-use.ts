/**
 * Records the time of a key's last use, exact to 5 minutes. The statement that finds the caller
 * also reports whether the stored time is older than that. Only then is the time written, without
 * delaying the answer to the request. If a write fails, the next use writes again.
 */
import type { Database } from '../../database/database.ts';

export const useIsOld = `coalesce(api_keys.last_used_at < now() - interval '5 minutes', true)`;

const underWay = new WeakMap<Database, Set<string>>();

export function noteKeyUse(
  database: Database,
  found: readonly { readonly keyId?: string; readonly useIsOld?: boolean }[],
): void {
  const writing = underWay.get(database) ?? new Set<string>();
  underWay.set(database, writing);
  const old = new Set<string>();
  for (const { keyId, useIsOld } of found) {
    if (useIsOld === true && keyId !== undefined && !writing.has(keyId)) old.add(keyId);
  }
  if (old.size === 0) return;
  for (const id of old) writing.add(id);
  const done = () => {
    for (const id of old) writing.delete(id);
  };
  void write(database, [...old]).then(done, done);
}

/**
 * Writes the time of use. Rows that another process is writing are skipped, so two processes never
 * wait for each other here.
 */
async function write({ sql }: Database, keyIds: readonly string[]): Promise<void> {
  await sql.written(
    `update api_keys set last_used_at = now() where id in (
      select id from api_keys where id = any ($1) and ${useIsOld} for update skip locked)`,
    [keyIds],
  );
}
