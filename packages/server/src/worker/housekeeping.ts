/** Once an hour: what has expired goes, so that tables stay as small as what is alive, and months to come get theirs. */
import { keepEverything, type Retention } from '@proofmark/domain';
import { deleteExpiredSignIns } from '../storage/accounts/accounts.ts';
import { deleteOldCounters } from '../storage/accounts/daily-counters.ts';
import { deleteFullBuckets } from '../storage/accounts/rate-limits.ts';
import type { Database } from '../storage/database/database.ts';
import { deleteOldAnswers } from '../storage/database/idempotent-answers.ts';
import { deleteExpiredArtifacts } from '../storage/eval-ingest/artifacts.ts';
import { deleteUnnamedConfigs } from '../storage/eval-runs/evaluation-configs.ts';
import { type MonthAhead, makeMonthsAhead } from '../storage/eval-runs/months-ahead.ts';
import { measureStorage } from '../storage/eval-runs/stored-bytes.ts';
import { deleteUnnamedSurfaces } from '../storage/eval-runs/tool-surfaces.ts';
import { deleteOldBeats } from '../storage/health/worker-beats.ts';
import { deleteOldShares } from '../storage/work/shared-places.ts';
import { applyRetention, type Removed } from './apply-retention.ts';

export interface Tidied {
  readonly expiredSignIns: number;
  readonly expiredArtifacts: number;
  readonly fullBuckets: number;
  readonly oldAnswers: number;
  readonly oldCounters: number;
  readonly retention: Removed;
  readonly measuredRuns: number;
  readonly unnamedSurfaces: number;
  readonly unnamedConfigs: number;
  readonly oldBeats: number;
  readonly oldShares: number;
  readonly monthsAhead: readonly MonthAhead['outcome'][];
}

export async function housekeeping(
  database: Database,
  retention: Retention = keepEverything,
): Promise<Tidied> {
  return {
    expiredSignIns: await deleteExpiredSignIns(database),
    expiredArtifacts: await deleteExpiredArtifacts(database),
    fullBuckets: await deleteFullBuckets(database),
    oldAnswers: await deleteOldAnswers(database),
    oldCounters: await deleteOldCounters(database),
    // What is removed is told by what was measured, and leaves texts behind that nobody names.
    measuredRuns: await measureStorage(database, 'all'),
    retention: await applyRetention(database, retention),
    unnamedSurfaces: await deleteUnnamedSurfaces(database),
    unnamedConfigs: await deleteUnnamedConfigs(database),
    oldBeats: await deleteOldBeats(database),
    oldShares: await deleteOldShares(database),
    monthsAhead: (await makeMonthsAhead(database)).map(({ outcome }) => outcome),
  };
}
