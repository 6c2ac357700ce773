/** The parts of a run's plan that only runs of the conformance suite have. */
import type { NamedSuite } from './conformance-suite.ts';
import type { ExpectedFailure } from './expected-failures.ts';

export interface PlannedConformance {
  readonly suite: NamedSuite;
  readonly spec: string;
  readonly note: string | null;
  readonly hasBaseline: boolean;
}

export interface PlannedScenario {
  readonly scenario: string;
  readonly isScored: boolean;
  readonly expected?: ExpectedFailure;
  /** Set if the scenario says nothing about this server, so that it is not played. */
  readonly isLeftOut?: true;
}
