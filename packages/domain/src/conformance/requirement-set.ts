/**
 * The scenarios of a run: those that the requirement set of a revision names for servers. Scenarios
 * that it does not score are played and reported too.
 */
import { isRecord } from '../kernel/json.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';

export interface ScenarioToPlay {
  readonly scenario: string;
  readonly isScored: boolean;
}

/** Reads a requirement set of the package. Returns undefined if it has another shape. */
export function readRequirementSet(content: unknown): ScenarioToPlay[] | undefined {
  if (!isRecord(content)) return undefined;
  const { server, not_scored: others = [] } = content;
  if (!areNames(server) || !Array.isArray(others)) return undefined;
  const notScored = others
    .filter(isRecord)
    .filter(({ leg }) => leg === 'server')
    .map(({ scenario }) => scenario);
  if (!areNames(notScored)) return undefined;
  return [...scored(server, true), ...scored(notScored, false)];
}

/**
 * Reads the list of scenarios that a version without requirement sets prints. Two of them are
 * pending there: no server of the suite's authors passes them.
 */
export function readListedScenarios(printed: string): ScenarioToPlay[] {
  const names = [...printed.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map(([, name = '']) => name);
  return names.map((scenario) => ({ scenario, isScored: !pending.includes(scenario) }));
}

const pending: readonly string[] = ['json-schema-2020-12', 'server-sse-polling'];

export function chooseScenarios(
  all: readonly ScenarioToPlay[],
  named: readonly string[] | undefined,
  path: string,
): { readonly scenarios: readonly ScenarioToPlay[] } | { readonly refusal: Refusal } {
  if (named === undefined || named.length === 0) return { scenarios: all };
  const unknown = named.find((name) => !all.some(({ scenario }) => scenario === name));
  if (unknown === undefined) {
    return { scenarios: all.filter(({ scenario }) => named.includes(scenario)) };
  }
  const known = all.map(({ scenario }) => scenario).join(', ');
  const message = `The suite has no scenario ${JSON.stringify(unknown)} for servers at this revision. It has: ${known}.`;
  return { refusal: invalid(path, message, { reason: 'UNKNOWN_SCENARIO' }) };
}

/**
 * A scenario about servers that are reached on the same machine without TLS. Any other server
 * rightly fails it, so it is left out there.
 */
export function appliesTo({ scenario }: ScenarioToPlay, serverUrl: string): boolean {
  if (scenario !== 'dns-rebinding-protection') return true;
  const { protocol, hostname } = new URL(serverUrl);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function scored(names: readonly string[], isScored: boolean): ScenarioToPlay[] {
  return names.map((scenario) => ({ scenario, isScored }));
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && isName(one));
}

/** Names become parts of commands and file names. */
function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,127}$/.test(text);
}
