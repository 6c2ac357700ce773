/** Two runs of a suite beside each other, as lines for a terminal: what changed, and whether it is more than noise. */
import type { OutputOf } from '@proofmark/contract';
import { comparedCaseSentence, comparisonWords, isUnchanged } from '@proofmark/domain';
import { sayIn } from './say-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type RunComparison = OutputOf<'compareEvalRun'>;

export function runComparisonLines(
  { baseRun, compareRun, cases }: RunComparison,
  all: boolean,
  ability: TerminalAbility,
): string[] {
  const say = sayIn(ability);
  const told = all ? cases : cases.filter(({ status }) => !isUnchanged(status));
  const asBefore = cases.length - told.length;
  return [
    ...say(comparisonWords(baseRun.runNumber, cases).text),
    ...say(
      `Run ${compareRun.runNumber} (${compareRun.result}) beside run ${baseRun.runNumber} (${baseRun.result}):`,
    ),
    ...told.flatMap((row) => say(`${row.title}: ${comparedCaseSentence(row)}.`, '  ')),
    ...(asBefore > 0 ? say(asBeforeSentence(asBefore, cases.length)) : []),
  ];
}

function asBeforeSentence(asBefore: number, all: number): string {
  return asBefore === all
    ? 'Every case came out as before.'
    : `${asBefore} of ${all} cases came out as before; --all lists them.`;
}
