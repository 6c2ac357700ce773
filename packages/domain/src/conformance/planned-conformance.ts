/**
 * The plan of a conformance run: a server contract with one case for each scenario and one trial
 * for each case. The cases have no steps, because the suite plays them.
 */
import { resolveMatchOptions } from '../assertions/match-options.ts';
import { type RunTerms, resolveTerms } from '../ingestion/run-terms.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import type { RunPlan } from '../suites/run-plan.ts';
import type { ExpectedFailures } from './expected-failures.ts';
import type { PlannedConformance } from './planned-scenario.ts';
import { appliesTo, type ScenarioToPlay } from './requirement-set.ts';

export interface ConformanceToPlan extends PlannedConformance {
  readonly evalSuite: RunPlan['suite'];
  readonly server: { readonly id: string; readonly name: string; readonly url: string };
  readonly scenarios: readonly ScenarioToPlay[];
  readonly expected: ExpectedFailures;
  readonly limits: RunPlan['limits'];
  caseIdOf(scenario: string): string;
}

export function planConformance({
  evalSuite,
  server,
  scenarios,
  expected,
  limits,
  caseIdOf,
  ...conformance
}: ConformanceToPlan): RunPlan {
  return {
    planVersion: 1,
    suite: evalSuite,
    cases: scenarios.map((one) => planScenario(one, caseIdOf(one.scenario), server.url, expected)),
    servers: [{ id: server.id, name: server.name }],
    client: { config: { modelId: '', clientCapabilities: {}, hostContext: {} } },
    skills: [],
    recordings: 'off',
    conformance,
    warnings: [],
    limits,
  };
}

/** Scenarios without a result do not count, since the requirement set may not score them. */
export function termsOfConformance(): RunTerms {
  return resolveTerms({ verdictPolicy: {}, skipped: 'ignore' });
}

export function suiteNameOfConformance(spec: string, serverName: string): string {
  return `Conformance ${spec}: ${serverName}`.slice(0, longestName);
}

const longestName = 200;

/** The identity of a scenario's case within its suite. */
export function caseKeyOfScenario(scenario: string): string {
  return `conformance:${scenario}`;
}

function planScenario(
  stated: ScenarioToPlay,
  caseId: string,
  serverUrl: string,
  baseline: ExpectedFailures,
): PlannedCase {
  const { scenario, isScored } = stated;
  const expected = baseline.get(scenario);
  return {
    caseId,
    caseKey: caseKeyOfScenario(scenario),
    declaredId: scenario,
    title: scenario,
    steps: [],
    isNegative: false,
    matchOptions: resolveMatchOptions(),
    assertions: [],
    failOnToolError: true,
    passThreshold: 1,
    variants: [{ repetitions: 1 }],
    conformance: {
      scenario,
      isScored,
      ...(expected !== undefined && { expected }),
      ...(!appliesTo(stated, serverUrl) && { isLeftOut: true as const }),
    },
  };
}
