/**
 * Hourly housekeeping: deletes expired data, so that tables contain only data in use, and creates
 * the partitions of the coming months.
 */
import { keepEverything, type Retention, visitBounds } from '@proofmark/domain';
import { deleteUnnamedConfigs } from '../../features/evals/store/evaluation-configs.ts';
import { type MonthAhead, makeMonthsAhead } from '../../features/evals/store/months-ahead.ts';
import { deleteUnnamedRecordings } from '../../features/evals/store/recordings.ts';
import { deleteExpiredArtifacts } from '../../features/evals/store/reported/artifacts.ts';
import { deleteUnnamedSurfaces } from '../../features/evals/store/tool-surfaces.ts';
import { deleteOldBeats } from '../../features/health/store/worker-beats.ts';
import { measureStorage } from '../../features/retention/store/stored-bytes.ts';
import { applyRetention, type Removed } from '../../features/retention/work/apply-retention.ts';
import { forgetOldVisits } from '../../features/retention/work/forget-old-visits.ts';
import { journeyGradingsWork } from '../../features/swarms/store/journey-work.ts';
import { journeyJudgementsWork, waveMiningWork } from '../../features/swarms/store/waves.ts';
import { deleteGrantsOfNobody } from '../../features/user-testing/store/scenario-grants.ts';
import { deleteOldVisitors } from '../../features/user-testing/store/visitors.ts';
import { windowMiningWork } from '../../features/user-testing/store/windows.ts';
import {
  defaultVisitTimes,
  type VisitTimes,
} from '../../features/user-testing/work/visit-times.ts';
import { deleteExpiredSignIns } from '../../platform/accounts/store/accounts.ts';
import { deleteOldCounters } from '../../platform/accounts/store/daily-counters.ts';
import { deleteFullBuckets } from '../../platform/accounts/store/rate-limits.ts';
import type { Database, Sql } from '../../platform/database/database.ts';
import { deleteOldAnswers } from '../../platform/database/idempotent-answers.ts';
import { inEveryOrganization } from '../../platform/database/in-every-organization.ts';
import { IndependentParts } from '../../platform/work/independent-parts.ts';
import { deleteOverWork } from '../../platform/work/store/leased-work.ts';
import { deleteOldShares } from '../../platform/work/store/share-places.ts';

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

/** Runs all steps, even if one fails. The errors are thrown at the end. */
export async function housekeeping(
  database: Database,
  retention: Retention = keepEverything,
  { retentionDays }: Pick<VisitTimes, 'retentionDays'> = defaultVisitTimes,
): Promise<Tidied> {
  const parts = new IndependentParts(database);
  const tidied = {
    // This step is first, because runs cannot be stored without the partition of their month.
    monthsAhead: await parts.do(() => makeMonthsAhead(database)),
    expiredSignIns: await parts.do(() => deleteExpiredSignIns(database)),
    expiredArtifacts: await parts.do(() => deleteExpiredArtifacts(database)),
    fullBuckets: await parts.do(() => deleteFullBuckets(database)),
    oldAnswers: await parts.do(() => deleteOldAnswers(database)),
    oldCounters: await parts.do(() => deleteOldCounters(database)),
    // Measure sizes before retention, because its report contains them. Delete unreferenced texts
    // after retention, because it removes references.
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
  parts.throwFailures('Some housekeeping tasks failed.');
  const { monthsAhead, ...rest } = tidied as WithoutFailures<typeof tidied>;
  return { ...rest, monthsAhead: monthsAhead.map(({ outcome }) => outcome) };
}

/**
 * Deletes the completed work groups of sessions, runs, waves and scenarios, which nobody reads any
 * more.
 */
async function deleteWorkThatIsOver(sql: Sql): Promise<{ readonly count: number }> {
  const kinds = [journeyGradingsWork, journeyJudgementsWork, waveMiningWork, windowMiningWork];
  return { count: await deleteOverWork(sql, kinds) };
}

type WithoutFailures<Parts> = { [Name in keyof Parts]: Exclude<Parts[Name], undefined> };
