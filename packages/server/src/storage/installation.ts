/** What holds for the whole installation: which secret key its values are sealed with. */
import { setTimeout } from 'node:timers/promises';
import type { Database } from './database.ts';

/** The first start writes the fingerprint; a start with another key is told so and stops. */
export async function claimInstallation(database: Database): Promise<'sameKey' | 'otherKey'> {
  const { sql, vault } = database;
  await sql`insert into installation (key_fingerprint) values (${vault.fingerprint}) on conflict do nothing`;
  const [row] = await sql<{ keyFingerprint: string }[]>`select key_fingerprint from installation`;
  return row?.keyFingerprint === vault.fingerprint ? 'sameKey' : 'otherKey';
}

/** A database that is there but silent counts as away. */
export async function isReachable({ sql }: Database): Promise<boolean> {
  const answered = sql`select 1`.then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const silent = setTimeout(2000, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([answered, silent]).finally(() => timer.abort());
}
