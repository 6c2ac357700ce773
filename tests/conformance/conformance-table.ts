export interface ClientOutcome {
  readonly name: string;
  readonly revision: string;
  readonly note: string;
  /** Checks of a step that the service never performs. */
  readonly leftOut: readonly string[];
  readonly known?: readonly string[];
  /** The number of passed checks; absent if the scenario was not run. */
  readonly passed?: number;
  readonly problems?: readonly string[];
}

export interface ServerOutcome {
  readonly name: string;
  readonly revision: string;
  readonly note: string;
  readonly leftOut: readonly string[];
  readonly isScored: boolean;
  readonly passed: number;
  readonly problems: readonly string[];
}

export function tablesOf(
  version: string,
  clients: readonly ClientOutcome[],
  servers: readonly ServerOutcome[],
): string {
  const revisions = [...new Set(clients.map(({ revision }) => revision))];
  return `# MCP conformance

The scenarios of the public suite (\`@modelcontextprotocol/conformance\` ${version}) in both roles, made by \`npm run conformance\`:
our client through the API of a running service, and our own server \`/mcp\`. To test your own server, see
[conformance of a server](../guides/conformance.md).

Proofmark never opens a browser: people obtain tokens elsewhere and import them, and the service finds the issuer,
renews them and sends them. Checks about registering a client or about the authorization request are therefore left out,
and scenarios of nothing else are named as missing. The suite itself counts a check that is left out as failed.

${revisions.map((revision) => clientTable(clients, revision)).join('\n\n')}

## Our server

Our server has tools only, and none of the suite's example. Scenarios that call a tool, prompt or resource of that
example say nothing about it and are not run.

| Scenario | Revision | Result | Note |
|---|---|---|---|
${servers.map(serverRow).join('\n')}
`;
}

function clientTable(all: readonly ClientOutcome[], revision: string): string {
  const outcomes = all.filter((one) => one.revision === revision);
  const run = outcomes.filter(({ passed }) => passed !== undefined);
  const whole = run.filter(({ problems = [], known = [] }) => problems.length + known.length === 0);
  return `## Our client at ${revision}

${outcomes.length} scenarios: ${whole.length} pass, ${run.length - whole.length} pass in part or fail, ${outcomes.length - run.length} are missing.

| Scenario | Result | Note |
|---|---|---|
${outcomes.map(clientRow).join('\n')}`;
}

function clientRow(outcome: ClientOutcome): string {
  const { name, leftOut, note, passed } = outcome;
  const said = passed === undefined ? note : withLeftOut(note, leftOut);
  return `| \`${name}\` | ${resultOf(outcome)} | ${said} |`;
}

function withLeftOut(note: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return note;
  return `${note} Left out: ${leftOut.map((id) => `\`${id}\``).join(', ')}.`;
}

function resultOf({ passed, problems = [], known = [] }: ClientOutcome): string {
  if (passed === undefined) return 'missing';
  if (problems.length > 0) return `failed: ${cell(problems)}`;
  const checks = count(passed);
  if (known.length === 0) return `passed, ${checks}`;
  return `partly: ${checks} passed; ${known.map((id) => `\`${id}\``).join(', ')} failed`;
}

function serverRow(outcome: ServerOutcome): string {
  const { name, revision, note, leftOut, isScored, passed, problems } = outcome;
  const good = passed === 0 ? 'nothing to check: it has no sessions' : `passed, ${count(passed)}`;
  const result = problems.length > 0 ? `failed: ${cell(problems)}` : good;
  const scored = isScored ? '' : ' (not scored)';
  return `| \`${name}\` | ${revision} | ${result}${scored} | ${withLeftOut(note, leftOut)} |`;
}

function count(checks: number): string {
  return checks === 1 ? '1 check' : `${checks} checks`;
}

function cell(problems: readonly string[]): string {
  return problems.join('; ').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
