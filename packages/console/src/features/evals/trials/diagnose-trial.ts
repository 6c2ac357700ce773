/**
 * The explanation of a trial on its own page, by the same rules as in the decision of its run.
 * Undefined if the trial passed or is in progress.
 */
import type { OutputOf } from '@proofmark/contract';
import { type DecisionDiagnostic, listDiagnostics } from '@proofmark/domain';

type Trial = OutputOf<'getEvalIteration'>;

export function diagnoseTrial(
  run: { readonly projectId: string; readonly runId: string },
  trial: Trial,
): DecisionDiagnostic | undefined {
  if (trial.status === 'pending' || trial.status === 'running') return undefined;
  const page = { cursorGiven: false, allTrialsRecorded: true };
  return listDiagnostics(run, [{ ...trial, iterationId: trial.id, ...chainOf(trial) }], page)
    .items[0];
}

/**
 * Returns a null chain, which is invalid as well, for a chain that did not validate and that the
 * service therefore does not send.
 */
function chainOf({ stageResultsUnverified }: Trial) {
  return stageResultsUnverified === true ? { stageResults: null } : {};
}
