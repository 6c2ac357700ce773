import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findSuite } from '../../evals/index.ts';
import { readMutation } from '../store/mutations.ts';
import { presentMutation } from './present-mutation.ts';

export const getEvalSuiteMutation: Action<'getEvalSuiteMutation'> = (context, { params }) =>
  context.tenant(async (sql) => {
    await findSuite(sql, context.project.id, params.suiteId);
    const mutation = (await readMutation(sql, params)) ?? refuse(notFound);
    return presentMutation(sql, mutation);
  });
