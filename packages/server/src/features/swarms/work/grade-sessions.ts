/**
 * Grades sessions that were played to their end, from stored data alone, without a call of a server
 * or a model. If the grader throws, or does not finish in three tries, the grading of the whole
 * session is stored as failed.
 */
import { gradeSession, judgeEvidenceOf } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type ClaimedWork,
  completeWork,
  costOfAttempt,
  holdWork,
} from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import { holdSessionToGrade, type SessionToGrade, writeGrade } from '../store/graded-sessions.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { settleWave } from '../store/waves.ts';

/**
 * The maximum number of tries to grade a session. A try that was interrupted or lost its lease
 * counts only in part.
 */
const mostTries = 3;

export function journeyGradingsKind(dependencies: WorkerDependencies, atOnce: number): WorkKind {
  return { atOnce, run: (work, attempt) => grade(dependencies, work, attempt) };
}

async function grade(
  dependencies: WorkerDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  const { database } = dependencies;
  const tenant = [work.organizationId];
  const isGivenUp = work.attemptCost > mostTries * costOfAttempt;
  await retryWhileDatabaseIsAway(
    () => database.tenant(tenant, (sql) => conclude(sql, dependencies, work, isGivenUp)),
    attempt.signal,
  );
  return 'completed';
}

async function conclude(
  sql: Sql,
  dependencies: WorkerDependencies,
  work: ClaimedWork,
  isGivenUp: boolean,
): Promise<void> {
  const [isHeld] = await holdWork(sql, work, [{ held: work, madeProgress: false }]);
  if (isHeld !== true) throw new LeaseLost('Another worker took over this work.');
  const session = await holdSessionToGrade(sql, work.groupId);
  if (session?.gradingStatus === 'pending') {
    const graded = isGivenUp ? undefined : await gradeOf(sql, dependencies, session);
    await writeGrade(sql, session.id, graded ?? failed);
  }
  await completeWork(sql, work);
  if (session !== undefined) await settleWave(sql, { ...work, waveId: session.waveId });
}

const failed = { status: 'failed', result: null, criteria: [], chain: undefined } as const;

async function gradeOf(
  sql: Sql,
  { log }: WorkerDependencies,
  { id, runId, evidence, goalScore }: SessionToGrade,
): Promise<Parameters<typeof writeGrade>[2] | undefined> {
  const snapshot = await findJourneySnapshot(sql, runId);
  if (snapshot === undefined || evidence === undefined) return undefined;
  try {
    const graded = gradeSession(snapshot, evidence, judgeEvidenceOf(goalScore));
    const { criteria, result, chain, graderError } = graded;
    return { status: graderError === undefined ? 'completed' : 'failed', criteria, result, chain };
  } catch (error) {
    log.error({ err: error, sessionId: id }, 'Proofmark could not grade a session');
    return undefined;
  }
}
