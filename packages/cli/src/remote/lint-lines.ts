import type { OutputOf } from '@proofmark/contract';
import {
  count,
  type LintFinding,
  type SurfaceTokens,
  type TokensOfServer,
} from '@proofmark/domain';
import { tokenSentences } from '@proofmark/report';
import { sentenceWrapper, type WrapSentence } from './indented-lines.ts';
import type { SurfaceFinding } from './surface-finding.ts';
import type { TerminalAbility } from './terminal.ts';

type Findings = OutputOf<'lintServer'>['findings'];

export function lintLines(
  { findings, tokens }: { readonly findings: Findings; readonly tokens: SurfaceTokens },
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const size = tokenSentences(tokens).flatMap((sentence) => wrap(sentence));
  if (findings.length === 0) return [...wrap('No findings.'), ...size];
  const subjectOf = ({ serverName, toolName }: Findings[number]) =>
    [serverName, toolName].filter((name) => name !== undefined && name !== null).join(': ');
  return [
    ...findings.flatMap((finding) => findingLines(finding, subjectOf(finding), wrap, '')),
    ...wrap(totalSentence(findings)),
    ...size,
  ];
}

export type SizeOfServer = Pick<TokensOfServer, 'serverName' | 'total'> & {
  readonly tools: readonly unknown[];
};

export type AnyFinding = LintFinding | SurfaceFinding;

/**
 * Groups the findings by server. The line of a server contains the number of its tools and their
 * size in tokens.
 */
export function lintLinesByServer(
  servers: readonly SizeOfServer[],
  findings: readonly AnyFinding[],
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const names = new Set(servers.map(({ serverName }) => serverName));
  const others = findings.filter(({ serverName }) => !names.has(serverName));
  const lines = servers.flatMap(({ serverName, tools, total }) => [
    ...wrap(`${serverName}: ${count(tools.length, 'tool')}, ${count(total.o200k_base, 'token')}`),
    ...linesOfServer(
      findings.filter((finding) => finding.serverName === serverName),
      wrap,
    ),
    '',
  ]);
  return [
    ...lines,
    ...others.flatMap((finding) => findingLines(finding, wherein(finding), wrap, '')),
    ...wrap(findings.length === 0 ? 'No findings.' : totalSentence(findings)),
  ];
}

/** Hints of one rule are shown together, because a server often has one for each parameter. */
function linesOfServer(findings: readonly AnyFinding[], wrap: WrapSentence): string[] {
  const alone = (one: AnyFinding) =>
    one.severity !== 'info' ||
    one.trials.length > 0 ||
    findings.filter(({ rule }) => rule === one.rule).length === 1;
  const rules = new Set(findings.filter((one) => !alone(one)).map(({ rule }) => rule));
  return [
    ...findings.filter(alone).flatMap((one) => findingLines(one, wherein(one), wrap, '  ')),
    ...[...rules].flatMap((rule) => {
      const hints = findings.filter((one) => one.rule === rule && !alone(one));
      return hintLines(hints, wrap);
    }),
  ];
}

function hintLines(hints: readonly AnyFinding[], wrap: WrapSentence): string[] {
  const [first] = hints;
  if (first === undefined) return [];
  const places = hints.map((one) => [wherein(one), pathOf(one)].filter(Boolean).join(' '));
  const isOneMessage = hints.every(({ message }) => message === first.message);
  const others = places.length - mostToolNames;
  const named = places.slice(0, mostToolNames).join(', ');
  return [
    ...wrap(`${first.severity} ${first.rule}: ${count(hints.length, 'place')}`, '  '),
    ...wrap(isOneMessage ? `${first.message} ${first.reason}` : first.reason, '    '),
    ...wrap(`At: ${named}${others > 0 ? ` and ${count(others, 'other')}` : ''}.`, '    '),
    ...(hints.some((one) => 'overlay' in one && one.overlay !== undefined)
      ? wrap(overlayHint, '    ')
      : []),
  ];
}

function pathOf(finding: AnyFinding): string {
  return 'path' in finding ? (finding.path ?? '') : '';
}

const overlayHint = '--json has an overlay to try.';

/** Empty for a finding about a server or a file. */
export function toolNamesOf(finding: AnyFinding): readonly string[] {
  if (!('toolName' in finding || 'toolNames' in finding)) return [];
  const { toolName, toolNames = [] } = finding;
  return toolName === undefined ? toolNames : [toolName];
}

function wherein(finding: AnyFinding): string {
  if ('file' in finding) return finding.file;
  return 'toolName' in finding ? (finding.toolName ?? '') : '';
}

type ShownFinding = Pick<AnyFinding, 'severity' | 'rule' | 'message' | 'reason' | 'trials'> & {
  readonly path?: string | undefined;
  readonly toolNames?: readonly string[] | undefined;
  readonly overlay?: unknown;
};

function findingLines(
  { severity, rule, path, message, reason, trials, toolNames, overlay }: ShownFinding,
  subject: string,
  wrap: WrapSentence,
  indent: string,
): string[] {
  const inner = `${indent}  `;
  const head = [severity, rule, subject, path].filter(Boolean).join(' ');
  return [
    ...wrap(head, indent),
    ...wrap(`${message} ${reason}`, inner),
    ...(toolNames === undefined ? [] : wrap(toolsSentence(toolNames), inner)),
    ...(trials.length === 0 ? [] : wrap(trialsSentence(trials), inner)),
    ...(overlay === undefined ? [] : wrap(overlayHint, inner)),
  ];
}

const mostToolNames = 10;

function toolsSentence(toolNames: readonly string[]): string {
  const named = toolNames.slice(0, mostToolNames).join(', ');
  const others = toolNames.length - mostToolNames;
  return `Tools: ${named}${others > 0 ? ` and ${count(others, 'other')}` : ''}.`;
}

function trialsSentence(trials: readonly string[]): string {
  const [first = ''] = trials;
  const others = trials.length === 1 ? '' : ` and ${count(trials.length - 1, 'other')}`;
  return `Failing trials that involve it: ${first}${others}.`;
}

function totalSentence(findings: readonly Pick<AnyFinding, 'severity'>[]): string {
  const of = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
  return `${count(of('error'), 'error')}, ${count(of('warn'), 'warning')}, ${count(of('info'), 'hint')}.`;
}
