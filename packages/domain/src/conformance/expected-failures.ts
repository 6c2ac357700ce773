/**
 * The baseline: failures of a server that are known, in the format of the suite's own file. An
 * entry names a scenario (`ping`) or one check of it (`ping:ping-answered`). A scenario listed both
 * ways is refused, because the whole entry excuses every check.
 */
import { isRecord } from '../kernel/json.ts';

/** By scenario: `whole`, or the ids of the checks that may fail. */
export type ExpectedFailures = ReadonlyMap<string, ExpectedFailure>;
export type ExpectedFailure = 'whole' | readonly string[];

export type ReadExpectedFailures =
  | { readonly expected: ExpectedFailures }
  | { readonly problem: string };

/** Reads the content of a file, in which `server` lists the entries for servers. */
export function expectedFailuresOfFile(content: unknown): ReadExpectedFailures {
  if (content === null || content === undefined) return { expected: new Map() };
  if (!isRecord(content)) {
    return { problem: 'The file of expected failures must have the key "server" with a list.' };
  }
  const { server = [] } = content;
  if (!Array.isArray(server)) {
    return { problem: '"server" must be a list of scenarios in the file of expected failures.' };
  }
  return readExpectedFailures(server);
}

export function readExpectedFailures(entries: readonly unknown[]): ReadExpectedFailures {
  const whole = new Set<string>();
  const checks = new Map<string, string[]>();
  for (const entry of entries) {
    const read = readEntry(entry);
    if ('problem' in read) return read;
    const { scenario, checkId } = read;
    if (checkId === undefined) whole.add(scenario);
    else checks.set(scenario, [...(checks.get(scenario) ?? []), checkId]);
  }
  for (const [scenario, [first]] of checks) {
    if (!whole.has(scenario)) continue;
    return {
      problem: `"${scenario}" is expected to fail as a whole, so "${scenario}:${first}" is redundant; remove one of them.`,
    };
  }
  const expected = new Map<string, ExpectedFailure>(checks);
  for (const scenario of whole) expected.set(scenario, 'whole');
  return { expected };
}

function readEntry(
  entry: unknown,
): { readonly scenario: string; readonly checkId?: string } | { readonly problem: string } {
  if (typeof entry !== 'string' && typeof entry !== 'number') {
    return { problem: `${shown(entry)} is no entry: ${howToWrite(entry)}` };
  }
  const text = String(entry).trim();
  const colon = text.indexOf(':');
  if (colon < 0 && text !== '') return { scenario: text };
  const scenario = text.slice(0, colon);
  const checkId = text.slice(colon + 1);
  if (colon < 0 || scenario === '' || checkId === '') {
    return { problem: `${shown(entry)} is no entry: ${howToWrite(undefined)}` };
  }
  return { scenario, checkId };
}

function howToWrite(entry: unknown): string {
  const [pair] = isRecord(entry) ? Object.entries(entry) : [];
  return pair === undefined
    ? 'write the name of a scenario, or "scenario:check-id".'
    : `write "${pair[0]}:${String(pair[1])}" without a space after the colon.`;
}

function shown(entry: unknown): string {
  return (JSON.stringify(entry) ?? 'An empty line').slice(0, 200);
}
