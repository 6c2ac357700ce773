/**
 * The status of a trial in words. A test that a reporter skipped and a replay that was stopped have
 * the same status. The chain of a replay has no category, and its error names the divergence or the
 * missing recording.
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

/** Returns the status of the trial; for a stopped replay `diverged` or `notRecorded`. */
export function toldStatus({ status, stageResults, failureCategory, error }: EndedTrial): string {
  const isReplay =
    status === 'skipped' && stageResults !== undefined && failureCategory === undefined;
  if (!isReplay) return status;
  return error === notRecordedMessage ? 'notRecorded' : 'diverged';
}

/** Returns the result, or the status if there is none; undefined for an unknown status. */
export function trialEndWords(
  trial: EndedTrial & { readonly result?: string | null | undefined },
): string | undefined {
  if (trial.result != null) return trial.result;
  const told = toldStatus(trial);
  const known = [...trialStatuses, 'diverged', 'notRecorded'] as const;
  const word = known.find((one) => one === told);
  return word && endWords[word];
}
