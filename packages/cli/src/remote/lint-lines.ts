/**
 * Lint findings as lines for a terminal, grouped by tool, with their importance and the failing
 * trials that they may explain.
 */
import type { OutputOf } from '@proofmark/contract';
import { count, type SurfaceTokens } from '@proofmark/domain';
import { tokenSentences } from '@proofmark/report';
import { type Say, sayIn } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

type Findings = OutputOf<'lintServer'>['findings'];

export function lintLines(
  { findings, tokens }: { readonly findings: Findings; readonly tokens: SurfaceTokens },
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  const size = tokenSentences(tokens).flatMap((sentence) => say(sentence));
  if (findings.length === 0) return [...say('No findings.'), ...size];
  const whose = ({ serverName, toolName }: Findings[number]) =>
    serverName === null ? toolName : `${serverName}: ${toolName}`;
  return [
    ...findings.flatMap((finding) => findingLines(finding, whose(finding), say, '')),
    ...say(totalSentence(findings)),
    ...size,
  ];
}

/** A server whose tools were linted. */
export interface LintedSurface {
  readonly name: string;
  readonly tools: readonly unknown[];
}

/** The findings under the server that they are about, below the size of what it lists. */
export function lintLinesByServer(
  servers: readonly LintedSurface[],
  findings: Findings,
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  return [
    ...servers.flatMap(({ name, tools }) => [
      ...say(`${name}: ${count(tools.length, 'tool')}`),
      ...findings
        .filter(({ serverName }) => serverName === name)
        .flatMap((finding) => findingLines(finding, finding.toolName, say, '  ')),
      '',
    ]),
    ...say(findings.length === 0 ? 'No findings.' : totalSentence(findings)),
  ];
}

function findingLines(finding: Findings[number], whose: string, say: Say, indent: string) {
  const { severity, rule, path, message, reason, trials, overlay } = finding;
  const inner = `${indent}  `;
  return [
    ...say(`${severity} ${rule}  ${whose} ${path}`, indent),
    ...say(`${message} ${reason}`, inner),
    ...(trials.length === 0 ? [] : say(trialsSentence(trials), inner)),
    ...(overlay === undefined ? [] : say('--json has an overlay to try.', inner)),
  ];
}

function trialsSentence(trials: readonly string[]): string {
  const [first = ''] = trials;
  const others = trials.length === 1 ? '' : ` and ${count(trials.length - 1, 'other')}`;
  return `Failing trials that involve it: ${first}${others}.`;
}

function totalSentence(findings: Findings): string {
  const of = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
  return `${count(of('error'), 'error')}, ${count(of('warn'), 'warning')}, ${count(of('info'), 'hint')}.`;
}
