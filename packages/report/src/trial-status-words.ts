/**
 * The status of a trial in words. Skipped tests of reporters and stopped replays share the status
 * `skipped`. A stopped replay has stage results without a failure category. Its error tells whether
 * it diverged or was not recorded.
 */
import {
  endWords,
  notRecordedMessage,
  type StageResultRow,
  trialStatuses,
} from '@proofmark/domain';

export interface EndedTrial {
  readonly status: string;
  readonly stageResults?: readonly StageResultRow[] | undefined;
  readonly failureCategory?: string | undefined;
  readonly error?: string | null | undefined;
}

/** Returns `diverged` or `notRecorded` for a stopped replay, otherwise the status. */
export function shownStatus({ status, stageResults, failureCategory, error }: EndedTrial): string {
  const isReplay =
    status === 'skipped' && stageResults !== undefined && failureCategory === undefined;
  if (!isReplay) return status;
  return error === notRecordedMessage ? 'notRecorded' : 'diverged';
}

/**
 * Returns the result or, without a result, the status in words. Undefined for an unknown status.
 */
export function trialEndWords(
  trial: EndedTrial & { readonly result?: string | null | undefined },
): string | undefined {
  if (trial.result != null) return trial.result;
  const shown = shownStatus(trial);
  const known = [...trialStatuses, 'diverged', 'notRecorded'] as const;
  const word = known.find((one) => one === shown);
  return word && endWords[word];
}
