/** Results in the sentences of every report, for the built-in agent, whose replies are plain text. */
import type { OutputOf } from '@proofmark/contract';
import type { DecisionSummary, Sentence } from '@proofmark/domain';
import {
  comparisonWords,
  describeDifferences,
  outlineSummary,
  plainSentence,
} from '@proofmark/report';

const trialsTold = 3;

export function tellRun(result: unknown): readonly string[] {
  const summary = result as DecisionSummary;
  const { verdict, next, trials } = outlineSummary(summary, { namesTraces: false });
  return [
    `${plain(verdict)}.`,
    ...(next === undefined ? [] : [`Next: ${plain(next)}`]),
    ...trials
      .slice(0, trialsTold)
      .flatMap(({ heading, facts }) => [
        `- ${plain(heading)}`,
        ...facts.map(({ label, text }) => `  ${label}: ${plain(text)}`),
      ]),
    ...(trials.length > trialsTold
      ? ['More trials did not pass; the page of the run lists them.']
      : []),
  ];
}

export function tellComparison(result: unknown): readonly string[] {
  const compared = result as OutputOf<'compareEvalRun'>;
  const { text, details } = comparisonWords(compared.baseRun.id, compared);
  return [
    text,
    ...details,
    ...describeDifferences(compared.surface).map(({ sentence }) => plain(sentence)),
  ];
}

function plain(sentence: Sentence): string {
  return plainSentence(sentence, false);
}
