import type { OutputOf } from '@proofmark/contract';
import {
  flakinessSentence,
  historySentences,
  omittedRunsSentence,
  passHatSentence,
  passRateSentence,
  toolSurfaceWords,
} from '@proofmark/report';
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
  const say = sentenceWrapper(ability);
  const why = toolSurfaceWords[toolSurface.state];
  return [
    ...cases.flatMap((row) => {
      const { title, caseId, model, history, flakiness } = row;
      return [
        ...say(`${title ?? caseId}${model === null ? '' : ` on ${model}`}`),
        ...say(passRateSentence(row), '  '),
        ...(history === null
          ? []
          : historySentences(history, model).flatMap((one) => say(one, '  '))),
        ...(k === null ? [] : say(passHatSentence(k, row), '  ')),
        ...(flakiness === null ? [] : say(flakinessSentence(flakiness), '  ')),
      ];
    }),
    ...[omittedRunsSentence(omittedRuns), why].flatMap((one) =>
      one === undefined ? [] : say(one),
    ),
  ];
}
