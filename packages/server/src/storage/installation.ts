/** What holds for the whole installation: which secret key its values are sealed with. */
import type { Database } from './database.ts';

/** The first start writes the fingerprint; a start with another key is told so and stops. */
export async function claimInstallation(database: Database): Promise<'sameKey' | 'otherKey'> {
  const { sql, vault } = database;
  await sql`insert into installation (key_fingerprint) values (${vault.fingerprint}) on conflict do nothing`;
  const [row] = await sql<{ keyFingerprint: string }[]>`select key_fingerprint from installation`;
  return row?.keyFingerprint === vault.fingerprint ? 'sameKey' : 'otherKey';
}

export async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.sql`select 1`;
    return true;
  } catch {
    return false;
  }
}
