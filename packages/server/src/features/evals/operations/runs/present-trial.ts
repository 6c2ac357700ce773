/**
 * Presents a trial. If the stored chain (stage results) is invalid, the chain and all fields
 * derived from it are omitted, but reported as present. Invalid scores are omitted in the same way,
 * together with their configuration.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  caseIdPattern,
  type OverlaySummary,
  type RunSpending,
  readChain,
  type TrialStatus,
} from '@proofmark/domain';
import { brokenRuleOf, type ScoredTrial } from '@proofmark/report';
import type { StoredTrial } from '../../store/stored-trials.ts';

type Shown = OutputOf<'listEvalRunIterations'>['items'][number];

export function presentTrial(
  trial: StoredTrial,
  spending?: RunSpending,
  overlay?: OverlaySummary,
): Shown {
  const { declaredCaseId, result, status } = trial;
  const isUnderWay = status === 'pending' || status === 'running';
  return {
    id: trial.id,
    testCaseId: trial.caseId,
    ...(declaredCaseId !== null &&
      caseIdPattern.test(declaredCaseId) && { caseId: declaredCaseId }),
    title: trial.title,
    iterationNumber: trial.iterationNumber,
    status: status as TrialStatus,
    result: result === 'passed' || result === 'failed' ? result : null,
    model: trial.model,
    provider: trial.provider,
    startedAt: trial.startedAt?.getTime() ?? null,
    durationMs: isUnderWay ? null : trial.durationMs,
    tokensUsed: trial.tokensUsed,
    usage: trial.usage && { ...trial.usage },
    actualToolCalls: [...trial.actualToolCalls],
    expectedToolCalls: [...trial.expectedToolCalls],
    error: trial.error,
    ...(trial.warnings.length > 0 && {
      warnings: trial.warnings as unknown as NonNullable<Shown['warnings']>,
    }),
    ...(trial.refusedCalls.length > 0 && {
      refusedCalls: trial.refusedCalls as unknown as NonNullable<Shown['refusedCalls']>,
    }),
    ...(trial.hasTrace !== null && { hasTrace: trial.hasTrace }),
    ...presentScores(trial),
    ...presentChain(trial),
    ...presentRecording(trial),
    ...(spending !== undefined && { spending }),
    ...(overlay && { overlayHash: overlay.hash }),
  };
}

function presentScores(trial: StoredTrial): Partial<Shown> {
  const { scores, evaluationConfig, scoreIntegrity } = trial;
  if (scoreIntegrity === 'invalid') return { scoreIntegrity: 'score_integrity_invalid' };
  if (scores === null || evaluationConfig === null) return {};
  const brokenRule = brokenRuleOf({ scores: scores as ScoredTrial['scores'] });
  return {
    scores: scores as NonNullable<Shown['scores']>,
    evaluationConfig,
    ...(brokenRule !== undefined && { brokenRule }),
  };
}

function presentRecording(trial: StoredTrial): Partial<Shown> {
  const { recordingState: state, recordingBytes: bytes, recordingHash: hash } = trial;
  const { divergence, replayState } = trial;
  return {
    ...(state !== null && { recording: { state, bytes: bytes ?? 0, hash } }),
    ...(divergence !== null && { divergence }),
    ...(replayState === 'continuedLive' && { continuedLive: true }),
  };
}

function presentChain(trial: StoredTrial): Partial<Shown> {
  const chain = readChain(trial.chain);
  if (chain.status === 'absent') return {};
  if (chain.status === 'unverified') return { stageResultsUnverified: true };
  const { stages, firstFailedStage, failureCategory, analyzerVersion } = chain;
  return {
    stageResults: stages,
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    stageAnalyzerVersion: analyzerVersion,
  };
}
