import type { OutputOf } from '@proofmark/contract';
import {
  count,
  type LintFinding,
  type SurfaceTokens,
  type TokensOfServer,
} from '@proofmark/domain';
import { tokenSentences } from '@proofmark/report';
import { type Say, sentenceWrapper } from './indented-lines.ts';
import type { SurfaceFinding } from './surface-finding.ts';
import type { TerminalAbility } from './terminal.ts';

type Findings = OutputOf<'lintServer'>['findings'];

export function lintLines(
  { findings, tokens }: { readonly findings: Findings; readonly tokens: SurfaceTokens },
  ability: TerminalAbility,
): string[] {
  const say = sentenceWrapper(ability);
  const size = tokenSentences(tokens).flatMap((sentence) => say(sentence));
  if (findings.length === 0) return [...say('No findings.'), ...size];
  const subjectOf = ({ serverName, toolName }: Findings[number]) =>
    [serverName, toolName].filter((name) => name !== undefined && name !== null).join(': ');
  return [
    ...findings.flatMap((finding) => findingLines(finding, subjectOf(finding), say, '')),
    ...say(totalSentence(findings)),
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
  const say = sentenceWrapper(ability);
  const names = new Set(servers.map(({ serverName }) => serverName));
  const others = findings.filter(({ serverName }) => !names.has(serverName));
  const lines = servers.flatMap(({ serverName, tools, total }) => [
    ...say(`${serverName}: ${count(tools.length, 'tool')}, ${count(total.o200k_base, 'token')}`),
    ...findings
      .filter((finding) => finding.serverName === serverName)
      .flatMap((finding) => findingLines(finding, wherein(finding), say, '  ')),
    '',
  ]);
  return [
    ...lines,
    ...others.flatMap((finding) => findingLines(finding, wherein(finding), say, '')),
    ...say(findings.length === 0 ? 'No findings.' : totalSentence(findings)),
  ];
}

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
  say: Say,
  indent: string,
): string[] {
  const inner = `${indent}  `;
  const head = [severity, rule, subject, path].filter(Boolean).join(' ');
  return [
    ...say(head, indent),
    ...say(`${message} ${reason}`, inner),
    ...(toolNames === undefined ? [] : say(toolsSentence(toolNames), inner)),
    ...(trials.length === 0 ? [] : say(trialsSentence(trials), inner)),
    ...(overlay === undefined ? [] : say('--json has an overlay to try.', inner)),
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
