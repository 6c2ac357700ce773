/**
 * Shows the progress of a test's run: a line for each case at a terminal, otherwise an occasional
 * sentence.
 */
import { printNotice } from '../../output.ts';
import { followRun } from '../../remote/follow-run.ts';
import { type Around, isLive, watchLive } from '../../remote/watch-run.ts';
import type { Course } from './test-suite.ts';

const silenceMs = 15_000;

export function followTest(signals: NonNullable<Around['signals']>): Course['follow'] {
  return (connection, runId, name) =>
    isLive(process.stderr, process.env)
      ? watchLive(connection, runId, { name, signals })
      : followRun(
          connection,
          runId,
          seldom((sentence) => printNotice(`${name}: ${sentence}`)),
        );
}

export function seldom(
  print: (sentence: string) => void,
  clock: () => number = () => performance.now(),
): (sentence: string) => void {
  let printedAtMs = clock();
  return (sentence) => {
    if (clock() - printedAtMs < silenceMs) return;
    printedAtMs = clock();
    print(sentence);
  };
}
