import type { Sentence } from '@proofmark/domain';

export interface SummaryOutline {
  readonly verdict: Sentence;
  readonly about: readonly Sentence[];
  readonly run: Sentence;
  readonly page?: Sentence | undefined;
  readonly waiver?: Sentence | undefined;
  readonly quarantine: readonly Sentence[];
  readonly next?: Sentence | undefined;
  readonly cases: readonly Sentence[];
  readonly passedCases: readonly Sentence[];
  /** True if the passed cases follow directly after the first lines. */
  readonly isTerse?: boolean | undefined;
  readonly trialsHeading?: Sentence | undefined;
  readonly trials: readonly TrialOutline[];
  readonly legend: readonly string[];
  readonly notShown: readonly Sentence[];
}

export interface TrialOutline {
  readonly heading: Sentence;
  /** The six stages with their symbols, in order; empty if the trial has no stage results. */
  readonly strip: readonly string[];
  readonly facts: readonly TrialFact[];
}

export interface TrialFact {
  readonly label:
    | 'Trials'
    | 'Why'
    | 'Check'
    | 'Expected'
    | 'Observed'
    | 'Advice'
    | 'Next'
    | 'Trace';
  readonly text: Sentence;
}
