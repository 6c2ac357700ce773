/**
 * Compares a run with an earlier run of its suite: the requested one, or else the last completed
 * one before it.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  askedOfCase,
  authoredFacts,
  type ComparedTrials,
  canonicalJson,
  compareCaseScores,
  compareCases,
  compareScorers,
  decisionCaseId,
  estimateCost,
  gradingOfCase,
  modelOfPair,
  numericDiff,
  type PlannedCase,
  type RunPlan,
  readDecision,
  type TrialsOnModel,
  verdictsOfCases,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import {
  type CaseTotals,
  listCaseTotals,
  listModelTotals,
  listSpentTokens,
  type ModelTotals,
  measureRun,
  type RunMeasures,
  type RunScores,
  totalScores,
} from '../../store/compared-runs.ts';
import type * as evalRuns from '../../store/eval-runs.ts';
import { readSuite } from '../../store/eval-suites.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { findBaseRun } from './find-base-run.ts';
import { findRun } from './find-run.ts';
import { presentOutcome } from './present-run.ts';

type Shown = OutputOf<'compareEvalRun'>;

export const compareEvalRun: Action<'compareEvalRun'> = async (context, { params, query }) => {
  const projectId = context.project.id;
  return context.tenant(async (sql) => {
    const run = await findRun(sql, projectId, params.runId);
    const base = await findBaseRun(sql, projectId, run, query.baseRunId);
    const [suite, was, is] = await Promise.all([
      readSuite(sql, projectId, run.suiteId),
      readSide(sql, base),
      readSide(sql, run),
    ]);
    const before = presentOutcome(base).summary;
    const now = presentOutcome(run).summary;
    const diff = (field: 'total' | 'passed' | 'failed') =>
      numericDiff(before?.[field] ?? null, now?.[field] ?? null);
    return {
      suite: { id: run.suiteId, name: suite?.name ?? '' },
      baseline: {
        policy: query.baseRunId === undefined ? ('previous_completed' as const) : ('run' as const),
        baseRunId: base.id,
      },
      baseRun: presentSide(base),
      compareRun: presentSide(run),
      passSummary: {
        passRatePercent: numericDiff(percent(before?.passRate), percent(now?.passRate)),
        total: diff('total'),
        passed: diff('passed'),
        failed: diff('failed'),
      },
      metrics: {
        wallDurationMs: numericDiff(was.measures.wallDurationMs, is.measures.wallDurationMs),
        totalTokens: numericDiff(was.measures.totalTokens, is.measures.totalTokens),
        estimatedCostUsd: numericDiff(was.costUsd, is.costUsd),
      },
      scoreContract: {
        base: presentContract(base, was.measures),
        compare: presentContract(run, is.measures),
        evaluationConfigChanged: evaluationChanged(base, run),
        scorers: compareScorers(was.scores.ofRun, is.scores.ofRun),
      },
      ...presentCases(was, is, evaluationChanged(base, run)),
      ...(await compareSurfaces(sql, projectId, base, run)),
    };
  });
};

interface Side {
  readonly cases: readonly (ComparedTrials & { readonly caseId: string | null })[];
  readonly measures: RunMeasures;
  readonly scores: RunScores;
  readonly costUsd: number | null;
}

async function readSide(sql: Sql, run: evalRuns.StoredRun): Promise<Side> {
  const [totals, byModel, measures, plan] = await Promise.all([
    listCaseTotals(sql, run.id),
    listModelTotals(sql, run.id),
    measureRun(sql, run.id),
    run.source === 'sdk' ? undefined : findRunPlan(sql, run.id),
  ]);
  const planned = new Map(plan?.cases.map((one) => [one.caseId, one]));
  const decision = run.verdictPolicyVersion === 2 ? readDecision(run.verdictSummary) : undefined;
  const verdicts = verdictsOfCases(decision ?? { cases: [] });
  const none: RunScores = { ofRun: [], ofCases: new Map() };
  const scores = measures.scoredTrials > 0 ? await totalScores(sql, run.id) : none;
  return {
    cases: totals.map((one) => ({
      ...withConfig(one, planned.get(one.caseId ?? ''), verdicts),
      models: modelsOf(one, byModel),
    })),
    measures,
    scores,
    costUsd: plan === undefined ? null : await costOf(sql, run.id, plan),
  };
}

/**
 * Sums the cost of the trials. Judges are excluded, because their token usage is not stored. Cases
 * without a prompt are excluded, because they call no model.
 */
