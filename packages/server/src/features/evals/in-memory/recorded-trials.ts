/** Trials of recording files, placed in the suite that they are to be played in. */
import {
  caseRepetitions,
  expandCases,
  type Recording,
  type RecordingDurations,
  type TrialToMatch,
  wholeVariants,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { SuiteOfLaunch } from '../operations/runs/plan-launch.ts';
import type { RecordedTrialOfRun } from '../store/recorded-trials.ts';

/** `caseId` is the id that the file of the suite gives the case. */
export interface TrialOfFile extends TrialToMatch {
  /** Absent where it cannot be played: it counts all the same. */
  readonly recording?: Recording;
}

/** A trial that can be replayed; `caseId` is that of the suite here. */
export interface RecordedTrial extends RecordedTrialOfRun {
  /** Absent where nobody noted how long things took. */
  readonly durations?: RecordingDurations;
  readonly recording: Recording;
}

export interface PlacedTrials {
  readonly trials: readonly RecordedTrial[];
  /** With those of variants that lack a file, which a replay counts. */
  readonly toPlay: readonly TrialToMatch[];
  /** Files that the suite asks for: of what lacks one, nothing is there. */
  readonly missing: readonly string[];
}

/** Trials of cases that the suite does not have are left out. Those of variants that lack a file are counted alone. */
export function placeTrials(
  { cases, definition }: Pick<SuiteOfLaunch, 'cases' | 'definition'>,
  trials: readonly TrialOfFile[],
  /** How often each case is to be played, where that is not for the suite to say. */
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
    const ofCase = expanded.cases[caseIndex]?.definition.iterations;
    return caseRepetitions({ ofRun: repetitions, ofCase }, definition.settings ?? {});
  });
  const placed = whole.map(({ caseIndex, recording, ...trial }, index) => {
    if (recording === undefined) throw new Error('A variant that is whole lacks a recording.');
    const caseId = expanded.cases[caseIndex]?.id ?? '';
    // Contents are told apart by who stores them, and here nobody does.
    return { ...trial, caseId, recording, ordinal: index + 1, hash: '' };
  });
  const counted = lacking.map((trial) => {
    const caseIndex = places.get(trial.caseId) as number;
    return { ...trial, caseId: expanded.cases[caseIndex]?.id ?? '' };
  });
  return { missing, trials: placed, toPlay: [...placed, ...counted] };
}
