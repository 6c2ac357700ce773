import { type FindingStatus, insightErrors, type StoredInsights } from '@proofmark/domain';
import { findInsights } from '../../storage/insights/scope-insights.ts';
import { readFindingStatuses } from '../../storage/swarms/findings.ts';
import { scopeOfWave } from '../../storage/swarms/waves.ts';
import { type Action, refuse } from '../action.ts';
import { findWave } from './find-wave.ts';

export const getWaveInsights: Action<'getWaveInsights'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { waveId } = params;
    await findWave(sql, projectId, waveId);
    const stored = await findInsights(sql, 'swarm_wave', scopeOfWave({ projectId, waveId }));
    if (stored === undefined) return refuse(nobodyAsked);
    const { status, errorCode, updatedAt } = stored;
    const isCompleted = status === 'completed';
    return {
      ...{ waveId, status, updatedAt, errorCode: status === 'failed' ? errorCode : null },
      errorMessage: status === 'failed' && errorCode !== null ? insightErrors[errorCode] : null,
      insights: isCompleted ? told(stored, await readFindingStatuses(sql, projectId)) : null,
      discovery: isCompleted && stored.answer ? { ...stored.answer.discovery } : null,
    };
  });

const nobodyAsked = {
  code: 'NOT_FOUND',
  message: 'The wave is there, and nobody asked to have it explained.',
  details: { reason: 'NOT_REQUESTED' },
} as const;

function told(
  { material, answer, generatedAt, modelUsed }: StoredInsights,
  statuses: ReadonlyMap<string, FindingStatus>,
): Record<string, unknown> | null {
  if (material === undefined || answer === undefined) return null;
  const { coverage } = material;
  const candidates = material.candidates.map(({ candidate }) => candidate);
  const said = (fingerprint: string) =>
    Object.hasOwn(answer.narrations, fingerprint) ? answer.narrations[fingerprint] : undefined;
  return {
    ...{ summary: answer.summary, generatedAt, modelUsed },
    sessionCount: coverage.analyzed,
    unanalyzedSessionCount: coverage.total - coverage.analyzed,
    feedbackCount: 0,
    ...{ truncated: coverage.truncated, lowConfidence: coverage.lowConfidence },
    candidates: candidates.flatMap((candidate) => {
      const narration = said(candidate.fingerprint);
      const findingStatus = statuses.get(candidate.fingerprint);
      if (narration === undefined) return [];
      return [{ ...candidate, ...(findingStatus && { findingStatus }), ...narration }];
    }),
    unnarratedCandidates: candidates.filter(({ fingerprint }) => said(fingerprint) === undefined),
  };
}