async function costOf(sql: Sql, runId: string, plan: RunPlan): Promise<number | null> {
  const silent = new Set(
    plan.cases.flatMap((one) => (authoredFacts(one).hasPrompt ? [] : one.caseId)),
  );
  const spent = await listSpentTokens(sql, runId);
  const asking = spent.filter(({ caseId }) => !silent.has(caseId ?? ''));
  return estimateCost(asking, plan.prices ?? []);
}

/**
 * Takes the case's key and content from the plan, because the case may have been edited since the
 * launch.
 */
function withConfig(
  totals: CaseTotals,
  planned: PlannedCase | undefined,
  verdicts: ReturnType<typeof verdictsOfCases>,
): Side['cases'][number] {
  const { caseId, passed, failed, iterationIds, firstNotPassed, error } = totals;
  const caseKey = planned?.caseKey ?? totals.caseKey ?? `gone:${caseId}`;
  const { declaredId } = planned ?? totals;
  return {
    caseId,
    caseKey,
    verdict: verdicts.get(decisionCaseId({ caseKey, declaredId }, sha256Hex)),
    title: planned?.title ?? totals.title ?? '',
    passed,
    failed,
    iterationIds: [...iterationIds],
    firstNotPassed,
    error,
    ...configOf(planned),
  };
}

/** Empty unless every graded trial of the case has a model. */
function modelsOf(totals: CaseTotals, byModel: readonly ModelTotals[]): TrialsOnModel[] {
  const models = byModel
    .filter(({ caseId }) => caseId === totals.caseId)
    .map(({ model, provider, passed, failed }) => ({
      model: modelOfPair(model, provider),
      passed,
      failed,
    }));
  const graded = models.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  return graded === totals.passed + totals.failed ? models : [];
}

function configOf(planned: PlannedCase | undefined) {
  if (planned === undefined) return { config: null, evaluationConfig: null };
  return {
    config: canonicalJson(askedOfCase(planned)),
    evaluationConfig: canonicalJson(gradingOfCase(planned)),
  };
}

function presentCases(
  was: Side,
  is: Side,
  changed: boolean,
): Pick<Shown, 'paired' | 'correction' | 'cases'> {
  const before = new Map(was.cases.map((one) => [one.caseKey, one.caseId]));
  const now = new Map(is.cases.map((one) => [one.caseKey, one.caseId]));
  const { paired, correction, cases } = compareCases(was.cases, is.cases);
  return {
    paired: paired && {
      ...paired,
      left: [...paired.left],
      right: [...paired.right],
      ungraded: [...paired.ungraded],
    },
    correction,
    cases: cases.map((one) => ({
      ...one,
      evaluationConfigChanged: one.evaluationConfigChanged || changed,
      scoreDeltas: compareCaseScores(
        was.scores.ofCases.get(before.get(one.caseKey) ?? null) ?? [],
        is.scores.ofCases.get(now.get(one.caseKey) ?? null) ?? [],
      ),
      base: { ...one.base, iterationIds: [...one.base.iterationIds] },
      compare: { ...one.compare, iterationIds: [...one.compare.iterationIds] },
    })),
  };
}

function presentSide(run: evalRuns.StoredRun): Shown['baseRun'] {
  const { result, summary } = presentOutcome(run);
  const undecided = run.status === 'completed' ? 'inconclusive' : run.status;
  return {
    id: run.id,
    runNumber: run.runNumber,
    result: result ?? undecided,
    createdAt: run.createdAt.getTime(),
    completedAt: run.completedAt?.getTime() ?? null,
    summary,
    ...(run.snapshot.overlay && { overlayHash: run.snapshot.overlay.hash }),
    ...(run.replay && { replay: run.replay }),
  };
}

function presentContract(run: evalRuns.StoredRun, measures: RunMeasures) {
  return {
    evaluationConfigHash: run.evaluationConfigHash,
    scoreIntegrity: run.scoreIntegrity,
    scoredIterations: measures.scoredTrials,
    quarantinedIterations: measures.quarantinedTrials,
  };
}

/** A configuration that a reporter did not send counts as unchanged. */
function evaluationChanged(base: evalRuns.StoredRun, run: evalRuns.StoredRun): boolean {
  const { evaluationConfigHash: was } = base;
  const { evaluationConfigHash: is } = run;
  return was !== null && is !== null && was !== is;
}

function percent(rate: number | null | undefined): number | null {
  return rate == null ? null : rate * 100;
}
