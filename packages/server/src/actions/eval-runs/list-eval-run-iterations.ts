import { listIterations } from '../../storage/eval-runs/eval-iterations.ts';
import { type Action, presentPage } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentIteration } from './present-iteration.ts';

export const listEvalRunIterations: Action<'listEvalRunIterations'> = async (
  context,
  { params, query, page },
) => {
  const [, iterations] = await context.tenant((sql) =>
    Promise.all([
      findRun(sql, context.project.id, params.runId),
      listIterations(sql, params.runId, page, query),
    ]),
  );
  return presentPage(iterations, presentIteration);
};
