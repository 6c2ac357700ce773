import { notFound } from '@proofmark/domain';
import { readMutation } from '../../storage/eval-suites/mutations.ts';
import { type Action, refuse } from '../action.ts';
import { findSuite } from './find-suite.ts';
import { presentMutation } from './present-mutation.ts';

export const getEvalSuiteMutation: Action<'getEvalSuiteMutation'> = (context, { params }) =>
  context.tenant(async (sql) => {
    await findSuite(sql, context.project.id, params.suiteId);
    const mutation = (await readMutation(sql, params)) ?? refuse(notFound);
    return presentMutation(sql, mutation);
  });
