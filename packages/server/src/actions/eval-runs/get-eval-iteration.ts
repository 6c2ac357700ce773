import { notFound } from '@proofmark/domain';
import { findIteration } from '../../storage/eval-runs/eval-iterations.ts';
import { type Action, refuse } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentIteration } from './present-iteration.ts';

export const getEvalIteration: Action<'getEvalIteration'> = async (context, { params }) => {
  const [, iteration] = await context.tenant((sql) =>
    Promise.all([
      findRun(sql, context.project.id, params.runId),
      findIteration(sql, params.runId, params.iterationId),
    ]),
  );
  return presentIteration(iteration ?? refuse(notFound));
};
