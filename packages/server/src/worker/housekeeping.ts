/** Once an hour: what has expired goes, so that tables stay as small as what is alive. */
import { deleteExpiredSignIns } from '../storage/accounts.ts';
import { deleteExpiredArtifacts } from '../storage/artifacts.ts';
import type { Database } from '../storage/database.ts';
import { deleteFullBuckets } from '../storage/rate-limits.ts';

export async function housekeeping(
  database: Database,
): Promise<{ expiredSignIns: number; expiredArtifacts: number; fullBuckets: number }> {
  return {
    expiredSignIns: await deleteExpiredSignIns(database),
    expiredArtifacts: await deleteExpiredArtifacts(database),
    fullBuckets: await deleteFullBuckets(database),
  };
}
