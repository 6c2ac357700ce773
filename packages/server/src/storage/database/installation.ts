/** What holds for the whole installation: which secret key its values are sealed with. */
import { setTimeout } from 'node:timers/promises';
import type { Database } from './database.ts';

/** The first start writes which key the values are sealed with. */
export async function claimInstallation(database: Database): Promise<void> {
  const { sql, vault } = database;
  await sql`insert into installation (key_fingerprint) values (${vault.fingerprint}) on conflict do nothing`;
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
