/**
 * Writes the results of a CI job about a pull request as one Markdown text: the verdict, failed
 * cases, changes of the servers' tools and tokens, flaky and quarantined cases, and lint. Changes
 * that break callers come first.
 */
import {
  count,
  grouped,
  quote,
  type ScenarioOutcome,
  type Sentence,
  type ServerDifference,
  type Stage,
  say,
  stageWords,
  surfaceReport,
  theirs,
} from '@proofmark/domain';
import { cutAtLine } from './github-report.ts';
import {
  type ConformanceInCi,
  redScenarios,
  type ScenarioInCi,
  wasNotRun,
} from './read-conformance.ts';
import { markdownSentence } from './render-summary.ts';
import { describeDifferences, type SurfaceToRender, surfaceTotal } from './surface-words.ts';

/** The first line of the comment. Later jobs find the comment by this line. */
export const pullRequestMark = '<!-- proofmark -->';

export interface CaseInCi {
  readonly file: string;
  readonly name: string;
  /** Absent if the suite file does not contain the case. */
  readonly line?: number | undefined;
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  readonly stage?: Stage | undefined;
  readonly why?: string | undefined;
  readonly nextAction?: string | undefined;
  readonly isFlaky?: boolean | undefined;
  readonly isQuarantined?: boolean | undefined;
}

export interface FindingInCi {
  readonly rule: string;
  readonly severity: 'error' | 'warn' | 'info';
  readonly serverName: string | null;
  readonly toolName?: string | undefined;
  readonly message: string;
}

export interface ServerTokens {
  readonly serverName: string;
  readonly tokens: number;
}

export interface CiResults {
  readonly verdict: 'passed' | 'failed' | 'inconclusive' | 'notEstablished';
  readonly headline: string;
  readonly cases: readonly CaseInCi[];
  /** Undefined if the lint could not run. */
  readonly findings?: readonly FindingInCi[] | undefined;
  /**
   * The results of the official conformance suite; `leftOut` if a replay leaves it out, undefined if
   * it was not wanted.
   */
  readonly conformance?: ConformanceInCi | 'leftOut' | undefined;
  /**
   * How the tools differ from those of the base branch; undefined if the tools of either side are
   * unknown.
   */
  readonly differences?: readonly ServerDifference[] | undefined;
  /** Whether the tools are those of the pins in the checkout, because no server was started. */
  readonly isPinned?: boolean | undefined;
  readonly tokens?: readonly ServerTokens[] | undefined;
  readonly tokensBefore?: readonly ServerTokens[] | undefined;
  /**
   * True if only some servers of the base branch are known. Their token sum then does not cover the
   * whole base.
   */
  readonly knowsPartOfBase?: boolean | undefined;
  readonly page?: string | undefined;
}

const mostListed = 20;
const longestReport = 65_000;
const contextWindow = 200_000;

/**
 * Returns the text of the comment. Without its first line, the same text is the summary of the job.
 */
export function pullRequestReport(results: CiResults): string {
  const blocks = [
    pullRequestMark,
    `### ${markdownSentence([theirsUnlessPlain(results.headline)], false)}`,
    ...(results.page === undefined ? [] : [`The run in the console: <${results.page}>`]),
    ...redCases(results.cases),
    ...marked(results.cases),
    ...ofSurface(results),
    ...ofTokens(results),
    ...ofConformance(results.conformance),
    ...ofLint(results.findings),
  ];
  return cutAtLine(`${blocks.join('\n\n')}\n`, longestReport, results.page);
}

/**
 * A headline contains names from outside. A headline without any Markdown character or link needs
 * no escaping.
 */
function theirsUnlessPlain(headline: string) {
  return /^[\w \p{L},.:;·/$%()-]*$/u.test(headline) && !/:\/\/|www\./i.test(headline)
    ? headline
    : theirs(headline);
}

function redCases(cases: readonly CaseInCi[]): string[] {
  const red = cases.filter(({ outcome, isQuarantined }) => outcome !== 'passed' && !isQuarantined);
  if (red.length === 0) return [];
  const rows = red.slice(0, mostListed).map((one) => {
    const texts = [one.why, one.nextAction].filter((text) => text !== undefined && text !== '');
    return [
      item(say`${quote(one.name)} ${whatHappened(one)} (${theirs(placeOf(one))})`),
      ...texts.map((text) => `  ${item(say`${theirs(text ?? '')}`)}`),
    ].join('\n');
  });
  return [`#### ${count(red.length, 'red case')}`, [...rows, ...further(red)].join('\n')];
}

function whatHappened({ outcome, stage }: CaseInCi): string {
  if (outcome !== 'failed') return 'has no verdict';
  return stage === undefined ? 'failed' : `broke at ${stageWords[stage]}`;
}

function placeOf({ file, line }: CaseInCi): string {
  return line === undefined ? file : `${file}:${line}`;
}

function marked(cases: readonly CaseInCi[]): string[] {
  return (['isFlaky', 'isQuarantined'] as const).flatMap((mark) => {
    const some = cases.filter((one) => one[mark] === true);
    if (some.length === 0) return [];
    const title = mark === 'isFlaky' ? 'Flaky cases' : 'Quarantined cases';
    const rows = some.slice(0, mostListed).map((one) => item(say`${quote(one.name)}`));
    return [`#### ${title}`, [...rows, ...further(some)].join('\n')];
  });
}

