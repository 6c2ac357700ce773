/**
 * Once an hour: what has expired goes, so that tables stay as small as what is alive. The tools that trials saw stay
 * until their organization goes: they are few, one row for each list a server ever showed, and to know that no trial refers
 * to one would need an index that every written trial pays for.
 */
import { deleteExpiredSignIns } from '../storage/accounts.ts';
import { deleteExpiredArtifacts } from '../storage/artifacts.ts';
import type { Database } from '../storage/database.ts';
import { deleteOldAnswers } from '../storage/idempotent-answers.ts';
import { deleteFullBuckets } from '../storage/rate-limits.ts';

export interface Tidied {
  readonly expiredSignIns: number;
  readonly expiredArtifacts: number;
  readonly fullBuckets: number;
  readonly oldAnswers: number;
}

export async function housekeeping(database: Database): Promise<Tidied> {
  return {
    expiredSignIns: await deleteExpiredSignIns(database),
    expiredArtifacts: await deleteExpiredArtifacts(database),
    fullBuckets: await deleteFullBuckets(database),
    oldAnswers: await deleteOldAnswers(database),
  };
}
