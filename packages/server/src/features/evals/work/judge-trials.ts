/**
 * The judge reads the trials of a run that has ended, a part of them at a time and each of them once, and says for each
 * how far the user's goal was met. Its word is added to the chain of the trial; results, counts and the decision stay as
 * they are. A case is told by its lowest trial. Where a trial failed at selection it is also asked for the cause. A judge
 * that fails on all of them has failed; one that fails on some is an evaluator's error there. Where we ourselves fail it
 * is tried again, and at last the judge has failed: nothing waits for its word for ever, and the caller's keys do not
 * outlive it.
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
    // Nobody waits for its word any more.
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

/** Trials under way hold credits for as long as they last; nobody but the judge would judge this one again. */
const mostWaitMs = 300_000;

/** What was said of one trial is kept also where another could not be judged. */
async function judge(
  { database, runLimits, log }: WorkerDependencies,
  run: OpenRun,
  work: ClaimedWork,
  asked: GoalCompletion,
  attempt: WorkAttempt,
): Promise<void> {
  const tenant = [work.organizationId];
  const trials = await database.tenant(tenant, (sql) => listTrialsToJudge(sql, work));
  // Many listen to it while they wait for their places.
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
  // What failed while this process was leaving, or stood still, may be its own doing: it is judged again.
  const judged = outcomes
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .filter((one) => !isLeaving || isAnswered(one));
  if (judged.length > 0) {
    const write = () =>
      database.tenant(tenant, (sql) => writeJudgedTrials(sql, attempt.held, judged));
    // What was answered has been paid for: whoever has to leave writes it first, if the lease still stands.
    const isTaken = isLeaving
      ? await write()
      : await retryWhileDatabaseIsAway(write, attempt.signal);
    if (!isTaken) throw new LeaseLost('The work belongs to somebody else.');
  }
  const failed = outcomes.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  attempt.signal.throwIfAborted();
  // Our own failure, also where it looks like that of a database.
  throw new Error('A trial could not be judged by us.', { cause: failed.reason });
}

/** By the judge itself, of the goal or of the grounds. */
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
  // Without its evidence there is no chain to add a word to: it stays as it is.
  if (evidence === undefined) return { ordinal, told: tellUnreadable(trial) };
  const planned = caseOf(run.plan, trial.caseId);
  let unpaid: string | undefined;
  // A model that is not offered any more, or that nobody can pay for, is a judge that failed, at once.
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
 * Asked once the word on the goal is there: what was said is paid for, so nothing of it is asked again because this fails.
 * Where we ourselves failed it is asked once more, and then done without.
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

/** Only a wrong selection has a cause to ask for: the model's choice, or what the tools say of themselves. */
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

/** Whether the answer rests on the results of tools, where there are both. */
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

/** Nothing is asked about what nobody can read, nor where there is no attempt left. */
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
  const reason = 'What was recorded of a trial cannot be read.';
  return { ...tell(trial, { status: 'errored' }, []), reason };
}

function caseOf(plan: RunPlan, caseId: string): PlannedCase {
  const found = plan.cases.find((one) => one.caseId === caseId);
  if (found === undefined) throw new Error('A trial belongs to no case of its plan.');
  return found;
}
