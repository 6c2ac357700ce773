import { readTrials } from '../../storage/eval-runs/stored-trials.ts';
import { type Action, presentPage } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentTrial } from './present-trial.ts';

export const listEvalRunIterations: Action<'listEvalRunIterations'> = async (
  context,
  { params, query, page },
) => {
  const [, trials] = await context.tenant((sql) =>
    Promise.all([
      findRun(sql, context.project.id, params.runId),
      readTrials(sql, params.runId, page, query),
    ]),
  );
  return presentPage(trials, presentTrial);
};
