/**
 * Reads what `proofmark conformance --json` printed: the scenarios of the official conformance suite
 * of MCP, of one revision or of several.
 */
import { isRecord, type ScenarioOutcome, scenarioOutcomes } from '@proofmark/domain';

export interface ScenarioInCi {
  readonly name: string;
  readonly outcome: ScenarioOutcome;
  /** The messages of the checks that failed. */
  readonly failed: readonly string[];
  /** Why there is no answer; undefined if there is one. */
  readonly unanswered?: string;
}

/** The results of the suite, and the exit code of the command. */
export interface ConformanceInCi {
  readonly scenarios: readonly ScenarioInCi[];
  readonly exitCode: number;
}

/** `printed` is undefined if the command printed no JSON. */
export function readConformance(printed: unknown): readonly ScenarioInCi[] {
  const reports = (Array.isArray(printed) ? printed : [printed]).filter(isRecord);
  return reports.flatMap(({ spec, scenarios }) => {
    const prefix = reports.length > 1 && typeof spec === 'string' ? `${spec} ` : '';
    return Array.isArray(scenarios) ? scenarios.filter(isRecord).map(scenarioOf(prefix)) : [];
  });
}

function scenarioOf(prefix: string) {
  return (one: Readonly<Record<string, unknown>>): ScenarioInCi => {
    const { scenario, outcome, checks, nextAction } = one;
    const known = scenarioOutcomes.find((word) => word === outcome) ?? 'skipped';
    const isUnanswered = known === 'skipped' && typeof nextAction === 'string';
    return {
      name: `${prefix}${String(scenario)}`,
      outcome: known,
      failed: (Array.isArray(checks) ? checks.filter(isRecord) : [])
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, message }) => [id, message].filter(isText).join(': ')),
      ...(isUnanswered && { unanswered: nextAction }),
    };
  };
}

function isText(part: unknown): part is string {
  return typeof part === 'string';
}

/** Returns the scenarios that fail the job: those that failed unexpectedly, and stale expectations. */
export function redScenarios(scenarios: readonly ScenarioInCi[]): ScenarioInCi[] {
  return scenarios.filter(({ outcome }) => outcome === 'failed' || outcome === 'stale');
}

/** Returns whether the suite was wanted and has no result, as if the server could not be reached. */
export function wasNotRun(conformance: ConformanceInCi | undefined): boolean {
  if (conformance === undefined) return false;
  return conformance.scenarios.every(({ unanswered }) => unanswered !== undefined);
}
