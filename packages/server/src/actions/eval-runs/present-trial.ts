/**
 * A trial as its readers see it. What could not be validated is not shown, only that it was there: a chain
 * with all its claims, and scores together with the configuration that gives them their meaning.
 */
import type { OutputOf } from '@proofmark/contract';
import { caseIdPattern, readChain, type TrialStatus } from '@proofmark/domain';
import type { StoredTrial } from '../../storage/eval-runs/stored-trials.ts';

type Shown = OutputOf<'listEvalRunIterations'>['items'][number];

export function presentTrial(iteration: StoredTrial): Shown {
  const { declaredCaseId, result, status } = iteration;
  const isUnderWay = status === 'pending' || status === 'running';
  return {
    id: iteration.id,
    testCaseId: iteration.caseId,
    ...(declaredCaseId !== null &&
      caseIdPattern.test(declaredCaseId) && { caseId: declaredCaseId }),
    title: iteration.title,
    iterationNumber: iteration.iterationNumber,
    status: status as TrialStatus,
    result: result === 'passed' || result === 'failed' ? result : null,
    model: iteration.model,
    provider: iteration.provider,
    startedAt: iteration.startedAt?.getTime() ?? null,
    durationMs: isUnderWay ? null : iteration.durationMs,
    tokensUsed: iteration.tokensUsed,
    usage: iteration.usage && { ...iteration.usage },
    actualToolCalls: [...iteration.actualToolCalls],
    expectedToolCalls: [...iteration.expectedToolCalls],
    error: iteration.error,
    ...(iteration.hasTrace !== null && { hasTrace: iteration.hasTrace }),
    ...presentScores(iteration),
    ...presentChain(iteration),
  };
}

function presentScores(iteration: StoredTrial): Partial<Shown> {
  const { scores, evaluationConfig, scoreIntegrity } = iteration;
  if (scoreIntegrity === 'invalid') return { scoreIntegrity: 'score_integrity_invalid' };
  if (scores === null || evaluationConfig === null) return {};
  return { scores: scores as NonNullable<Shown['scores']>, evaluationConfig };
}

function presentChain(iteration: StoredTrial): Partial<Shown> {
  const chain = readChain(iteration.chain);
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
