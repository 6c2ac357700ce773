import type { Scenario } from './scenarios.ts';

export interface Outcome {
  readonly scenario: Scenario;
  /** The number of passed checks; absent if the scenario was not run. */
  readonly passed?: number;
  readonly problems?: readonly string[];
}

export function tableOf(outcomes: readonly Outcome[]): string {
  return `# MCP conformance

The client scenarios of the public suite (\`@modelcontextprotocol/conformance\` 0.1.13), run by \`npm run conformance\` with
the API of a running service as the client. Proofmark never opens a browser: people obtain tokens elsewhere and import
them, and the service finds the issuer, renews them and sends them. Checks about registering a client or about the
authorization request are therefore left out, and scenarios of nothing else are not run. The suite itself counts a check
that is left out as failed.

| Scenario | Result | Note |
|---|---|---|
${outcomes.map(rowOf).join('\n')}
`;
}

function rowOf({ scenario, passed, problems = [] }: Outcome): string {
  const leftOut = scenario.notOurs?.map((id) => `\`${id}\``).join(', ');
  const note = leftOut === undefined ? scenario.note : `${scenario.note} Left out: ${leftOut}.`;
  return `| \`${scenario.name}\` | ${resultOf(passed, problems, scenario)} | ${note} |`;
}

function resultOf(
  passed: number | undefined,
  problems: readonly string[],
  { failedOnPurpose }: Scenario,
): string {
  if (passed === undefined) return 'does not apply';
  if (problems.length > 0) return `failed: ${problems.join('; ').replaceAll('|', '\\|')}`;
  const checks = passed === 1 ? '1 check' : `${passed} checks`;
  if (failedOnPurpose === undefined) return `passed, ${checks}`;
  const failed = failedOnPurpose.map((id) => `\`${id}\``).join(', ');
  return `partly: ${checks} passed; ${failed} failed, on purpose`;
}
