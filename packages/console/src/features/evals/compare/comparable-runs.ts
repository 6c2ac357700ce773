/** Decides with which runs of its suite a run can be compared. */
import type { EvalRun } from '@proofmark/contract';
import { isRunEnded } from '../runs/follow-run.ts';
import { runWords } from '../runs/run-words.ts';

/** Returns whether the suite may have an earlier run: false for its first run. */
export function mayHaveRunBefore({ runNumber }: Pick<EvalRun, 'runNumber'>): boolean {
  return runNumber > 1;
}

export function comparableRuns<One extends Pick<EvalRun, 'id' | 'status'>>(
  runs: readonly One[],
  runId: string,
): One[] {
  return runs.filter(({ id, status }) => id !== runId && isRunEnded(status));
}

type Told = Parameters<typeof runWords>[0] & Pick<EvalRun, 'runNumber' | 'replay' | 'overlay'>;

export function comparableRunWords(run: Told): string {
  return [`run ${run.runNumber}`, runWords(run).word, ...runKinds(run)].join(', ');
}

/** Returns "replay" and "what-if" if they apply: such runs do not measure the suite as it is. */
export function runKinds({ replay, overlay }: Pick<EvalRun, 'replay' | 'overlay'>): string[] {
  return [
    ...(replay === undefined ? [] : ['replay']),
    ...(overlay === undefined ? [] : ['what-if']),
  ];
}
