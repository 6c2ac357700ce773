/** Builds the rows of a run and its trials from what is known at the launch. */
import {
  evaluationConfigOf,
  expectedCallsOf,
  planTrials,
  type RunSnapshot,
  summarizeOverlay,
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
  return {
    terms,
    servers,
    environment,
    toolSurface: null,
    ...(sessions && { sessions }),
    ...(rerunOf && { rerunOf }),
    ...(samples.length > 0 && { samples }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(seed !== undefined && { seed }),
    ...(overlay && overlayHash && { overlay: summarizeOverlay(overlay, overlayHash) }),
  };
}

export function casesOfLaunch({ plan }: Pick<PreparedLaunch, 'plan'>): CaseOfTrials[] {
  return plan.cases.map((one) => ({
    caseId: one.caseId,
    declaredId: one.declaredId,
    title: one.title,
    expectedToolCalls: expectedCallsOf(one),
    evaluationConfig: evaluationConfigOf(one, sha256Hex),
  }));
}

export function trialsOfLaunch(
  { plan }: Pick<PreparedLaunch, 'plan'>,
  newId: LaunchDependencies['newId'],
): PendingTrial[] {
  return planTrials(plan).map(({ ordinal, caseIndex, variantIndex, trialNumber }) => {
    const variant = plan.cases[caseIndex]?.variants[variantIndex];
    return {
      ordinal,
      id: newId('evalIteration'),
      caseIndex,
      trialNumber,
      model: variant?.model,
      provider: variant?.provider,
    };
  });
}
