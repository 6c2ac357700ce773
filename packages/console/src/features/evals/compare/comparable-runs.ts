import type { EvalRun } from '@proofmark/contract';
import { isRunEnded } from '../runs/follow-run.ts';
import { runWords } from '../runs/run-words.ts';

/** False for the first run of a suite. */
export function mayHaveRunBefore({ runNumber }: Pick<EvalRun, 'runNumber'>): boolean {
  return runNumber > 1;
}

export function comparableRuns<One extends Pick<EvalRun, 'id' | 'status'>>(
  runs: readonly One[],
  runId: string,
): One[] {
  return runs.filter(({ id, status }) => id !== runId && isRunEnded(status));
}

type DescribedRun = Parameters<typeof runWords>[0] &
  Pick<EvalRun, 'runNumber' | 'replay' | 'overlay'>;

export function comparableRunWords(run: DescribedRun): string {
  return [`run ${run.runNumber}`, runWords(run).word, ...runKinds(run)].join(', ');
}

/**
 * Returns labels for a replay and a what-if run, because such runs do not measure the suite as it
 * is.
 */
export function runKinds({ replay, overlay }: Pick<EvalRun, 'replay' | 'overlay'>): string[] {
  return [
    ...(replay === undefined ? [] : ['replay']),
    ...(overlay === undefined ? [] : ['what-if']),
  ];
}
