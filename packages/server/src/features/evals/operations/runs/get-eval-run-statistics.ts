/** Returns statistics about the reliability of a run's verdict. The database counts the trials. */
import {
  caseVariantKey,
  countsForSuite,
  type Decision,
  decisionCaseId,
  flakinessOver,
  type HistorySummary,
  mostRunsOfFlakiness,
  type PlannedCase,
  presentHistories,
  type RunPlan,
  readDecision,
  summarizeHistory,
  variantStatistics,
  verdictPolicyVersion,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import {
  countGradedTrials,
  listGradedBefore,
  listSurfaceHashes,
  type VariantInRun,
  type VariantOfTrials,
} from '../../store/graded-trials.ts';
import { contentHashesOf, listHistories } from '../../store/histories.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { findRun } from './find-run.ts';

export const getEvalRunStatistics: Action<'getEvalRunStatistics'> = async (
  context,
  { params, query },
) => {
  const k = query.k === undefined ? null : Number(query.k);
  return context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId);
    const [counted, hashes, plan] = await Promise.all([
      countGradedTrials(sql, run.id),
      listSurfaceHashes(sql, run.id),
      run.source === 'sdk' ? undefined : findRunPlan(sql, run.id),
    ]);
    const [hash, another] = hashes;
    const isOne = hash !== undefined && another === undefined;
    const [before, past] = await Promise.all([
      isOne ? readBefore(sql, run, hash) : undefined,
      pastOf(sql, run, plan),
    ]);
    const thresholdOf = thresholds(decisionOf(run));
    const planned = new Map(plan?.cases.map((one) => [one.caseId, one]));
    return {
      runId: run.id,
      unit: 'caseVariant' as const,
      k,
      toolSurface: {
        ...(isOne && { hash }),
        state: isOne ? ('one' as const) : hash === undefined ? 'unknown' : 'several',
      },
      omittedRuns: past?.omittedRuns ?? 0,
      cases: counted.map((one) => {
        // The plan contains the key that this case had at launch.
        const known = planned.get(one.caseId ?? '');
        const caseKey = known?.caseKey ?? one.caseKey ?? `gone:${one.caseId}`;
        const declaredId = known === undefined ? one.declaredId : known.declaredId;
        const caseId = decisionCaseId({ declaredId, caseKey }, sha256Hex);
        const passThreshold = thresholdOf(caseId, one);
        const history = past?.historyOf(one, passThreshold) ?? null;
        const statistics = variantStatistics(one, { k });
        return {
          caseId,
          testCaseId: one.caseId,
          title: known?.title ?? one.title,
          model: one.model,
          provider: one.provider,
          trials: one.trials,
          passThreshold,
          ...statistics,
          ...(history !== null && history.runs > 1 && { passRateInterval: history.interval }),
          ...(isPlanned(known) && { passRateInterval: history?.interval ?? null }),
          history,
          flakiness: before ? flakinessOver(before.get(keyOf(one)) ?? []) : null,
        };
      }),
    };
  });
};

/**
 * A trial plan may stop early, depending on the results. Then only confidence intervals of the
 * method `anyTime` are valid.
 */
function isPlanned(known: PlannedCase | undefined): boolean {
  return known?.variants.some(({ trialPlan }) => trialPlan !== undefined) === true;
}

interface Past {
  readonly omittedRuns: number;
  historyOf(variant: VariantOfTrials, passThreshold: number | null): HistorySummary;
}

/**
 * Returns undefined for replays and runs with an overlay, because they do not measure their suite.
 */
async function pastOf(
  sql: Sql,
  run: StoredRun,
  plan: RunPlan | undefined,
): Promise<Past | undefined> {
  if (!countsForSuite({ replay: run.replay, overlay: run.snapshot.overlay })) return undefined;
  const { histories, omittedRuns } = await listHistories(sql, run.suiteId, {
    id: run.id,
    endedAt: run.completedAt,
    contents: () => (plan === undefined ? new Map() : contentHashesOf(plan)),
  });
  const present = new Map(presentHistories(histories).map((one) => [keyOf(one), one]));
  return {
    omittedRuns,
    historyOf: (variant, passThreshold) =>
      summarizeHistory(present.get(keyOf(variant)), passThreshold),
  };
}

async function readBefore(
  sql: Sql,
  run: StoredRun,
  hash: string,
): Promise<ReadonlyMap<string, readonly VariantInRun[]>> {
  const rows = await listGradedBefore(sql, run, hash, mostRunsOfFlakiness);
  const byVariant = new Map<string, VariantInRun[]>();
  for (const row of rows) {
    const inRuns = byVariant.get(keyOf(row)) ?? [];
    inRuns.push(row);
    byVariant.set(keyOf(row), inRuns);
  }
  return byVariant;
}

function keyOf({ caseId, model, provider }: VariantOfTrials): string {
  return JSON.stringify([caseId, model, provider]);
}

function decisionOf(run: StoredRun): Decision | undefined {
  return run.verdictPolicyVersion === verdictPolicyVersion
    ? readDecision(run.verdictSummary)
    : undefined;
}

/**
 * Returns a function that finds a variant's threshold. If the run has no variants, the threshold of
 * the case applies.
 */
function thresholds(decision: Decision | undefined) {
  const stated = new Map(
    decision?.cases.map((row) => [caseVariantKey(row), row.effectivePassThreshold]),
  );
  return (caseId: string, { model, provider }: VariantOfTrials): number | null => {
    const variant = { model: model ?? '', ...(provider !== null && { provider }) };
    return (
      stated.get(caseVariantKey({ caseId, executionVariant: variant })) ??
      stated.get(caseVariantKey({ caseId })) ??
      null
    );
  };
}
