/** Once an hour: what has expired goes, so that tables stay as small as what is alive, and months to come get theirs. */
import { keepEverything, type Retention, visitBounds } from '@proofmark/domain';
import { deleteExpiredSignIns } from '../storage/accounts/accounts.ts';
import { deleteOldCounters } from '../storage/accounts/daily-counters.ts';
import { deleteFullBuckets } from '../storage/accounts/rate-limits.ts';
import type { Database, Sql } from '../storage/database/database.ts';
import { deleteOldAnswers } from '../storage/database/idempotent-answers.ts';
import { inEveryOrganization } from '../storage/database/in-every-organization.ts';
import { deleteExpiredArtifacts } from '../storage/eval-ingest/artifacts.ts';
import { deleteUnnamedConfigs } from '../storage/eval-runs/evaluation-configs.ts';
import { type MonthAhead, makeMonthsAhead } from '../storage/eval-runs/months-ahead.ts';
import { deleteUnnamedRecordings } from '../storage/eval-runs/recordings.ts';
import { measureStorage } from '../storage/eval-runs/stored-bytes.ts';
import { deleteUnnamedSurfaces } from '../storage/eval-runs/tool-surfaces.ts';
import { deleteOldBeats } from '../storage/health/worker-beats.ts';
import { journeyGradingsWork } from '../storage/swarms/journey-work.ts';
import { journeyJudgementsWork, waveMiningWork } from '../storage/swarms/waves.ts';
import { deleteGrantsOfNobody } from '../storage/user-testing/scenario-grants.ts';
import { deleteOldVisitors } from '../storage/user-testing/visitors.ts';
import { windowMiningWork } from '../storage/user-testing/windows.ts';
import { deleteOverWork } from '../storage/work/leased-work.ts';
import { deleteOldShares } from '../storage/work/shared-places.ts';
import { applyRetention, type Removed } from './apply-retention.ts';
import { forgetOldVisits } from './forget-old-visits.ts';
import { IndependentParts } from './independent-parts.ts';
import { defaultVisitTimes, type VisitTimes } from './visit-times.ts';

export interface Tidied {
  readonly expiredSignIns: number;
  readonly expiredArtifacts: number;
  readonly fullBuckets: number;
  readonly oldAnswers: number;
  readonly oldCounters: number;
  readonly retention: Removed;
  readonly oldVisits: number;
  readonly measuredRuns: number;
  readonly unnamedSurfaces: number;
  readonly unnamedConfigs: number;
  readonly unnamedRecordings: number;
  readonly oldBeats: number;
  readonly oldShares: number;
  readonly overWork: number;
  readonly oldVisitors: number;
  readonly oldGrants: number;
  readonly monthsAhead: readonly MonthAhead['outcome'][];
}

/** What fails keeps nothing else from being done; it is thrown at the end. */
export async function housekeeping(
  database: Database,
  retention: Retention = keepEverything,
  { retentionDays }: Pick<VisitTimes, 'retentionDays'> = defaultVisitTimes,
): Promise<Tidied> {
  const parts = new IndependentParts(database);
  const tidied = {
    // First, since runs cannot wait for their month.
    monthsAhead: await parts.do(() => makeMonthsAhead(database)),
    expiredSignIns: await parts.do(() => deleteExpiredSignIns(database)),
    expiredArtifacts: await parts.do(() => deleteExpiredArtifacts(database)),
    fullBuckets: await parts.do(() => deleteFullBuckets(database)),
    oldAnswers: await parts.do(() => deleteOldAnswers(database)),
    oldCounters: await parts.do(() => deleteOldCounters(database)),
    // What is removed is told by what was measured, and leaves texts behind that nobody names.
    measuredRuns: await parts.do(() => measureStorage(database, 'all')),
    retention: await parts.do(() => applyRetention(database, retention)),
    oldVisits: await parts.do(() => forgetOldVisits(database, retentionDays)),
    unnamedSurfaces: await parts.do(() => deleteUnnamedSurfaces(database)),
    unnamedConfigs: await parts.do(() => deleteUnnamedConfigs(database)),
    unnamedRecordings: await parts.do(() => deleteUnnamedRecordings(database)),
    oldBeats: await parts.do(() => deleteOldBeats(database)),
    oldShares: await parts.do(() => deleteOldShares(database)),
    overWork: await parts.do(() => inEveryOrganization(database, deleteWorkThatIsOver)),
    oldVisitors: await parts.do(() => deleteOldVisitors(database, visitBounds.identityMs)),
    oldGrants: await parts.do(() => inEveryOrganization(database, deleteGrantsOfNobody)),
  };
  parts.throwFailures('Housekeeping could not do everything.');
  const { monthsAhead, ...rest } = tidied as WithoutFailures<typeof tidied>;
  return { ...rest, monthsAhead: monthsAhead.map(({ outcome }) => outcome) };
}

/** One group for each session, run, wave and scenario, of which nothing is asked any more once it is over. */
async function deleteWorkThatIsOver(sql: Sql): Promise<{ readonly count: number }> {
  const kinds = [journeyGradingsWork, journeyJudgementsWork, waveMiningWork, windowMiningWork];
  return { count: await deleteOverWork(sql, kinds) };
}

type WithoutFailures<Parts> = { [Name in keyof Parts]: Exclude<Parts[Name], undefined> };
