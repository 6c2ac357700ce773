/** What a judge said about a run, in one sentence. A judge advises: no verdict follows from it. */
import { count, percent, type Sentence, say, theirs } from './say.ts';

export interface JudgeAnswer {
  /** null: nobody asked. */
  readonly status: 'pending' | 'completed' | 'failed' | null;
  readonly errorCode: string | null;
  readonly threshold: number | null;
  readonly cases: readonly { readonly score: number | null; readonly passed: boolean }[];
}

export interface RunJudges {
  readonly goalCompletion: JudgeAnswer;
  readonly groundedness: JudgeAnswer;
}

export function judgeSentences({ goalCompletion, groundedness }: RunJudges): Sentence[] {
  return [
    ...judgeSentence('goal completion', goalCompletion),
    ...judgeSentence('groundedness', groundedness),
  ];
}

function judgeSentence(subject: string, judge: JudgeAnswer): Sentence[] {
  const named = `The judge of ${subject}`;
  switch (judge.status) {
    case null:
      return [];
    case 'pending':
      return [say`${named} was asked and has not answered yet.`];
    case 'failed': {
      const code = judge.errorCode === null ? '' : say` (${theirs(judge.errorCode)})`;
      return [say`${named} could not answer${code}; this says nothing about the server.`];
    }
    case 'completed':
      return [say`${named} advises: ${scores(judge)}`];
  }
}

function scores({ cases, threshold }: JudgeAnswer): Sentence {
  const scored = cases.filter(({ score }) => score !== null);
  const below = scored.filter(({ passed }) => !passed).length;
  const unanswered = cases.length - scored.length;
  const line = threshold === null ? '' : ` of ${percent(threshold)}`;
  const missing =
    unanswered === 0 ? '' : `; for ${count(unanswered, 'other')} it gave no usable answer`;
  return say`${below} of ${count(scored.length, 'case')} below the threshold${line}${missing}.`;
}
