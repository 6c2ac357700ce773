import { insightErrors, type StoredInsights } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findInsights, presentExplanation } from '../../insights/index.ts';
import { readFindingStatuses } from '../store/findings.ts';
import { scopeOfWave } from '../store/waves.ts';
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
      waveId,
      status,
      updatedAt,
      errorCode: status === 'failed' ? errorCode : null,
      errorMessage: status === 'failed' && errorCode !== null ? insightErrors[errorCode] : null,
      insights: isCompleted
        ? presentExplanation(
            stored,
            await readFindingStatuses(sql, projectId, fingerprintsOf(stored)),
          )
        : null,
      discovery: isCompleted && stored.answer ? { ...stored.answer.discovery } : null,
    };
  });

const nobodyAsked = {
  code: 'NOT_FOUND',
  message: 'This wave has no insights yet; request them first.',
  details: { reason: 'NOT_REQUESTED' },
} as const;

function fingerprintsOf({ material }: StoredInsights): string[] {
  return (material?.candidates ?? []).map(({ candidate }) => candidate.fingerprint);
}
