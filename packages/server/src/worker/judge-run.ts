/**
 * The judge goes through the trials of a run that has ended and says for each how far the user's goal was met. Its
 * word is added to the chain of the trial; results, counts and the decision stay as they are. A case is told by its
 * lowest trial. Where a trial failed at selection it is also asked for the cause. A judge that fails on all of them has failed; one that fails on some is an evaluator's error there. Where
 * we ourselves fail it is tried again, and at last the judge has failed: nothing waits for its word for ever, and the
 * caller's keys do not outlive it. A job judges a part of a large run and leaves the rest to the next one, so that runs
 * take turns; what was said already is not asked again.
 */
import {
  type AttributionEvidence,
  type DerivedChain,
  defaultJudgeThreshold,
  type JudgeEvidence,
  type PlannedCase,
  projectSteps,
  type RunPlan,
  rederiveWithJudge,
  type TrialEvidence,
} from '@proofmark/domain';
import { attributeTrial } from '../engine/attribute-trial.ts';
import { type JudgeFinding, judgeTrial } from '../engine/judge-trial.ts';
import { ModelFailure } from '../model/model-failure.ts';
import type { PlaceOfRun } from '../storage/eval-runs/eval-slices.ts';
import { addJudge } from '../storage/eval-runs/jobs.ts';
import {
  type JudgeableTrial,
  listJudgeableTrials,
  writeJudgedTrials,
} from '../storage/eval-runs/judged-trials.ts';
import {
  findGoalCompletion,
  type GoalCompletion,
  type JudgedCase,
  saveGoalCompletion,
} from '../storage/eval-runs/run-judges.ts';
import { dropModelKeys } from '../storage/eval-runs/run-plans.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { retryWhileDatabaseIsAway } from './retry-while-database-is-away.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

/** As many are judged side by side, and written together. */
const trialsAtATime = 8;
/** As many are asked about by one job. */
const trialsPerJob = 40;

export interface JudgeAttempt {
  /** Begin nothing new. */
  readonly stopping: AbortSignal;
  /** Leave at once. */
  readonly signal: AbortSignal;
  /** Whether nobody tries again when this one fails. */
  readonly isLast: boolean;
}

export async function judgeRun(
  dependencies: WorkerDependencies,
  runs: OpenRuns,
  place: PlaceOfRun,
  attempt: JudgeAttempt,
): Promise<void> {
  const { runId } = place;
  const tenant = [place.organizationId];
  const asked = await dependencies.database.tenant(tenant, (sql) => findGoalCompletion(sql, runId));
  if (asked?.status !== 'pending') return;
  const outcome = await runs
    .use(place, (run) => judgeTrials(dependencies, run, place, asked, attempt))
    .catch((error: unknown) => {
      if (attempt.signal.aborted) return 'goesOn' as const;
      if (!attempt.isLast) throw error;
      dependencies.log.error({ err: error, runId }, 'a run could not be judged by us');
      return 'failed' as const;
    });
  const settle = () =>
    dependencies.database.tenant(tenant, async (sql) => {
      if (outcome === 'goesOn') return addJudge(sql, place);
      await saveGoalCompletion(sql, runId, concluded(asked, outcome));
      await dropModelKeys(sql, runId);
    });
  await retryWhileDatabaseIsAway(settle, attempt.signal);
}

async function judgeTrials(
  dependencies: WorkerDependencies,
  run: OpenRun,
  { organizationId, runId }: PlaceOfRun,
  asked: GoalCompletion,
  attempt: JudgeAttempt,
): Promise<JudgedCase[] | 'goesOn'> {
  const lowest = new Map<string, JudgedCase>();
  const tenant = [organizationId];
  let askedAbout = 0;
  for (let after = 0; ; ) {
    const trials = await dependencies.database.tenant(tenant, (sql) =>
      listJudgeableTrials(sql, runId, after, trialsAtATime),
    );
    if (trials.length === 0) return [...lowest.values()];
    const readable = trials.filter(hasEvidence);
    const open = readable.filter(({ judged }) => judged?.askedAt !== asked.askedAt);
    if (open.length > 0) {
      if (attempt.stopping.aborted || askedAbout >= trialsPerJob) return 'goesOn';
      askedAbout += open.length;
      const judged = await Promise.all(open.map((trial) => judgeOne(run, trial, asked, attempt)));
      await dependencies.database.tenant(tenant, (sql) => writeJudgedTrials(sql, runId, judged));
      for (const one of judged) keepLowest(lowest, one.judged.told);
    }
    for (const { judged } of readable) {
      if (judged?.askedAt === asked.askedAt) keepLowest(lowest, judged.told);
    }
    for (const trial of trials) {
      if (!hasEvidence(trial)) keepLowest(lowest, tellUnreadable(caseOf(run.plan, trial.caseId)));
    }
    after = trials.at(-1)?.ordinal ?? after;
  }
}

type ReadableTrial = JudgeableTrial & { readonly evidence: TrialEvidence };

