import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { readSpendingOfTrials } from '../../store/spending-of-run.ts';
import { readTrial } from '../../store/stored-trials.ts';
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
