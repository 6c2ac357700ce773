/**
 * Reads the JSON output of the commands in a CI job. If a file is missing or has another shape, its
 * part of the report is omitted.
 */
import {
  count,
  isRecord,
  type Json,
  type ServerDifference,
  type Stage,
  stages,
  surfaceDifference,
} from '@proofmark/domain';
import type { CaseInCi, CiResults, FindingInCi, ServerTokens } from './pull-request-report.ts';
import { type ConformanceInCi, redScenarios, wasNotRun } from './read-conformance.ts';

/** The parsed files; undefined if absent. */
export interface CiFiles {
  /** The output of `test --json FILE`. */
  readonly test?: unknown;
  /** The output of `lint --json`. */
  readonly lint?: unknown;
  /**
   * The output of `lint --json` with the tools of the base branch; absent if its servers could not
   * be started.
   */
  readonly base?: unknown;
  readonly conformance?: CiResults['conformance'];
  readonly log?: string | undefined;
  /**
   * The base branch's surface files, which pin the tools of servers. Pinned tools take precedence
   * over the tools that a server lists now.
   */
  readonly pins?: readonly unknown[];
}

export function readCiResults(
  { test, lint, base, conformance, log, pins = [] }: CiFiles,
  { exitCode, page }: { readonly exitCode: number; readonly page?: string | undefined },
): CiResults {
  const findings = readFindings(lint);
  const now = readServers(lint);
  const ofBase = [base, ...pins];
  const before = eachOnce(
    ofBase.flatMap((one) => readServers(one) ?? []),
    ({ name }) => name,
  );
  const tokensBefore = eachOnce(
    ofBase.flatMap((one) => readTokens(one) ?? []),
    ({ serverName }) => serverName,
  );
  // A pin covers only the servers that it contains.
  const knowsPartOfBase = !isRecord(base);
  const compared = knowsPartOfBase
    ? now?.filter(({ name }) => before.some((one) => one.name === name))
    : now;
  return {
    verdict: verdictOf(test, exitCode),
    headline: headlineOf(test, { findings, conformance, exitCode, log }),
    cases: readCases(test),
    findings,
    conformance,
    isPinned: isRecord(lint) && lint['pinned'] === true,
    differences: compared && before.length > 0 ? difference(before, compared) : undefined,
    tokens: readTokens(lint),
    tokensBefore: tokensBefore.length > 0 ? tokensBefore : undefined,
    knowsPartOfBase,
    page,
  };
}

/** Several suites may pin the same server, which must count once. */
function eachOnce<T>(servers: readonly T[], nameOf: (server: T) => string): T[] {
  const byName = new Map(servers.map((server) => [nameOf(server), server]));
  return [...byName.values()];
}

function verdictOf(test: unknown, exitCode: number): CiResults['verdict'] {
  if (exitCode === 0) return 'passed';
  if (exitCode === 1) return 'failed';
  return isRecord(test) ? 'inconclusive' : 'notEstablished';
}

function headlineOf(
  test: unknown,
  {
    findings,
    conformance,
    exitCode,
    log,
  }: Pick<CiResults, 'findings' | 'conformance'> & {
    readonly exitCode: number;
    readonly log: string | undefined;
  },
): string {
  const headline = isRecord(test) ? textOf(test['headline']) : undefined;
  if (headline === undefined) {
    return `NO ANSWER: the suites could not be tested: ${lastMessage(log) ?? 'the log of the job says why'}`;
  }
  if (exitCode === 0 || !isRecord(test) || test['exitCode'] !== 0) return headline;
  const grave = (findings ?? []).filter(({ severity }) => severity === 'error').length;
  const suite = conformance === 'leftOut' ? undefined : conformance;
  if (exitCode === 1 && grave === 0 && suite?.exitCode === 1) {
    const red = redScenarios(suite.scenarios).length;
    const why = red > 0 ? `${count(red, 'conformance scenario')} not as expected` : suiteBroke;
    return `FAILED: ${why}; of the suites: ${headline}`;
  }
  const warned = (findings ?? []).filter(({ severity }) => severity === 'warn').length;
  const found = grave > 0 ? count(grave, 'error') : count(warned, 'warning');
  return exitCode === 1
    ? `FAILED: lint found ${found}; of the suites: ${headline}`
    : `NO ANSWER: ${whyNoAnswer(suite)}; of the suites: ${headline}`;
}

