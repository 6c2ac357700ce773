/**
 * The comparison of two runs as lines for a terminal: what changed, and whether it is more than
 * noise.
 */
import type { OutputOf } from '@proofmark/contract';
import { isUnchanged } from '@proofmark/domain';
import {
  comparedCaseSentence,
  comparedTokenSentences,
  comparisonWords,
  plainSentence,
  replaySentences,
  surfaceSentences,
  surfaceTotal,
} from '@proofmark/report';
import { type Say, sayIn } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type RunComparison = OutputOf<'compareEvalRun'>;

export function runComparisonLines(
  { baseRun, compareRun, cases, surface, tokens }: RunComparison,
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
    ...[compareRun, baseRun].flatMap((run) => replayLines(run, say)),
    ...told.flatMap((row) => say(`${row.title}: ${comparedCaseSentence(row)}.`, '  ')),
    ...(asBefore > 0 ? say(asBeforeSentence(asBefore, cases.length)) : []),
    ...toolLines(surface, say),
    ...comparedTokenSentences(tokens).flatMap((sentence) => say(sentence)),
  ];
}

function replayLines({ runNumber, replay }: RunComparison['baseRun'], say: Say): string[] {
  const told = replaySentences(replay).map((sentence) => plainSentence(sentence, false));
  return told.length === 0 ? [] : say(`Run ${runNumber}: ${told.join(' ')}`);
}

const mostDifferences = 10;

/** Returns the changes of the tools as candidates for the cause, the likeliest first. */
function toolLines(surface: RunComparison['surface'], say: Say): string[] {
  const told = surfaceSentences(surface);
  if (told.length === 0) return [];
  const shown = told.slice(0, mostDifferences).map((sentence) => plainSentence(sentence, false));
  const unlisted = surfaceTotal(surface) - shown.length;
  return [
    ...say('Changed tools, the likeliest causes first:'),
    ...shown.flatMap((sentence) => say(sentence, '  ')),
    ...(unlisted > 0
      ? say(`${unlisted} more changes; \`proofmark eval surface\` lists them.`, '  ')
      : []),
  ];
}

function asBeforeSentence(asBefore: number, all: number): string {
  return asBefore === all
    ? 'Every case has the same result as before.'
    : `${asBefore} of ${all} cases did not change; --all lists them.`;
}
