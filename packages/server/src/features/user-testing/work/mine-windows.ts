/**
 * Runs the detectors over ended visitor sessions. The result is stored as a window and changes the
 * scenario's findings. Sessions are read before any lock is taken; a session that is erased
 * meanwhile is left out.
 */
import { randomBytes } from 'node:crypto';
import { type AnalyzedVisit, coverageOfWindow, makeId, mineWindow } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type ClaimedWork,
  completeWork,
  holdWork,
} from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import { mineOrGiveUp } from '../../insights/index.ts';
import {
  knownScenarioFinding,
  listScenarioFindings,
  writeScenarioFindings,
} from '../store/scenario-findings.ts';
import {
  findNewestWindow,
  hashOfSessions,
  holdVisits,
  insertWindow,
  lockWindows,
  type PlaceOfScenario,
  readSessionsOfWindow,
  type SessionsOfWindow,
  scenarioOfWork,
} from '../store/windows.ts';
import { readVisits } from './read-window.ts';

/**
 * After the last attempt no window is written. The next session that ends requests a new mining.
 */
export function windowMiningKind(dependencies: WorkerDependencies, atOnce: number): WorkKind {
  return {
    atOnce,
    run: (work, attempt) =>
      mineOrGiveUp(dependencies, work, attempt, {
        what: 'a window',
        mineOnce: () => mineOnce(dependencies, work, attempt),
      }),
  };
}

async function mineOnce(
  { database }: WorkerDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<void> {
  const scenario = scenarioOfWork(work);
  const tenant = [scenario.organizationId];
  const { read, isNew } = await database.tenant(tenant, async (sql) => {
    const read = await readSessionsOfWindow(sql, scenario.scenarioId);
    const newest = await findNewestWindow(sql, scenario.scenarioId);
    return { read, isNew: newest?.inputHash !== hashOfSessions(read.sessions) };
  });
  const ids = isNew ? read.sessions.map(({ id }) => id) : [];
  const visits = await readVisits(database, scenario.organizationId, ids, attempt.signal);
  await retryWhileDatabaseIsAway(
    () =>
      database.tenant(tenant, async (sql) => {
        // Lock the windows before the work. An erasure holds the windows lock while it waits for a
        // session, and the end of that session waits for the work. The reverse order could
        // deadlock.
        await lockWindows(sql, scenario.scenarioId);
        const [isHeld] = await holdWork(sql, work, [{ held: work, madeProgress: false }]);
        if (isHeld !== true) throw new LeaseLost('Another worker took over this work.');
        if (visits.length > 0) await conclude(sql, scenario, read, visits);
        await completeWork(sql, work);
      }),
    attempt.signal,
  );
}

/**
 * The maximum number of stored candidates (counted problems). The others are only included in the
 * total.
 */
const mostCandidates = 100;

/** The caller must hold the lock of the scenario's windows. */
async function conclude(
  sql: Sql,
  scenario: PlaceOfScenario,
  { startAt, endAt, counts, sessions: read }: SessionsOfWindow,
  analyzed: readonly AnalyzedVisit[],
): Promise<void> {
  const { scenarioId } = scenario;
  const there = await holdVisits(
    sql,
    read.map(({ id }) => id),
  );
  const sessions = read.filter(({ id }) => there.has(id));
  const visits = analyzed.filter(({ id }) => there.has(id));
  if (visits.length === 0) return;
  const gone = read.length - sessions.length;
  const coverage = coverageOfWindow({
    total: counts.total - gone,
    settled: counts.settled - gone,
    feedback: sessions.reduce((sum, { feedback }) => sum + feedback.length, 0),
  });
  const id = makeId('window', endAt.getTime(), randomBytes(10));
  const known = (await listScenarioFindings(sql, scenarioId)).map(knownScenarioFinding);
  const { found, changes } = mineWindow(known, visits, { id, at: endAt.getTime(), coverage });
  const sessionIds = sessions.map((session) => session.id);
  await writeScenarioFindings(sql, scenario, changes, sessionIds);
  const candidates = found.map(({ candidate }) => candidate);
  await insertWindow(sql, scenario, {
    id,
    windowStartAt: startAt,
    windowEndAt: endAt,
    inputHash: hashOfSessions(sessions),
    result: {
      coverage,
      candidateCount: candidates.length,
      candidates: candidates.slice(0, mostCandidates),
    },
  });
}
