/**
 * Reads the results of the official conformance suite of MCP, which writes one file of checks for
 * each scenario. Scenarios of the baseline are expected to fail.
 */
import { isRecord } from '@proofmark/domain';

export interface ScenarioInCi {
  readonly name: string;
  /** The messages of the checks that failed; none if the scenario passed. */
  readonly failed: readonly string[];
  /** Whether the baseline lists the scenario. */
  readonly isExpected: boolean;
}

/** The folder of a scenario, as the suite named it, and the parsed content of its `checks.json`. */
export interface ScenarioFile {
  readonly folder: string;
  readonly checks: unknown;
}

/** `baseline` is the parsed file of expected failures; undefined if there is none. */
export function readConformance(
  files: readonly ScenarioFile[],
  baseline: unknown,
): readonly ScenarioInCi[] {
  const listed = isRecord(baseline) ? baseline['server'] : undefined;
  const expected = new Set(Array.isArray(listed) ? listed.map(String) : []);
  return files
    .flatMap(({ folder, checks }) => {
      if (!Array.isArray(checks)) return [];
      const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      const failed = checks.filter(isRecord).filter(({ status }) => status === 'FAILURE');
      const messages = failed.map(({ id, errorMessage }) =>
        [id, errorMessage].filter((part) => typeof part === 'string').join(': '),
      );
      return [{ name, failed: messages, isExpected: expected.has(name) }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the scenarios that fail the job: those that failed unexpectedly, and stale expectations. */
export function redScenarios(scenarios: readonly ScenarioInCi[]): ScenarioInCi[] {
  return scenarios.filter(({ failed, isExpected }) => failed.length > 0 !== isExpected);
}

/** Whether the suite was wanted and wrote nothing. */
export function wasNotRun(scenarios: readonly ScenarioInCi[] | undefined): boolean {
  return scenarios?.length === 0;
}
