import {
  caseTrials,
  expandCases,
  type Recording,
  type RecordingDurations,
  type TrialToMatch,
  wholeVariants,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { SuiteOfLaunch } from '../operations/runs/plan-launch.ts';
import type { RecordedTrialOfRun } from '../store/recorded-trials.ts';

/** `caseId` is the id of the case in the suite file. */
export interface TrialOfFile extends TrialToMatch {
  /** Absent if the trial cannot be replayed. The trial is still counted. */
  readonly recording?: Recording;
}

/** `caseId` is the id in the imported suite. */
export interface RecordedTrial extends RecordedTrialOfRun {
  /** Absent if no durations were recorded. */
  readonly durations?: RecordingDurations;
  readonly recording: Recording;
}

export interface PlacedTrials {
  readonly trials: readonly RecordedTrial[];
  /**
   * The trials to play, and the trials of variants without a recording file, which are only
   * counted.
   */
  readonly toPlay: readonly TrialToMatch[];
  /**
   * The missing recording files of the suite. If a variant lacks a file, none of its trials is
   * played.
   */
  readonly missing: readonly string[];
}

/**
 * Omits trials whose case the suite no longer has. If a variant lacks a file, its trials are
 * counted but not played.
 */
export function placeTrials(
  { cases, definition }: Pick<SuiteOfLaunch, 'cases' | 'definition'>,
  trials: readonly TrialOfFile[],
  /** If set, overrides each case's number of repetitions in the suite. */
  repetitions: number | undefined,
): PlacedTrials {
  const expanded = expandCases(cases, undefined, sha256Hex);
  if ('refusal' in expanded) throw new Error(expanded.refusal.message);
  const places = new Map(expanded.cases.map((one, index) => [one.declaredId, index]));
  const ofSuite = trials.flatMap((trial) => {
    const caseIndex = places.get(trial.caseId);
    return caseIndex === undefined ? [] : [{ ...trial, caseIndex }];
  });
  const { whole, missing, lacking } = wholeVariants(ofSuite, ({ caseIndex }) => {
    const one = expanded.cases[caseIndex]?.definition ?? {};
    const played = caseTrials({ iterationOverride: repetitions }, one, definition.settings ?? {});
    // A trial plan has no fixed number of repetitions, so the recorded trials determine it.
    return 'repetitions' in played ? played.repetitions : 1;
  });
  const placed = whole.map(({ caseIndex, recording, ...trial }, index) => {
    if (recording === undefined)
      throw new Error(
        'Internal fault: a recording is missing, although the recordings of its case were counted as complete.',
      );
    const caseId = expanded.cases[caseIndex]?.id ?? '';
    // The hash only distinguishes stored recordings, and an in-memory project stores none.
    return { ...trial, caseId, recording, ordinal: index + 1, hash: '' };
  });
  const counted = lacking.map((trial) => {
    const caseIndex = places.get(trial.caseId) as number;
    return { ...trial, caseId: expanded.cases[caseIndex]?.id ?? '' };
  });
  return { missing, trials: placed, toPlay: [...placed, ...counted] };
}
