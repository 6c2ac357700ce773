/** The result of a conformance run, as the command prints it, and the exit code that it means. */
import type { NamedSuite } from './conformance-suite.ts';
import {
  type ConformanceCheck,
  type ScenarioOutcome,
  scenarioOutcomes,
} from './scenario-outcome.ts';

export interface PlayedScenario {
  readonly scenario: string;
  readonly outcome: ScenarioOutcome;
  readonly checks: readonly ConformanceCheck[];
  /** Why the outcome is what it is; only used for people. */
  readonly reasons: readonly string[];
  /** Why there is no answer: the server was not reached, or the suite gave no result. */
  readonly unanswered?: string;
}

export interface ConformanceReport {
  readonly suite: NamedSuite;
  readonly spec: string;
  readonly note: string | null;
  /** Null if the run is not stored. */
  readonly runId: string | null;
  readonly scenarios: readonly ReportedScenario[];
  readonly counts: Readonly<Record<ScenarioOutcome, number>>;
}

export interface ReportedScenario {
  readonly scenario: string;
  readonly outcome: ScenarioOutcome;
  readonly checks: readonly ConformanceCheck[];
  readonly nextAction?: string;
}

export function reportConformance(
  run: Pick<ConformanceReport, 'suite' | 'spec' | 'note' | 'runId'>,
  played: readonly PlayedScenario[],
): ConformanceReport {
  const { suite, spec, note, runId } = run;
  return {
    suite,
    spec,
    note,
    runId,
    scenarios: played.map(({ scenario, outcome, checks, unanswered }) => {
      const nextAction = unanswered ?? nextActions[outcome];
      return { scenario, outcome, checks, ...(nextAction !== undefined && { nextAction }) };
    }),
    counts: countOutcomes(played),
  };
}

/** 1 for an unexpected failure or a stale entry, 3 if anything was not answered, else 0. */
export function exitCodeOfConformance(played: readonly PlayedScenario[]): 0 | 1 | 3 {
  if (played.some(({ outcome }) => outcome === 'failed' || outcome === 'stale')) return 1;
  const isAnswered = ({ outcome, unanswered }: PlayedScenario) =>
    outcome === 'skipped' ? unanswered === undefined : true;
  const isEmpty = played.every(({ outcome }) => outcome === 'skipped');
  return played.every(isAnswered) && !isEmpty ? 0 : 3;
}

export function countOutcomes(
  played: readonly Pick<PlayedScenario, 'outcome'>[],
): ConformanceReport['counts'] {
  const counts = Object.fromEntries(scenarioOutcomes.map((outcome) => [outcome, 0]));
  for (const { outcome } of played) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts as ConformanceReport['counts'];
}

const nextActions: Readonly<Partial<Record<ScenarioOutcome, string>>> = {
  failed:
    'Correct in the server what the failed checks name, or list them in the file of expected failures.',
  stale: 'Remove the entry from the file of expected failures.',
};
