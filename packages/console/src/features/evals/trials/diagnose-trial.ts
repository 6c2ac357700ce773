/**
 * What is said about one trial on its own page, by the same rules that say it in the decision of its run. Nothing where
 * the trial passed, and nothing yet while it goes on.
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

/** A chain that did not validate is not sent, only that there was one; read back it must not validate either. */
function chainOf({ stageResultsUnverified }: Trial) {
  return stageResultsUnverified === true ? { stageResults: null } : {};
}
