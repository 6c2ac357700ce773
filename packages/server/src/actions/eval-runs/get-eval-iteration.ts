import { notFound } from '@proofmark/domain';
import { readTrial } from '../../storage/eval-runs/stored-trials.ts';
import { type Action, refuse } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentTrial } from './present-trial.ts';

export const getEvalIteration: Action<'getEvalIteration'> = async (context, { params }) => {
  const [, trial] = await context.tenant((sql) =>
    Promise.all([
      findRun(sql, context.project.id, params.runId),
      readTrial(sql, params.runId, params.iterationId),
    ]),
  );
  return presentTrial(trial ?? refuse(notFound));
};
