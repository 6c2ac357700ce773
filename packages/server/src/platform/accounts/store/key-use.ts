/**
 * When a key was last used, known to five minutes. The statement that finds the caller says whether what is noted is
 * older than that; only then one write follows, beside the request and not before its answer. So a key that is used all
 * the time costs a write in five minutes, whatever it asks for: at 1,000 requests a second one in 300,000, and each of
 * them a column more in a row that is read anyway. What could not be noted is noted at the next use.
 */
import type { Database } from '../../database/database.ts';

/** As a condition on `api_keys`. */
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

/** A row that somebody else is writing is left to them: two processes never wait for each other here. */
async function write({ sql }: Database, keyIds: readonly string[]): Promise<void> {
  await sql.written(
    `update api_keys set last_used_at = now() where id in (
      select id from api_keys where id = any ($1) and ${useIsOld} for update skip locked)`,
    [keyIds],
  );
}
