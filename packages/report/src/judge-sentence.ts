/**
 * Sentences about the results of a run's judges. Advisory judges do not affect the verdict; judges
 * in assertions do.
 */
import { count, type JudgeVotes, percent, type Sentence, say, theirs } from '@proofmark/domain';

export interface JudgeAnswer {
  /** Null if no judge was called. */
  readonly status: 'pending' | 'completed' | 'failed' | null;
  readonly errorCode: string | null;
  readonly threshold: number | null;
  readonly cases: readonly { readonly score: number | null; readonly passed: boolean }[];
}

export interface RunJudges {
  readonly goalCompletion: JudgeAnswer;
  readonly groundedness: JudgeAnswer;
  readonly assertions?: JudgeVotes | undefined;
}

export function judgeSentences({
  goalCompletion,
  groundedness,
  assertions,
}: RunJudges): Sentence[] {
  return [
    ...(assertions === undefined ? [] : [voteSentence(assertions)]),
    ...judgeSentence('goal completion', goalCompletion),
    ...judgeSentence('groundedness', groundedness),
  ];
}

export function voteSentence({
  held,
  failed,
  errors,
  votes,
  agreed,
  failedVotes,
}: JudgeVotes): Sentence {
  const unanswered = errors === 0 ? '' : `, ${errors} had no answer`;
  const all = count(held + failed + errors, 'question');
  const unread = failedVotes === 0 ? '' : `; ${count(failedVotes, 'vote')} could not be read`;
  const agreement =
    votes === 0 ? '' : ` ${agreed} of ${count(votes, 'vote')} went with the most${unread}.`;
  return say`Judges were asked ${all} in checks: ${held} held, ${failed} did not${unanswered}.${agreement}`;
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
      if (judge.cases.length === 0) return [];
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
