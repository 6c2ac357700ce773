/** The content of a rendered summary, before it is written as text or Markdown. */
import type { Sentence } from '@proofmark/domain';

export interface SummaryOutline {
  readonly verdict: Sentence;
  /** Sentences about the whole run, each a paragraph. */
  readonly about: readonly Sentence[];
  /** The identification of the run. */
  readonly run: Sentence;
  /** The address of the run in the console. */
  readonly page?: Sentence | undefined;
  readonly waiver?: Sentence | undefined;
  readonly next?: Sentence | undefined;
  /** Case variants below their threshold. */
  readonly cases: readonly Sentence[];
  /** Case variants that met their threshold, if requested. */
  readonly passedCases: readonly Sentence[];
  readonly trialsHeading?: Sentence | undefined;
  readonly trials: readonly TrialOutline[];
  readonly legend: readonly string[];
  readonly notShown: readonly Sentence[];
}

export interface TrialOutline {
  readonly heading: Sentence;
  /** One entry for each stage in chain order; empty without a chain. */
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
