/** What holds for the whole installation: which secret key its values are sealed with, and whom it is for. */
import { setTimeout } from 'node:timers/promises';
import type { Database } from './database.ts';

/** The first start writes which key the values are sealed with. */
export async function claimInstallation(database: Database): Promise<void> {
  const { sql, vault } = database;
  await sql`insert into installation (key_fingerprint) values (${vault.fingerprint}) on conflict do nothing`;
}

/** Said by every service at its start; the last one counts. */
export async function recordForOnePerson({ sql }: Pick<Database, 'sql'>, is: boolean) {
  await sql`update installation set for_one_person = ${is} where for_one_person is distinct from ${is}`;
}

/** Where no service has said so, it is not. */
export async function isServiceForOnePerson({ sql }: Pick<Database, 'sql'>): Promise<boolean> {
  const [found] = await sql<{ is: boolean }[]>`
    select coalesce(for_one_person, false) as is from installation`;
  return found?.is ?? false;
}

const reachableWithinMs = 2000;

/**
 * A database that is there but silent counts as away. Asked where no other work is waited for: that all connections for
 * requests are in use says nothing about the database.
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
