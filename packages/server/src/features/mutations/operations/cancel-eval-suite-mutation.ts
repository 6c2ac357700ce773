import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { findSuite } from '../../evals/index.ts';
import { endMutation, readMutation } from '../store/mutations.ts';
import { presentMutation } from './present-mutation.ts';

/**
 * Cancels a mutation (a test of the suite against changed servers). Completed parts are kept; the
 * worker notices the cancellation within a moment and stops.
 */
export const cancelEvalSuiteMutation: Action<'cancelEvalSuiteMutation'> = (context, { params }) =>
  context.tenant(async (sql) => {
    await findSuite(sql, context.project.id, params.suiteId);
    const mutation = (await readMutation(sql, params, 'forUpdate')) ?? refuse(notFound);
    const { status } = mutation;
    if (status === 'completed' || status === 'failed') {
      const message = 'This mutation has already ended, so it cannot be cancelled.';
      refuse({ code: 'CONFLICT', message, details: { reason: 'MUTATION_ENDED', status } });
    }
    if (status !== 'cancelled') {
      await endMutation(sql, mutation.id, 'cancelled');
      await recordAudit(sql, context, {
        action: 'evalSuite.mutationCancelled',
        subjectId: mutation.suiteId,
      });
    }
    const ended = await readMutation(sql, params);
    return presentMutation(sql, ended ?? mutation);
  });