const suiteBroke = 'the conformance suite ended with an error';

function whyNoAnswer(suite: ConformanceInCi | undefined): string {
  if (wasNotRun(suite)) return 'the conformance suite did not run';
  return suite?.exitCode === 3 ? suiteBroke : 'the tools could not be linted';
}

/** Returns the last message of the command. Further lines of a message are indented. */
function lastMessage(log = ''): string | undefined {
  const messages = log
    .slice(-longestLog)
    .split(/^proofmark: (?! )/m)
    .slice(1);
  const last = messages
    .at(-1)
    ?.replaceAll(/^proofmark: /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return last === '' ? undefined : last;
}

const longestLog = 10_000;

const outcomes = ['passed', 'failed', 'inconclusive'] as const;

function readCases(test: unknown): CaseInCi[] {
  return recordsOf(test, 'suites').flatMap((suite) =>
    recordsOf(suite, 'cases').map((one): CaseInCi => {
      const id = textOf(one['id']) ?? '';
      const model = textOf(one['model']);
      const line = one['line'];
      return {
        file: textOf(suite['file']) ?? '',
        name: `${textOf(one['title']) ?? id}${model === undefined ? '' : `, ${model}`}`,
        outcome: outcomes.find((known) => known === one['verdict']) ?? 'inconclusive',
        stage: stages.find((stage: Stage) => stage === one['stage']),
        why: failedCheckOf(one) ?? textOf(one['why']),
        nextAction: textOf(one['advice']) ?? textOf(one['nextAction']),
        ...(typeof line === 'number' && { line }),
        ...(one['flaky'] === true && { isFlaky: true }),
        ...(one['quarantined'] === true && { isQuarantined: true }),
      };
    }),
  );
}

/** Failed checks are more specific than the counts of the trials. */
function failedCheckOf(one: Json): string | undefined {
  const checks = one['checks'];
  const texts = Array.isArray(checks) ? checks.flatMap((check) => textOf(check) ?? []) : [];
  return texts.length === 0 ? undefined : texts.slice(0, mostChecks).join(' ');
}

const mostChecks = 3;

const severities = ['error', 'warn', 'info'] as const;

function readFindings(lint: unknown): FindingInCi[] | undefined {
  if (!isRecord(lint) || !Array.isArray(lint['findings'])) return undefined;
  return recordsOf(lint, 'findings').map((one) => ({
    rule: textOf(one['rule']) ?? '',
    severity: severities.find((known) => known === one['severity']) ?? 'info',
    serverName: textOf(one['serverName']) ?? null,
    toolName: textOf(one['toolName']),
    message: textOf(one['message']) ?? '',
  }));
}

interface ListedServer {
  readonly name: string;
  readonly tools: readonly Json[];
}

function readServers(document: unknown): ListedServer[] | undefined {
  if (!isRecord(document)) return undefined;
  const held = isRecord(document['surface']) ? document['surface'] : document;
  if (!Array.isArray(held['servers'])) return undefined;
  return recordsOf(held, 'servers').map((server) => ({
    name: textOf(server['name']) ?? '',
    tools: recordsOf(server, 'tools').map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
  }));
}

function difference(
  before: readonly ListedServer[],
  now: readonly ListedServer[],
): ServerDifference[] {
  const named = (servers: readonly ListedServer[]) =>
    servers.map((server) => ({ id: server.name, ...server }));
  return surfaceDifference(named(before), named(now));
}

function readTokens(document: unknown): ServerTokens[] | undefined {
  if (!isRecord(document) || !isRecord(document['tokens'])) return undefined;
  return recordsOf(document['tokens'], 'servers').flatMap(({ serverName, total }) => {
    const tokens = isRecord(total) ? total['o200k_base'] : undefined;
    return typeof tokens === 'number' ? [{ serverName: textOf(serverName) ?? '', tokens }] : [];
  });
}

function recordsOf(holder: unknown, field: string): Json[] {
  const value = isRecord(holder) ? holder[field] : undefined;
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
