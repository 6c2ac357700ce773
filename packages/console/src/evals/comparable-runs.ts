/** Which runs of a suite a run can be put beside. */
import type { EvalRun } from '@proofmark/contract';
import { isRunEnded } from './follow-run.ts';

/** The first run of a suite has none before it. */
export function mayHaveRunBefore({ runNumber }: Pick<EvalRun, 'runNumber'>): boolean {
  return runNumber > 1;
}

export function comparableRuns<One extends Pick<EvalRun, 'id' | 'status'>>(
  runs: readonly One[],
  runId: string,
): One[] {
  return runs.filter(({ id, status }) => id !== runId && isRunEnded(status));
}
