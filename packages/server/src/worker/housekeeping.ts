/** Once an hour: what has expired goes, so that tables stay as small as what is alive. */
import { deleteExpiredSignIns } from '../storage/accounts.ts';
import { deleteExpiredArtifacts } from '../storage/artifacts.ts';
import type { Database } from '../storage/database.ts';
import { deleteOldAnswers } from '../storage/idempotent-answers.ts';
import { deleteFullBuckets } from '../storage/rate-limits.ts';
import { deleteUnnamedSurfaces } from '../storage/tool-surfaces.ts';

export interface Tidied {
  readonly expiredSignIns: number;
  readonly expiredArtifacts: number;
  readonly fullBuckets: number;
  readonly oldAnswers: number;
  readonly unnamedSurfaces: number;
}

export async function housekeeping(database: Database): Promise<Tidied> {
  return {
    expiredSignIns: await deleteExpiredSignIns(database),
    expiredArtifacts: await deleteExpiredArtifacts(database),
    fullBuckets: await deleteFullBuckets(database),
    oldAnswers: await deleteOldAnswers(database),
    unnamedSurfaces: await deleteUnnamedSurfaces(database),
  };
}
