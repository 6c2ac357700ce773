/**
 * Explains a trial by the same rules as its run's decision. Returns undefined for a passed trial
 * and for a trial in progress.
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
 * Null means that the service withheld the stage results because they were invalid. The rules
 * distinguish that from absent stage results.
 */
function chainOf({ stageResultsUnverified }: Trial) {
  return stageResultsUnverified === true ? { stageResults: null } : {};
}
