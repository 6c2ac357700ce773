/**
 * The status of a trial in words. A skipped test of a reporter and a stopped replay share the
 * status `skipped`. A replay is recognised by a chain without category; its error tells whether it
 * diverged or was not recorded.
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

/** Returns the status of the trial; `diverged` or `notRecorded` for a stopped replay. */
export function toldStatus({ status, stageResults, failureCategory, error }: EndedTrial): string {
  const isReplay =
    status === 'skipped' && stageResults !== undefined && failureCategory === undefined;
  if (!isReplay) return status;
  return error === notRecordedMessage ? 'notRecorded' : 'diverged';
}

/**
 * Returns the result in words, or the status if there is no result; undefined for an unknown
 * status.
 */
export function trialEndWords(
  trial: EndedTrial & { readonly result?: string | null | undefined },
): string | undefined {
  if (trial.result != null) return trial.result;
  const told = toldStatus(trial);
  const known = [...trialStatuses, 'diverged', 'notRecorded'] as const;
  const word = known.find((one) => one === told);
  return word && endWords[word];
}
