import type { OutputOf } from '@proofmark/contract';
import {
  flakinessSentence,
  historySentences,
  omittedRunsSentence,
  passHatSentence,
  passRateSentence,
  toolSurfaceWords,
} from '@proofmark/report';
import { groupedLines } from './grouped-lines.ts';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type RunStatistics = OutputOf<'getEvalRunStatistics'>;

type ShownStatistics = Pick<RunStatistics, 'k' | 'toolSurface'> & {
  /** Absent from statistics of files. */
  readonly omittedRuns?: number;
  readonly cases: readonly Omit<RunStatistics['cases'][number], 'testCaseId'>[];
};

export function runStatisticsLines(
  { k, toolSurface, omittedRuns, cases }: ShownStatistics,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const why = toolSurfaceWords[toolSurface.state];
  return [
    ...groupedLines(
      cases.map((row) => ({ title: titleOf(row), sentences: sentencesOf(row, k) })),
      wrap,
    ),
    ...[omittedRunsSentence(omittedRuns), why].flatMap((one) =>
      one === undefined ? [] : wrap(one),
    ),
  ];
}

type Row = ShownStatistics['cases'][number];

function titleOf({ title, caseId, model }: Row): string {
  return `${title ?? caseId}${model === null ? '' : ` on ${model}`}`;
}

function sentencesOf(row: Row, k: number | null): string[] {
  const { model, history, flakiness } = row;
  return [
    passRateSentence(row),
    ...(history === null ? [] : historySentences(history, model)),
    ...(k === null ? [] : [passHatSentence(k, row)]),
    ...(flakiness === null ? [] : [flakinessSentence(flakiness)]),
  ];
}
