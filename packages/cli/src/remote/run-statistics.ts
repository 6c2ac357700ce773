import type { OutputOf } from '@proofmark/contract';
import {
  flakinessSentence,
  historySentences,
  passHatSentence,
  passRateSentence,
  toolSurfaceWords,
} from '@proofmark/report';
import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type RunStatistics = OutputOf<'getEvalRunStatistics'>;

type ShownStatistics = Pick<RunStatistics, 'k' | 'toolSurface'> & {
  readonly cases: readonly Omit<RunStatistics['cases'][number], 'testCaseId'>[];
};

export function runStatisticsLines(
  { k, toolSurface, cases }: ShownStatistics,
  ability: TerminalAbility,
): string[] {
  const wrap = sentenceWrapper(ability);
  const why = toolSurfaceWords[toolSurface.state];
  return [
    ...cases.flatMap((row) => {
      const { title, caseId, model, history, flakiness } = row;
      return [
        ...wrap(`${title ?? caseId}${model === null ? '' : ` on ${model}`}`),
        ...wrap(passRateSentence(row), '  '),
        ...(history === null
          ? []
          : historySentences(history, model).flatMap((one) => wrap(one, '  '))),
        ...(k === null ? [] : wrap(passHatSentence(k, row), '  ')),
        ...(flakiness === null ? [] : wrap(flakinessSentence(flakiness), '  ')),
      ];
    }),
    ...(why === undefined ? [] : wrap(why)),
  ];
}
