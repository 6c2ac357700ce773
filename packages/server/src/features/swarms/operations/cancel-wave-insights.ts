import { stepOfInsights } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { closeNarration, holdInsights, releaseInsights } from '../../insights/index.ts';
import { scopeOfWave } from '../store/waves.ts';
import { findWave } from './find-wave.ts';

export const cancelWaveInsights: Action<'cancelWaveInsights'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: projectId, organizationId } = context.project;
    const { waveId } = params;
    await findWave(sql, projectId, waveId);
    const scopeId = scopeOfWave({ projectId, waveId });
    const of = { organizationId, projectId, kind: 'swarm_wave', scopeId } as const;
    const { state } = await holdInsights(sql, of);
    if (stepOfInsights('swarm_wave', state, 'released').outcome !== 'released') {
      return refuse(notPending);
    }
    await releaseInsights(sql, of);
    await closeNarration(sql, of);
    await recordAudit(sql, context, { action: 'wave.insightsReleased', subjectId: waveId });
    return { waveId, projectId, canceled: true } as const;
  });

const notPending = {
  code: 'CONFLICT',
  message: 'No insights are in progress for this wave, so there is nothing to cancel.',
  details: { reason: 'NOT_PENDING' },
} as const;
