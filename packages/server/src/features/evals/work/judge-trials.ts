/**
 * Judges the trials of an ended run, in parts, each trial once: how far did it meet the user's
 * goal? The answer is added to the chain of the trial; results, counts and the decision stay
 * unchanged. The lowest trial of a case represents it. For a trial that failed at selection, the
 * judge is also asked for the cause. A judge that fails on all trials has failed; a failure on some
 * is an evaluator error there. After a failure on our side, the part is retried, and finally the
 * judging fails: no request stays pending for ever, and the caller's keys are deleted.
 */
import { setMaxListeners } from 'node:events';
import {
  type AttributionEvidence,
  type DerivedChain,
  defaultJudgeThreshold,
  groundednessThreshold,
  groundedTrialOf,
  type JudgeEvidence,
  type PlannedCase,
  projectSteps,
  Refused,
  type RunPlan,
  rederiveWithJudge,
  whyUnpaid,
} from '@proofmark/domain';
import { attributeTrial } from '../../../conversation/attribute-trial.ts';
import { groundTrial } from '../../../conversation/judge-groundedness.ts';
import { type JudgeFinding, judgeTrial } from '../../../conversation/judge-trial.ts';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import { isLastAttempt, isSpent } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import {
  type JudgeableTrial,
  type JudgedTrial,
  listTrialsToJudge,
  writeJudgedTrials,
} from '../store/judged-trials.ts';
import {
  findGoalCompletion,
  type GoalCompletion,
  type GroundedCase,
  type JudgedCase,
} from '../store/run-judges.ts';
import { endJudging, failJudging } from './end-judging.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export function judgementsKind(
  dependencies: WorkerDependencies,
  runs: OpenRuns,
  atOnce: number,
): WorkKind {
  return { atOnce, run: (work, attempt) => judgePart(dependencies, runs, work, attempt) };
}

async function judgePart(
  dependencies: WorkerDependencies,
  runs: OpenRuns,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  const { database, log } = dependencies;
  const runId = work.groupId;
  const asked = await database.tenant([work.organizationId], (sql) =>
    findGoalCompletion(sql, runId),
  );
  try {
    // Otherwise the answer is no longer needed.
    if (asked?.status === 'pending') {
      await runs.use({ ...work, runId }, (run) => judge(dependencies, run, work, asked, attempt));
    }
  } catch (error) {
    const isOver = isLastAttempt(work) && !attempt.signal.aborted && !isPassing(error);
    if (!isOver || error instanceof LeaseLost) throw error;
    log.error({ err: error, runId }, 'a run could not be judged by us');
    await failJudging(database, work);
    return 'completed';
  }
  await retryWhileDatabaseIsAway(() => endJudging(database, work), attempt.signal);
  return 'completed';
}

/**
 * Running trials hold credits until they end, so the judge waits for them. Nothing else would retry
 * the judging.
 */
const mostWaitMs = 300_000;

/** Answers about some trials are stored even if another trial could not be judged. */
async function judge(
  { database, runLimits, log }: WorkerDependencies,
  run: OpenRun,
  work: ClaimedWork,
  asked: GoalCompletion,
  attempt: WorkAttempt,
): Promise<void> {
  const tenant = [work.organizationId];
  const trials = await database.tenant(tenant, (sql) => listTrialsToJudge(sql, work));
  // Many listeners are added while trials wait for their places.
  setMaxListeners(0, attempt.signal);
  const outcomes = await Promise.allSettled(
    trials.map((trial) => {
      const models = payingModels(run.models, {
        database,
        creditsPerDay: runLimits.creditsPerDay,
        place: work,
        kind: 'judge',
        ref: `${work.groupId}/${trial.ordinal}`,
        mostWaitMs,
        isOfLimitedRun: run.plan.maxCredits !== undefined,
      });
      return judgeOne({ run, models, asked, work, log, signal: attempt.signal }, trial);
    }),
  );
  const isLeaving = attempt.signal.aborted;
  // Failures while this process was stopping or suspended may be its own fault, so those trials are
  // judged again.
  const judged = outcomes
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .filter((one) => !isLeaving || isAnswered(one));
  if (judged.length > 0) {
    const write = () =>
      database.tenant(tenant, (sql) => writeJudgedTrials(sql, attempt.held, judged));
    // Answers are already paid for, so a stopping process writes them first, if its lease is still
    // valid.
    const isTaken = isLeaving
      ? await write()
      : await retryWhileDatabaseIsAway(write, attempt.signal);
    if (!isTaken) throw new LeaseLost('Another worker now holds this work.');
  }
  const failed = outcomes.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  attempt.signal.throwIfAborted();
  // Always reported as a failure on our side, even if the cause looks like a database error.
  throw new Error('Proofmark itself could not judge a trial.', { cause: failed.reason });
}

/** Whether the judge itself answered, about the goal or the groundedness. */
function isAnswered({ rederived, grounded }: JudgedTrial): boolean {
  return rederived?.evidence.judge?.status === 'scored' || typeof grounded?.score === 'number';
}

interface Judging {
  readonly log: WorkerDependencies['log'];
  readonly run: OpenRun;
  readonly models: Pick<ModelGateway, 'generate'>;
  readonly asked: GoalCompletion;
  readonly work: ClaimedWork;
  readonly signal: AbortSignal;
}

