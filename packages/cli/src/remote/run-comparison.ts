import type { OutputOf } from '@proofmark/contract';
import { isUnchanged } from '@proofmark/domain';
import {
  type ComparedDocuments,
  comparedCaseSentence,
  comparedTokenSentences,
  comparisonWords,
  plainSentence,
  replaySentences,
  surfaceSentences,
  surfaceTotal,
} from '@proofmark/report';
import { sentenceWrapper, type WrapSentence } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type RunComparison = OutputOf<'compareEvalRun'>;

export type ComparisonToTell = RunComparison | ComparedDocuments;
type Side = ComparisonToTell['baseRun'];

export function runComparisonLines(
  compared: ComparisonToTell,
  all: boolean,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const { baseRun, compareRun, cases, correction, surface, tokens } = compared;
  const words = comparisonWords('file' in baseRun ? baseRun.file : baseRun.runNumber, compared);
  const shownCases = all ? cases : cases.filter(({ status }) => !isUnchanged(status));
  const asBefore = cases.length - shownCases.length;
  return [
    ...wrap(words.text),
    ...wrap(
      `Before: ${named(baseRun, 'run')} (${baseRun.result}). After: ${named(compareRun, 'run')} (${compareRun.result}).`,
    ),
    ...[baseRun, compareRun].flatMap((run) => replayLines(run, wrap)),
    ...shownCases.flatMap((row) =>
      wrap(`${row.title}: ${comparedCaseSentence(row, correction.cases)}.`, '  '),
    ),
    ...(asBefore > 0 ? wrap(asBeforeSentence(asBefore, cases.length)) : []),
    ...words.details.flatMap((sentence) => wrap(sentence)),
    ...(surfaceTotal(surface) === 0
      ? []
      : wrap(
          words.tone === 'same' ? 'Changed tools:' : 'Changed tools, the likeliest causes first:',
        )),
    ...toolLines(surface, 'file' in baseRun ? '`--json`' : '`proofmark eval surface`', wrap),
    ...comparedTokenSentences(tokens).flatMap((sentence) => wrap(sentence)),
  ];
}

function named(side: Side, run: 'Run' | 'run'): string {
  return 'file' in side ? side.file : `${run} ${side.runNumber}`;
}

function replayLines(side: Side, wrap: WrapSentence): string[] {
  const sentences = replaySentences(side.replay).map((sentence) => plainSentence(sentence, false));
  return sentences.length === 0 ? [] : wrap(`${named(side, 'Run')}: ${sentences.join(' ')}`);
}

const mostDifferences = 10;

/** Returns the changed tools as candidates for the cause, the likeliest first. */
function toolLines(
  surface: ComparisonToTell['surface'],
  lists: string,
  wrap: WrapSentence,
): string[] {
  const sentences = surfaceSentences(surface);
  const shown = sentences
    .slice(0, mostDifferences)
    .map((sentence) => plainSentence(sentence, false));
  const unlisted = surfaceTotal(surface) - shown.length;
  return [
    ...shown.flatMap((sentence) => wrap(sentence, '  ')),
    ...(unlisted > 0 ? wrap(`${unlisted} more changes; ${lists} lists them.`, '  ') : []),
  ];
}

function asBeforeSentence(asBefore: number, all: number): string {
  return asBefore === all
    ? 'Every case has the same result as before.'
    : `${asBefore} of ${all} cases did not change; --all lists them.`;
}
