/**
 * How a trial ended, in words. One that a reporter skipped and a replay that was ended have one status; a replay is not put
 * down to anything, so its chain has no category, and its error says where it went another way or that nothing was recorded.
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

/** The status of the trial; `diverged` or `notRecorded` of a replay that was ended. */
export function toldStatus({ status, stageResults, failureCategory, error }: EndedTrial): string {
  const isReplay =
    status === 'skipped' && stageResults !== undefined && failureCategory === undefined;
  if (!isReplay) return status;
  return error === notRecordedMessage ? 'notRecorded' : 'diverged';
}

/** Its result, or how it ended without one; nothing for a status that nobody knows. */
export function trialEndWords(
  trial: EndedTrial & { readonly result?: string | null | undefined },
): string | undefined {
  if (trial.result != null) return trial.result;
  const told = toldStatus(trial);
  const known = [...trialStatuses, 'diverged', 'notRecorded'] as const;
  const word = known.find((one) => one === told);
  return word && endWords[word];
}