async function judgeOne(judging: Judging, trial: JudgeableTrial): Promise<JudgedTrial> {
  const { run, work, signal } = judging;
  const { ordinal, evidence, messages } = trial;
  // Without evidence there is no chain for the answer, so the chain stays unchanged.
  if (evidence === undefined) return { ordinal, told: tellUnreadable(trial) };
  const planned = caseOf(run.plan, trial.caseId);
  let unpaid: string | undefined;
  // A model that is no longer offered, or that cannot be paid, makes the judge fail at once.
  const orFailed = (error: unknown): JudgeFinding => {
    const hasFailed = isLastAttempt(work) || isRefused(error);
    if (!hasFailed || signal.aborted) throw error;
    if (error instanceof Refused) unpaid = whyUnpaid(error);
    return { status: 'errored', rubricHits: [] };
  };
  const found = await askAbout(judging, planned, trial).catch(orFailed);
  const { rubricHits, usage: _, ...judge } = found;
  const grounded = await besides(judging, () => askForGrounds(judging, trial), ungrounded(trial));
  const told =
    messages === undefined ? tellUnreadable(trial) : tell(trial, judge, rubricHits, unpaid);
  const chain = rederiveWithJudge(evidence, judge);
  const attribution = await besides(
    judging,
    () => askForCause(judging, planned, trial, chain),
    undefined,
  );
  return {
    ordinal,
    told,
    ...(grounded !== undefined && { grounded }),
    rederived: {
      chain: attribution === undefined ? chain : rederiveWithJudge(evidence, judge, attribution),
      evidence: { ...evidence, judge, ...(attribution !== undefined && { attribution }) },
    },
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof ModelFailure || error instanceof Refused;
}

/**
 * Asks a further question after the answer on the goal. That answer is paid for, so a failure here
 * does not repeat it. A failure on our side is retried once, and then the further answer is left
 * out.
 */
async function besides<Found>(
  { signal, log, work }: Judging,
  ask: () => Promise<Found>,
  without: Found,
): Promise<Found> {
  for (const mayAgain of [true, false]) {
    try {
      return await ask();
    } catch (error) {
      if (isRefused(error) || signal.aborted) return without;
      const about = { err: error, runId: work.groupId };
      if (!mayAgain) log.warn(about, 'what is asked beside a goal could not be asked by us');
    }
  }
  return without;
}

/**
 * Only a wrong selection has a cause to ask for: the choice of the model, or the descriptions of
 * the tools.
 */
async function askForCause(
  { run, models, asked: { model, provider }, signal }: Judging,
  planned: PlannedCase,
  { expectedTools, calledTools, tools }: JudgeableTrial,
  { firstFailedStage }: DerivedChain,
): Promise<AttributionEvidence | undefined> {
  if (firstFailedStage !== 'selection' || tools === null) return undefined;
  if (expectedTools === undefined || calledTools === undefined) return undefined;
  const { query } = projectSteps(planned.steps);
  const chosen = run.dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
  const asked = { query, expectedTools, calledTools, tools };
  return attributeTrial({ models }, asked, chosen, signal);
}

/** Asks whether the results of tools support the answer, if there are both. */
async function askForGrounds(
  { run, models, asked: { model, provider }, work, signal }: Judging,
  trial: JudgeableTrial,
): Promise<GroundedCase | undefined> {
  const { messages, caseKey } = trial;
  const read = messages && groundedTrialOf(messages);
  if (read === undefined) return undefined;
  if (isSpent(work)) return ungrounded(trial);
  const chosen = run.dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
  const found = await groundTrial({ models }, read, chosen, signal);
  if (found === undefined) return ungrounded(trial);
  return { caseKey, passed: found.score >= groundednessThreshold, ...found };
}

function ungrounded({ caseKey }: JudgeableTrial): GroundedCase {
  const reason = 'The judge failed.';
  return { caseKey, score: null, passed: false, reason, unsupportedClaims: [] };
}

/** No request is sent about unreadable data, or if no attempt is left. */
async function askAbout(
  { run, models, asked: { model, provider, threshold }, work, signal }: Judging,
  planned: PlannedCase,
  { messages }: JudgeableTrial,
): Promise<JudgeFinding> {
  if (messages === undefined || isSpent(work)) return { status: 'errored', rubricHits: [] };
  const { title, steps, expectedOutput } = planned;
  const { query } = projectSteps(steps);
  const judged = { title, query, messages };
  const chosen = run.dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
  return judgeTrial(
    { models },
    expectedOutput === undefined ? judged : { ...judged, expectedOutput },
    { ...chosen, threshold: threshold ?? defaultJudgeThreshold },
    signal,
  );
}

function tell(
  { caseKey }: JudgeableTrial,
  judge: JudgeEvidence,
  rubricHits: readonly string[],
  unpaid?: string,
): JudgedCase {
  if (judge.status !== 'scored') {
    const reason = unpaid ?? 'The judge failed.';
    return { caseKey, score: null, passed: false, reason, rubricHits: [] };
  }
  const { score, threshold, reason } = judge;
  return { caseKey, score, passed: score >= threshold, reason: reason ?? null, rubricHits };
}

function tellUnreadable(trial: JudgeableTrial): JudgedCase {
  const reason = 'The stored data of a trial cannot be read.';
  return { ...tell(trial, { status: 'errored' }, []), reason };
}

function caseOf(plan: RunPlan, caseId: string): PlannedCase {
  const found = plan.cases.find((one) => one.caseId === caseId);
  if (found === undefined) throw new Error('A trial belongs to no case of its plan.');
  return found;
}
