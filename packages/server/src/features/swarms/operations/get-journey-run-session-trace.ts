import type { OutputOf } from '@proofmark/contract';
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { readSwarmTrace } from '../store/swarm-sessions.ts';

export const getJourneyRunSessionTrace: Action<'getJourneyRunSessionTrace'> = async (
  context,
  { params },
) => {
  const { runId, sessionId } = params;
  const found =
    (await context.tenant((sql) => readSwarmTrace(sql, context.project.id, runId, sessionId))) ??
    refuse(notFound);
  if (found.trace === null) {
    refuse({
      code: 'NOT_FOUND',
      message: 'No turn of this session has been recorded yet.',
      details: { reason: 'TRACE_NOT_AVAILABLE' },
    });
  }
  return found.trace as OutputOf<'getJourneyRunSessionTrace'>;
};
