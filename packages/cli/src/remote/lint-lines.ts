/**
 * Lint findings as lines for a terminal, grouped by tool, with their importance and the failing
 * trials that they may explain.
 */
import type { OutputOf } from '@proofmark/contract';
import { count, type SurfaceTokens } from '@proofmark/domain';
import { tokenSentences } from '@proofmark/report';
import { sayIn } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

type Findings = OutputOf<'lintServer'>['findings'];

export function lintLines(
  { findings, tokens }: { readonly findings: Findings; readonly tokens: SurfaceTokens },
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  const size = tokenSentences(tokens).flatMap((sentence) => say(sentence));
  if (findings.length === 0) return [...say('No findings.'), ...size];
  return [
    ...findings.flatMap((finding) => {
      const { severity, rule, serverName, toolName, path, message, reason, trials } = finding;
      const whose = serverName === null ? toolName : `${serverName}: ${toolName}`;
      return [
        ...say(`${severity} ${rule}  ${whose} ${path}`),
        ...say(`${message} ${reason}`, '  '),
        ...(trials.length === 0 ? [] : say(trialsSentence(trials), '  ')),
        ...(finding.overlay === undefined ? [] : say('--json has an overlay to try.', '  ')),
      ];
    }),
    ...say(totalSentence(findings)),
    ...size,
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
