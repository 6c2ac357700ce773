import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import { readSpendingOfTrials } from '../../store/spending-of-run.ts';
import { readTrials } from '../../store/stored-trials.ts';
import { findRun } from './find-run.ts';
import { presentTrial } from './present-trial.ts';

export const listEvalRunIterations: Action<'listEvalRunIterations'> = async (
  context,
  { params, query, page },
) =>
  context.tenant(async (sql) => {
    const [run, trials] = await Promise.all([
      findRun(sql, context.project.id, params.runId),
      readTrials(sql, params.runId, page, query),
    ]);
    // Credits are read only for launched runs, because a reported run was paid for outside this
    // service.
    const paidHere = run.source === 'sdk' ? [] : trials.items;
    const ordinals = paidHere.map(({ ordinal }) => ordinal);
    const spending = await readSpendingOfTrials(sql, run.id, ordinals);
    return presentPage(trials, (trial) =>
      presentTrial(trial, spending.get(trial.ordinal), run.snapshot.overlay),
    );
  });
