import type { PlayedScenario, ScenarioOutcome } from '@proofmark/domain';
import { count } from '@proofmark/domain';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

const marks: Readonly<Record<ScenarioOutcome, string>> = {
  passed: '✓',
  failed: '✗',
  expected: '✓',
  stale: '✗',
  notScored: '○',
  skipped: '○',
};

const words: Readonly<Record<ScenarioOutcome, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  expected: 'failed as expected',
  stale: 'STALE',
  notScored: 'not scored',
  skipped: 'skipped',
};

export function scenarioLines(
  { scenario, outcome, reasons, unanswered }: PlayedScenario,
  ability: TerminalAbility,
): string[] {
  const word = unanswered === undefined ? words[outcome] : 'no answer';
  const how = outcome === 'passed' ? '' : `: ${word}`;
  const head = ability.ascii
    ? `${word.padEnd(18)} ${scenario}`
    : `${marks[outcome]} ${scenario}${how}`;
  const say = sentenceWrapper(ability);
  const said = unanswered === undefined ? reasons : [unanswered];
  return [head, ...said.slice(0, mostReasons).flatMap((reason) => say(reason, '    '))];
}

const mostReasons = 5;

export function conformanceSummary(
  counts: Readonly<Record<ScenarioOutcome, number>>,
  exitCode: 0 | 1 | 3,
): string {
  const { passed, failed, expected, stale, notScored, skipped } = counts;
  const others = [
    [failed, 'failed'],
    [stale, 'stale in the baseline'],
    [expected, 'failed as expected'],
    [skipped, 'without a result'],
    [notScored, 'not scored'],
  ] as const;
  const told = others.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : []));
  const scored = passed + failed + expected + stale;
  const verdict = { 0: 'PASSED', 1: 'FAILED', 3: 'NO ANSWER' }[exitCode];
  return [`${verdict}: ${passed} of ${count(scored, 'scored scenario')} passed`, ...told].join(
    ', ',
  );
}
