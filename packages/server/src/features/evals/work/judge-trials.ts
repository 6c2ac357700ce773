/**
 * Judges each trial of an ended run once, in parts. Results, counts and the decision do not change.
 * After a failure of Proofmark itself, the part is retried, and finally the judging fails, so that
 * no request stays pending.
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
import { judgeTrialGroundedness } from '../../../conversation/judge-groundedness.ts';
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
    // A request that is no longer pending needs no answer.
    if (asked?.status === 'pending') {
      await runs.use({ ...work, runId }, (run) => judge(dependencies, run, work, asked, attempt));
    }
  } catch (error) {
    const isOver = isLastAttempt(work) && !attempt.signal.aborted && !isPassing(error);
    if (!isOver || error instanceof LeaseLost) throw error;
    log.error({ err: error, runId }, 'Proofmark could not judge a run');
    await failJudging(database, work);
    return 'completed';
  }
  await retryWhileDatabaseIsAway(() => endJudging(database, work), attempt.signal);
  return 'completed';
}

/**
 * The maximum wait for credits, in milliseconds. It is long, because running trials reserve credits
 * until they end, and a judging that lacked credits is not retried.
 */
const mostWaitMs = 300_000;

/**
 * Judges the trials of one part. Answers are stored even if another trial of the part could not be
 * judged.
 */
async function judge(
  { database, runLimits, log }: WorkerDependencies,
  run: OpenRun,
  work: ClaimedWork,
  asked: GoalCompletion,
  attempt: WorkAttempt,
): Promise<void> {
  const tenant = [work.organizationId];
  const trials = await database.tenant(tenant, (sql) => listTrialsToJudge(sql, work));
  // Every trial adds a listener while it waits for a place, and Node.js would warn about so many
  // listeners.
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
  // If this attempt was stopped, the stop may have caused the failures. Then only answered trials
  // are written; the others are judged again.
  const judged = outcomes
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .filter((one) => !isLeaving || isAnswered(one));
  if (judged.length > 0) {
    const write = () =>
      database.tenant(tenant, (sql) => writeJudgedTrials(sql, attempt.held, judged));
    // The answers have been paid for, so a stopping process still writes them if its lease is
    // valid.
    const isTaken = isLeaving
      ? await write()
      : await retryWhileDatabaseIsAway(write, attempt.signal);
    if (!isTaken) throw new LeaseLost('Another worker took over this work.');
  }
  const failed = outcomes.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  attempt.signal.throwIfAborted();
  // Wrapped in a new error, so that it counts as a failure of Proofmark even if the cause looks
  // like a database error.
  throw new Error('Proofmark itself could not judge a trial.', { cause: failed.reason });
}

/**
 * Returns whether the judge itself answered at least one question, about the goal or the
 * groundedness.
 */
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
  // Without evidence, no chain with the judge's answer can be derived, so the stored chain stays.
  if (evidence === undefined) return { ordinal, judged: unreadableCase(trial) };
  const planned = caseOf(run.plan, trial.caseId);
  let unpaid: string | undefined;
  // Gives up at once if the model is no longer offered or cannot be paid, because another attempt
  // would not help.
  const orFailed = (error: unknown): JudgeFinding => {
    const hasFailed = isLastAttempt(work) || isRefused(error);
    if (!hasFailed || signal.aborted) throw error;
    if (error instanceof Refused) unpaid = whyUnpaid(error);
    return { status: 'errored', rubricHits: [] };
  };
  const found = await askAbout(judging, planned, trial).catch(orFailed);
  const { rubricHits, usage: _, ...judge } = found;
  const grounded = await besides(
    judging,
    () => askForGroundedness(judging, trial),
    ungrounded(trial),
  );
  const judged =
    messages === undefined ? unreadableCase(trial) : judgedCase(trial, judge, rubricHits, unpaid);
  const chain = rederiveWithJudge(evidence, judge);
  const attribution = await besides(
    judging,
    () => askForCause(judging, planned, trial, chain),
    undefined,
  );
  return {
    ordinal,
    judged,
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
 * Asks a question besides the one about the goal. A failure here must not repeat that paid
 * question, so `ask` is retried once and then `without` is returned.
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
      if (!mayAgain)
        log.warn(about, 'Proofmark could not ask a judge about groundedness or tool selection');
    }
  }
  return without;
}

/**
 * Asks only if the tool selection was wrong: was the cause the model's choice or the tools'
 * descriptions?
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

/** Asks whether the tool results support the answer, if the trial has both. */
async function askForGroundedness(
  { run, models, asked: { model, provider }, work, signal }: Judging,
  trial: JudgeableTrial,
): Promise<GroundedCase | undefined> {
  const { messages, caseKey } = trial;
  const read = messages && groundedTrialOf(messages);
  if (read === undefined) return undefined;
  if (isSpent(work)) return ungrounded(trial);
  const chosen = run.dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
  const found = await judgeTrialGroundedness({ models }, read, chosen, signal);
  if (found === undefined) return ungrounded(trial);
  return { caseKey, passed: found.score >= groundednessThreshold, ...found };
}

function ungrounded({ caseKey }: JudgeableTrial): GroundedCase {
  const reason = 'The judge gave no usable answer.';
  return { caseKey, score: null, passed: false, reason, unsupportedClaims: [] };
}

/**
 * Asks the judge about the goal. Sends no request if the data is unreadable or no attempt is left.
 */
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

function judgedCase(
  { caseKey }: JudgeableTrial,
  judge: JudgeEvidence,
  rubricHits: readonly string[],
  unpaid?: string,
): JudgedCase {
  if (judge.status !== 'scored') {
    const reason = unpaid ?? 'The judge gave no usable answer.';
    return { caseKey, score: null, passed: false, reason, rubricHits: [] };
  }
  const { score, threshold, reason } = judge;
  return { caseKey, score, passed: score >= threshold, reason: reason ?? null, rubricHits };
}

function unreadableCase(trial: JudgeableTrial): JudgedCase {
  const reason = 'The stored data of this trial cannot be read, so it was not judged.';
  return { ...judgedCase(trial, { status: 'errored' }, []), reason };
}

function caseOf(plan: RunPlan, caseId: string): PlannedCase {
  const found = plan.cases.find((one) => one.caseId === caseId);
  if (found === undefined)
    throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
  return found;
}