/** Without its evidence there is no chain to add a word to: it stays as it is. */
function hasEvidence(trial: JudgeableTrial): trial is ReadableTrial {
  return trial.evidence !== undefined;
}

function keepLowest(lowest: Map<string, JudgedCase>, told: JudgedCase): void {
  const known = lowest.get(told.caseKey);
  if (known === undefined || (told.score ?? -1) < (known.score ?? -1))
    lowest.set(told.caseKey, told);
}

async function judgeOne(
  run: OpenRun,
  trial: ReadableTrial,
  asked: GoalCompletion,
  { signal, isLast }: JudgeAttempt,
) {
  const planned = caseOf(run.plan, trial.caseId);
  const {
    rubricHits,
    usage: _,
    ...judge
  } = await askAbout(run, planned, trial, asked, signal).catch((error: unknown): JudgeFinding => {
    // A model that is not offered any more is a judge that failed, at once.
    const hasFailed = isLast || error instanceof ModelFailure;
    if (!hasFailed || signal.aborted) throw error;
    return { status: 'errored', rubricHits: [] };
  });
  const { evidence, messages } = trial;
  const told = messages === undefined ? tellUnreadable(planned) : tell(planned, judge, rubricHits);
  const chain = rederiveWithJudge(evidence, judge);
  const attribution = await askForCause(run, planned, trial, asked, chain, signal);
  return {
    ordinal: trial.ordinal,
    chain: attribution === undefined ? chain : rederiveWithJudge(evidence, judge, attribution),
    evidence: { ...evidence, judge, ...(attribution !== undefined && { attribution }) },
    judged: { askedAt: asked.askedAt, told },
  };
}

/** Only a wrong selection has a cause to ask for: the model's choice, or what the tools say of themselves. */
async function askForCause(
  { dependencies }: OpenRun,
  planned: PlannedCase,
  { expectedTools, calledTools, tools }: JudgeableTrial,
  { model, provider }: GoalCompletion,
  { firstFailedStage }: DerivedChain,
  signal: AbortSignal,
): Promise<AttributionEvidence | undefined> {
  if (firstFailedStage !== 'selection' || tools === null) return undefined;
  if (expectedTools === undefined || calledTools === undefined) return undefined;
  const { query } = projectSteps(planned.steps);
  try {
    const chosen = dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
    return await attributeTrial(
      dependencies,
      { query, expectedTools, calledTools, tools },
      chosen,
      signal,
    );
  } catch (error) {
    if (error instanceof ModelFailure) return undefined;
    throw error;
  }
}

async function askAbout(
  { dependencies }: OpenRun,
  planned: PlannedCase,
  { messages }: JudgeableTrial,
  { model, provider, threshold }: GoalCompletion,
  signal: AbortSignal,
): Promise<JudgeFinding> {
  if (messages === undefined) return { status: 'errored', rubricHits: [] };
  const { title, steps, expectedOutput } = planned;
  const { query } = projectSteps(steps);
  const judged = { title, query, messages };
  const chosen = dependencies.modelOf({ model, ...(provider !== undefined && { provider }) });
  return judgeTrial(
    dependencies,
    expectedOutput === undefined ? judged : { ...judged, expectedOutput },
    { ...chosen, threshold: threshold ?? defaultJudgeThreshold },
    signal,
  );
}

function tell(
  planned: PlannedCase,
  judge: JudgeEvidence,
  rubricHits: readonly string[],
): JudgedCase {
  const caseKey = planned.declaredId ?? planned.caseId;
  if (judge.status !== 'scored') {
    return { caseKey, score: null, passed: false, reason: 'The judge failed.', rubricHits: [] };
  }
  const { score, threshold, reason } = judge;
  return { caseKey, score, passed: score >= threshold, reason: reason ?? null, rubricHits };
}

/** Nothing is asked about what nobody can read. */
function tellUnreadable(planned: PlannedCase): JudgedCase {
  const reason = 'What was recorded of a trial cannot be read.';
  return { ...tell(planned, { status: 'errored' }, []), reason };
}

function concluded(
  asked: GoalCompletion,
  outcome: readonly JudgedCase[] | 'failed',
): GoalCompletion {
  const cases = outcome === 'failed' ? [] : outcome;
  const scored = cases.filter(({ score }) => score !== null);
  const hasFailed = outcome === 'failed' || (cases.length > 0 && scored.length === 0);
  const passed = scored.filter((one) => one.passed).length;
  return {
    ...asked,
    status: hasFailed ? 'failed' : 'completed',
    errorCode: hasFailed ? 'JUDGE_FAILED' : null,
    summary: hasFailed
      ? 'The judge gave no usable answer for any trial.'
      : `${passed} of ${scored.length} judged cases reached their goal.`,
    generatedAt: Date.now(),
    modelUsed: asked.model,
    cases: hasFailed ? [] : cases,
  };
}

function caseOf(plan: RunPlan, caseId: string): PlannedCase {
  const found = plan.cases.find((one) => one.caseId === caseId);
  if (found === undefined) throw new Error('A trial belongs to no case of its plan.');
  return found;
}
