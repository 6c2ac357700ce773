/**
 * Judges the sessions of an ended journey run: by rules if the user was scripted, else by a hosted
 * model. A judgment does not change the session's result. If the judge cannot be called, the
 * judgment is stored as failed.
 */
import {
  callsInOrder,
  chooseModel,
  type DerivedChain,
  failedGoal,
  type GoalScore,
  gradeSession,
  type JourneySnapshot,
  judgeByRules,
  judgeEvidenceOf,
  Refused,
  ruleJudgeId,
  scoredGoal,
} from '@proofmark/domain';
import { judgeTrial } from '../../../conversation/judge-trial.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import { isLastAttempt, isSpent } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type ClaimedWork,
  completeWork,
  holdWork,
} from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import { modelsOf } from '../../models/index.ts';
import {
  holdSessionToGrade,
  listSessionsToJudge,
  readSessionMessages,
  type SessionToGrade,
  writeGoalScore,
} from '../store/graded-sessions.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { settleWaveOf } from '../store/waves.ts';

export function journeyJudgementsKind(dependencies: WorkerDependencies, atOnce: number): WorkKind {
  return { atOnce, run: (work, attempt) => judge(dependencies, work, attempt) };
}

async function judge(
  dependencies: WorkerDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  const { database } = dependencies;
  const inTenant = <Result>(of: Parameters<typeof database.tenant<Result>>[1]) =>
    database.tenant([work.organizationId], of);
  const { ids, snapshot } = await inTenant(async (sql) => ({
    ids: await listSessionsToJudge(sql, work.groupId, work),
    snapshot: await findJourneySnapshot(sql, work.groupId),
  }));
  // If all attempts are used up, judging the first pending session may have ended the worker each
  // time. Only that session is therefore stored as failed; the others are judged.
  let isGivenUp = isSpent(work);
  for (const id of snapshot === undefined ? [] : ids) {
    attempt.signal.throwIfAborted();
    const session = await inTenant((sql) => holdSessionToGrade(sql, id));
    if (snapshot === undefined || session?.goalScore?.status !== 'pending') continue;
    const goalScore = isGivenUp
      ? failedGoal(session.goalScore, 'judge_failed')
      : await ask(dependencies, work, attempt, snapshot, session, session.goalScore);
    await retryWhileDatabaseIsAway(
      () => write(dependencies, work, snapshot, id, goalScore),
      attempt.signal,
    );
    isGivenUp = false;
  }
  await retryWhileDatabaseIsAway(
    () =>
      inTenant(async (sql) => {
        const end = await completeWork(sql, work);
        if (end === 'last') await settleWaveOf(sql, work.groupId);
      }),
    attempt.signal,
  );
  return 'completed';
}

async function ask(
  dependencies: WorkerDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
  snapshot: JourneySnapshot,
  session: SessionToGrade,
  pending: GoalScore,
): Promise<GoalScore> {
  const { evidence, intents } = session;
  if (evidence === undefined) return failedGoal(pending, 'judge_failed');
  if (pending.judgeModel === ruleJudgeId) {
    const hasRubric = snapshot.rubric.length > 0;
    const judged = judgeByRules({ intents, calls: callsInOrder(evidence), hasRubric });
    return 'errorCode' in judged
      ? failedGoal(pending, judged.errorCode)
      : scoredGoal(pending, judged.score, judged.reason);
  }
  try {
    return await askModel(dependencies, work, attempt, snapshot, session, pending);
  } catch (error) {
    const isRefused = error instanceof Refused;
    const isOver = isLastAttempt(work) && !isPassing(error);
    if (attempt.signal.aborted || !(isRefused || isOver)) throw error;
    return failedGoal(pending, 'judge_failed');
  }
}

/**
 * The time limit for waiting until reserved credits are released. It is unlimited, because nothing
 * would retry the judging later.
 */
const mostWaitMs = Number.POSITIVE_INFINITY;

/**
 * Asks the model whether the goal was reached. With a rubric, the goal is also the expected outcome
 * to compare the answer with. Without one, the score is capped, because nothing proves the answer
 * right.
 */
async function askModel(
  { database, models, runLimits }: WorkerDependencies,
  work: ClaimedWork,
  { signal }: WorkAttempt,
  snapshot: JourneySnapshot,
  { id, ordinal }: SessionToGrade,
  pending: GoalScore,
): Promise<GoalScore> {
  const { messages, known } = await database.tenant([work.organizationId], async (sql) => ({
    messages: await readSessionMessages(sql, id),
    // The judge is the operator's model, so the list excludes the organization's own providers,
    // which could contain a model of the same name.
    known: (await modelsOf(sql, { database, models }, null)).models,
  }));
  try {
    const model = chooseModel({ model: pending.judgeModel }, known.offer, []);
    if ('refusal' in model || messages === undefined) return failedGoal(pending, 'judge_failed');
    const paying = payingModels(known, {
      database,
      creditsPerDay: runLimits.creditsPerDay,
      place: work,
      kind: 'judge',
      ref: `${work.groupId}/${ordinal}`,
      mostWaitMs,
    });
    const { goal, journey, rubric } = snapshot;
    const judged = { title: journey.name, query: goal, messages };
    const finding = await judgeTrial(
      { models: paying },
      rubric.length > 0 ? { ...judged, expectedOutput: goal } : judged,
      { model, threshold: pending.threshold },
      signal,
    );
    return finding.status === 'scored'
      ? scoredGoal(pending, finding.score, finding.reason ?? null)
      : failedGoal(pending, 'judge_failed');
  } finally {
    if (known !== models) await known.close();
  }
}

/**
 * Stores a judgment, and adds it to the stages of the session. If the session still waits for its
 * grade, the stages are written later, with the grade.
 */
async function write(
  { database, log }: WorkerDependencies,
  work: ClaimedWork,
  snapshot: JourneySnapshot,
  sessionId: string,
  goalScore: GoalScore,
): Promise<void> {
  await database.tenant([work.organizationId], async (sql) => {
    const [isHeld] = await holdWork(sql, work, [{ held: work, madeProgress: true }]);
    if (isHeld !== true) throw new LeaseLost('Another worker took over this work.');
    const session = await holdSessionToGrade(sql, sessionId);
    if (session === undefined) return;
    await writeGoalScore(sql, sessionId, goalScore, chainWith(log, snapshot, session, goalScore));
  });
}

/**
 * Returns undefined to leave the stored stages unchanged. It also does so after an internal error,
 * so that the judgment is stored in any case.
 */
function chainWith(
  log: WorkerDependencies['log'],
  snapshot: JourneySnapshot,
  { id, evidence, gradingStatus }: SessionToGrade,
  goalScore: GoalScore,
): DerivedChain | undefined {
  const mayDerive = gradingStatus === null || gradingStatus === 'completed';
  if (evidence === undefined || !mayDerive) return undefined;
  try {
    return gradeSession(snapshot, evidence, judgeEvidenceOf(goalScore)).chain;
  } catch (error) {
    log.error({ err: error, sessionId: id }, 'the result of a judge could not be added to a chain');
    return undefined;
  }
}
