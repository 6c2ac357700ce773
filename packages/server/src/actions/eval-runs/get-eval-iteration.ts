import { notFound } from '@proofmark/domain';
import { readTrial } from '../../storage/eval-runs/stored-trials.ts';
import { readSpendingOfTrials } from '../../storage/spending/spending-of-run.ts';
import { type Action, refuse } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentTrial } from './present-trial.ts';

export const getEvalIteration: Action<'getEvalIteration'> = async (context, { params }) => {
  return context.tenant(async (sql) => {
    const [run, trial = refuse(notFound)] = await Promise.all([
      findRun(sql, context.project.id, params.runId),
      readTrial(sql, params.runId, params.iterationId),
    ]);
    const isLaunched = run.source !== 'sdk';
    const spending = isLaunched
      ? await readSpendingOfTrials(sql, run.id, [trial.ordinal])
      : undefined;
    return presentTrial(trial, spending?.get(trial.ordinal), run.snapshot.overlay);
  });
};