function ofSurface({ differences, isPinned }: CiResults): string[] {
  if (differences === undefined) return [];
  const surface = withTotals(surfaceReport(differences, []));
  const total = surfaceTotal(surface);
  if (total === 0) {
    return [
      isPinned
        ? 'The pinned tools are those of the base. No server was started, so its tools may differ.'
        : 'The tools are those of the base.',
    ];
  }
  const { added, removed, renamed } = surface.totals;
  const changed = new Set(surface.changed.map(({ toolName }) => toolName)).size;
  const amounts = [
    [added, 'added'],
    [removed, 'removed'],
    [renamed, 'renamed'],
    [changed, 'changed'],
  ] as const;
  const heading = amounts.flatMap(([amount, word]) => (amount > 0 ? [`${amount} ${word}`] : []));
  const described = describeDifferences(surface);
  const rows = described.slice(0, mostListed).map(({ sentence }) => item(sentence));
  const title = isPinned ? 'Pinned tools' : 'Tools';
  return [`#### ${title}: ${heading.join(', ')}`, [...rows, ...further(described)].join('\n')];
}

function withTotals(report: ReturnType<typeof surfaceReport>): SurfaceToRender {
  const { added, removed, renamed, changed } = report;
  const totals = {
    added: added.length,
    removed: removed.length,
    renamed: renamed.length,
    changed: changed.length,
  };
  return { ...report, totals };
}

function ofTokens({ tokens, tokensBefore, knowsPartOfBase, isPinned }: CiResults): string[] {
  if (tokens === undefined || tokens.length === 0) return [];
  const before = tokensBefore && new Map(tokensBefore.map((one) => [one.serverName, one.tokens]));
  const rows = tokens.map((one) => {
    const was = before?.get(one.serverName);
    return tokenRow(theirs(one.serverName.replaceAll('|', '/')), was, one.tokens);
  });
  const sum = (some: readonly ServerTokens[]) => some.reduce((total, one) => total + one.tokens, 0);
  const isWhole = !knowsPartOfBase || tokens.every(({ serverName }) => before?.has(serverName));
  const wasAll = isWhole ? tokensBefore && sum(tokensBefore) : undefined;
  const totals = tokens.length > 1 ? [tokenRow('all', wasAll, sum(tokens))] : [];
  return [
    `#### Tokens of the ${isPinned ? 'pinned ' : ''}tool lists`,
    [
      '| Server | Base | Now | Change | Share of 200,000 |',
      '|---|---:|---:|---:|---:|',
      ...rows,
      ...totals,
    ].join('\n'),
  ];
}

function tokenRow(name: Sentence[number], before: number | undefined, now: number): string {
  const difference = before === undefined ? undefined : now - before;
  const cells = [
    markdownSentence([name], false),
    before === undefined ? '' : grouped(before),
    grouped(now),
    difference === undefined ? '' : `${difference > 0 ? '+' : ''}${grouped(difference)}`,
    `${((now / contextWindow) * 100).toFixed(1)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function ofConformance(conformance: CiResults['conformance']): string[] {
  if (conformance === undefined) return [];
  if (conformance === 'leftOut')
    return ['The conformance suite was left out: a replay runs no server.'];
  const { scenarios, exitCode } = conformance;
  if (wasNotRun(conformance)) return [whyNotRun(scenarios)];
  const numberOf = (...outcomes: ScenarioOutcome[]) =>
    scenarios.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const passed = numberOf('passed');
  const expected = numberOf('expected');
  const unanswered = scenarios.filter((one) => one.unanswered !== undefined).length;
  const notScored = numberOf('notScored');
  const red = redScenarios(scenarios);
  const scored = passed + expected + red.length;
  const heading = `Conformance: ${passed} of ${count(scored, 'scenario')} passed`;
  const rows = red.slice(0, mostListed).map(({ name, outcome, failed }) => {
    const why = outcome === 'stale' ? stale : failed.join(' ');
    return item(say`${quote(name)}: ${theirs(why)}`);
  });
  const also = [
    ...(expected > 0 ? [`- ${expected} failed as the baseline expects`] : []),
    ...(unanswered > 0 ? [`- ${count(unanswered, 'scenario')} got no answer`] : []),
    ...(notScored > 0 ? [`- ${count(notScored, 'scenario')} not scored by the revision`] : []),
    ...(exitCode !== 0 && red.length === 0 && unanswered === 0
      ? [`- The suite ended with an error: see \`${suiteOutput}\``]
      : []),
  ];
  return [`#### ${heading}`, ...[[...rows, ...further(red), ...also].join('\n')].filter(Boolean)];
}

function whyNotRun(scenarios: readonly ScenarioInCi[]): string {
  const why = scenarios[0]?.unanswered;
  const did = 'The conformance suite did not run';
  if (why === undefined) return `${did}: see \`${suiteOutput}\`.`;
  return markdownSentence(say`${did}: ${theirs(why)}`, false);
}

const stale = 'It passed, and the baseline expects it to fail.';
const suiteOutput = 'proofmark-report/conformance.txt';

function ofLint(findings: readonly FindingInCi[] | undefined): string[] {
  if (findings === undefined) return [];
  const of = (severity: FindingInCi['severity']) =>
    findings.filter((one) => one.severity === severity);
  const [errors, warnings] = [of('error'), of('warn')];
  const listed = [...errors, ...warnings];
  if (listed.length === 0) return ['Lint found no errors and no warnings.'];
  const rows = listed.slice(0, mostListed).map((one) => {
    const subject = one.toolName ?? one.serverName ?? '';
    return item(
      say`${one.severity}: ${quote(subject)}: ${theirs(one.message)} (${theirs(one.rule)})`,
    );
  });
  return [
    `#### Lint: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}`,
    [...rows, ...further(listed)].join('\n'),
  ];
}

function item(sentence: Sentence): string {
  return `- ${markdownSentence(sentence, false)}`;
}

function further(all: readonly unknown[]): string[] {
  const more = all.length - mostListed;
  return more > 0 ? [`- and ${grouped(more)} more`] : [];
}
