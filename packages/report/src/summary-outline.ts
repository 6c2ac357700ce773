/** The content of a rendered summary before it is formatted as text or Markdown. */
import type { Sentence } from '@proofmark/domain';

export interface SummaryOutline {
  readonly verdict: Sentence;
  /** The sentences about the whole run; each becomes a paragraph. */
  readonly about: readonly Sentence[];
  /** The line that identifies the run. */
  readonly run: Sentence;
  /** The URL of the run in the console. */
  readonly page?: Sentence | undefined;
  readonly waiver?: Sentence | undefined;
  /** What the quarantine let through, and its entries that fail the gate. */
  readonly quarantine: readonly Sentence[];
  readonly next?: Sentence | undefined;
  /** The case variants that are below their threshold. */
  readonly cases: readonly Sentence[];
  /** The case variants that met their threshold, if the caller wants them. */
  readonly passedCases: readonly Sentence[];
  /** Whether the passed cases follow the first lines at once, because there is nothing between. */
  readonly isTerse?: boolean | undefined;
  readonly trialsHeading?: Sentence | undefined;
  readonly trials: readonly TrialOutline[];
  readonly legend: readonly string[];
  readonly notShown: readonly Sentence[];
}

export interface TrialOutline {
  readonly heading: Sentence;
  /** The six stages with their symbols, in order; empty if there is no chain. */
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
