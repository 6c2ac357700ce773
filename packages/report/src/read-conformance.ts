/**
 * Reads the results of the official conformance suite of MCP, which writes one file of checks for
 * each scenario. Scenarios of the baseline are expected to fail.
 */
import { isRecord } from '@proofmark/domain';

export interface ScenarioInCi {
  readonly name: string;
  /** The messages of the checks that failed; none if the scenario passed. */
  readonly failed: readonly string[];
  /** False if the suite wrote no result, since it could not run the scenario. */
  readonly isAnswered: boolean;
  /** Whether the baseline lists the scenario. */
  readonly isExpected: boolean;
}

/** The folder of a scenario, as the suite named it, and the parsed content of its `checks.json`. */
export interface ScenarioFile {
  readonly folder: string;
  readonly checks: unknown;
}

/** The results of the suite, and the exit code that `ci.sh` derived from its exit code. */
export interface ConformanceInCi {
  readonly scenarios: readonly ScenarioInCi[];
  readonly exitCode: number;
}

/**
 * `baseline` is the parsed file of expected failures; undefined if there is none. With a baseline, the
 * suite counts warnings as failures.
 */
export function readConformance(
  files: readonly ScenarioFile[],
  baseline: unknown,
): readonly ScenarioInCi[] {
  const listed = isRecord(baseline) ? baseline['server'] : undefined;
  const red = new Set<unknown>(baseline === undefined ? ['FAILURE'] : ['FAILURE', 'WARNING']);
  const expected = new Set(Array.isArray(listed) ? listed.map(String) : []);
  return files
    .map(({ folder, checks }) => {
      const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      const isExpected = expected.has(name);
      if (!Array.isArray(checks)) {
        return { name, failed: [withoutResult], isAnswered: false, isExpected };
      }
      const failed = checks.filter(isRecord).filter(({ status }) => red.has(status));
      const messages = failed.map(({ id, errorMessage }) =>
        [id, errorMessage].filter((part) => typeof part === 'string').join(': '),
      );
      return { name, failed: messages, isAnswered: true, isExpected };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The suite creates the folder of a scenario first, and writes nothing if the scenario then throws. */
const withoutResult = 'The suite could not run this scenario.';

/** Returns the scenarios that fail the job: those that failed unexpectedly, and stale expectations. */
export function redScenarios(scenarios: readonly ScenarioInCi[]): ScenarioInCi[] {
  return scenarios.filter(({ failed, isExpected }) => failed.length > 0 !== isExpected);
}

/** Returns whether the suite was wanted and has no result, as if the server could not be reached. */
export function wasNotRun(conformance: ConformanceInCi | undefined): boolean {
  return conformance !== undefined && !conformance.scenarios.some(({ isAnswered }) => isAnswered);
}
