import {
  evaluationConfigOf,
  expectedCallsOf,
  firstTrials,
  type PlannedCase,
  type PlannedConformance,
  type PlannedTrial,
  placedPlans,
  type RunPlan,
  type RunSnapshot,
  summarizeOverlay,
  variantOfTrial,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { CaseOfTrials, PendingTrial } from '../../store/launched-runs.ts';
import type { LaunchDependencies, PreparedLaunch } from './prepared-launch.ts';

export function snapshotOfLaunch({
  terms,
  context,
  rerunOf,
  plan,
  samples,
}: PreparedLaunch): RunSnapshot {
  const { servers, environment } = context;
  const { sessions, maxCredits, overlay, overlayHash } = plan;
  const { seed } = plan.overrides ?? {};
  const planned = placedPlans(plan).length;
  return {
    terms,
    servers,
    environment,
    toolSurface: null,
    ...(sessions && { sessions }),
    ...(rerunOf && { rerunOf }),
    ...(samples.length > 0 && { samples }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(planned > 0 && { planned }),
    ...(seed !== undefined && { seed }),
    ...(plan.conformance && { conformance: named(plan.conformance) }),
    ...(overlay && overlayHash && { overlay: summarizeOverlay(overlay, overlayHash) }),
  };
}

function named({ suite, spec, note }: PlannedConformance) {
  return { suite, spec, note };
}

export function casesOfLaunch({ plan }: Pick<PreparedLaunch, 'plan'>): CaseOfTrials[] {
  return plan.cases.map(caseOfTrials);
}

export function caseOfTrials(planned: PlannedCase): CaseOfTrials {
  return {
    caseId: planned.caseId,
    declaredId: planned.declaredId,
    title: planned.title,
    expectedToolCalls: expectedCallsOf(planned),
    evaluationConfig: evaluationConfigOf(planned, sha256Hex),
  };
}

/** Returns the first trials of the run. A trial plan may start more later. */
export function trialsOfLaunch(
  { plan }: Pick<PreparedLaunch, 'plan'>,
  newId: LaunchDependencies['newId'],
): PendingTrial[] {
  return firstTrials(plan).map((trial) => pendingTrial(plan, trial, newId));
}

export function pendingTrial(
  plan: RunPlan,
  trial: PlannedTrial,
  newId: LaunchDependencies['newId'],
): PendingTrial {
  const { ordinal, caseIndex, trialNumber } = trial;
  const variant = variantOfTrial(plan, trial);
  return {
    ordinal,
    id: newId('evalIteration'),
    caseIndex,
    trialNumber,
    model: variant?.model,
    provider: variant?.provider,
  };
}
