/**
 * Settings of the whole installation: the fingerprint of the secret key that encrypts its values,
 * and whether it serves one person.
 */
import { setTimeout } from 'node:timers/promises';
import type { Database } from './database.ts';

/**
 * Stores, at the first start, the fingerprint of the key that encrypts the values; later starts
 * change nothing.
 */
export async function claimInstallation(database: Database): Promise<void> {
  const { sql, vault } = database;
  await sql`insert into installation (key_fingerprint) values (${vault.fingerprint}) on conflict do nothing`;
}

export async function recordForOnePerson({ sql }: Pick<Database, 'sql'>, is: boolean) {
  await sql`update installation set for_one_person = ${is} where for_one_person is distinct from ${is}`;
}

export async function isServiceForOnePerson({ sql }: Pick<Database, 'sql'>): Promise<boolean> {
  const [found] = await sql<{ is: boolean }[]>`
    select coalesce(for_one_person, false) as is from installation`;
  return found?.is ?? false;
}

const reachableWithinMs = 2000;

/**
 * Returns whether the database answers within the time limits. It uses the connections for
 * `callers`, since a lack of free connections for other work says nothing about the database.
 */
export async function isReachable({
  callers,
  heartbeat,
}: Pick<Database, 'callers' | 'heartbeat'>): Promise<boolean> {
  if (heartbeat?.isSilent) return false;
  const answered = callers`select 1`.then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const silent = setTimeout(reachableWithinMs, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([answered, silent]).finally(() => timer.abort());
}
