import type { RecordedHistory } from '@proofmark/domain';

/** Returns one character for each result: 1 for a passed trial, 0 for a failed one. */
export function textOfTurns({ ofPassed, ofFailed }: RecordedHistory['results']): string {
  const sequences = [
    ...ofPassed.map((end) => ({ ...end, sign: '1' })),
    ...ofFailed.map((end) => ({ ...end, sign: '0' })),
  ];
  return sequences
    .sort((one, other) => one.trials - other.trials)
    .map(({ sign, length }) => sign.repeat(length))
    .join('');
}
