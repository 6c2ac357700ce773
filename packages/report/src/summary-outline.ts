/** What a rendered summary consists of, before it is written as text or as Markdown. */
import type { Sentence } from '@proofmark/domain';

export interface SummaryOutline {
  readonly verdict: Sentence;
  /** Sentences about the whole run, each its own paragraph. */
  readonly about: readonly Sentence[];
  /** Which run it is. */
  readonly run: Sentence;
  /** Where the console shows it. */
  readonly page?: Sentence | undefined;
  readonly waiver?: Sentence | undefined;
  readonly next?: Sentence | undefined;
  /** Case variants below their threshold. */
  readonly cases: readonly Sentence[];
  /** Those that met it, where they are asked for. */
  readonly passedCases: readonly Sentence[];
  readonly trialsHeading?: Sentence | undefined;
  readonly trials: readonly TrialOutline[];
  readonly legend: readonly string[];
  readonly notShown: readonly Sentence[];
}

export interface TrialOutline {
  readonly heading: Sentence;
  /** One entry for each stage in chain order; empty when there is no chain to show. */
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
