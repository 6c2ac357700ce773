/**
 * Counts the votes of a judge, separately for the score and for each criterion. The assertion holds
 * if the score and every criterion hold. A result needs more than half of all votes; failed votes
 * count for neither side, so there may be no answer. The reported vote is the median, or the lower
 * of the two middle votes.
 */
import type { Finding } from '../assertions/assertion-kind.ts';
import type { RubricCriterion } from '../assertions/goal-completed.ts';
import type { CastVote, ScoredPart } from '../assertions/measured-score.ts';
import { capText } from '../assertions/redact.ts';
import { defaultJudgeThreshold, judgePartialFloor } from './judge-bands.ts';
import type { ReadJudgeAnswer } from './read-judge-answer.ts';

export type JudgeVote = ReadJudgeAnswer | { readonly problem: string };

export interface JudgedGoal {
  readonly threshold?: number | undefined;
  readonly criteria?: readonly RubricCriterion[] | undefined;
}

export interface WhoJudged {
  readonly model: string;
  readonly promptHash: string;
}

export function countVotes(
  votes: readonly JudgeVote[],
  { threshold = defaultJudgeThreshold, criteria = [] }: JudgedGoal,
  who: WhoJudged,
): Finding {
  const answered = votes.filter((vote) => !('problem' in vote));
  const failed = votes.length - answered.length;
  if (failed * 2 > votes.length) return unanswered(votes, `${failed} of ${times(votes)} failed`);
  const goal = count(votes, threshold, (vote) => vote);
  const parts = criteria.map(({ name, threshold: own = defaultJudgeThreshold }, index) => ({
    name,
    counted: count(votes, own, (vote) => vote.criteria?.[index]),
  }));
  const all = [{ name: undefined, counted: goal }, ...parts];
  const below = all.filter(({ counted }) => counted.outcome === 'below');
  if (below.length === 0 && all.some(({ counted }) => counted.outcome === 'split')) {
    return unanswered(votes, `${times(votes)} are split, since ${failed} failed`);
  }
  const sentences = (below.length > 0 ? below : [{ name: undefined, counted: goal }]).map(
    ({ name, counted }) => reasonOfVotes(name, counted, votes.length),
  );
  const isPartial = below.every(({ counted }) => counted.score >= judgePartialFloor);
  return {
    passed: below.length === 0,
    reason: sentences.join(' '),
    ...(below.length > 0 && { judgedAs: isPartial ? 'judgePartial' : 'judgeFailed' }),
    measured: {
      ...who,
      score: goal.score,
      threshold,
      reason: reasonOfVotes(undefined, goal, votes.length),
      ...(votes.length > 1 && { votes: goal.votes }),
      ...(parts.length > 0 && {
        criteria: parts.map(({ name, counted }): ScoredPart => {
          const { score, threshold: own } = counted;
          const reason = reasonOfVotes(name, counted, votes.length);
          const cast = votes.length > 1 ? { votes: counted.votes } : {};
          return { name, score, threshold: own, reason, ...cast };
        }),
      }),
    },
  };
}

interface Counted {
  readonly outcome: 'reached' | 'below' | 'split';
  readonly threshold: number;
  readonly score: number;
  readonly reason: string;
  readonly votes: readonly CastVote[];
  /** The number of votes that agree with the more frequent result. */
  readonly agreed: number;
}

function count(
  votes: readonly JudgeVote[],
  threshold: number,
  read: (vote: ReadJudgeAnswer) => { readonly score: number; readonly reason: string } | undefined,
): Counted {
  const cast = votes.map((vote): CastVote => {
    const scored = 'problem' in vote ? undefined : read(vote);
    const problem = 'problem' in vote ? vote.problem : 'The judge gave no score.';
    return scored === undefined
      ? { score: null, passed: null, reason: capText(problem, maxVoteReason) }
      : {
          score: scored.score,
          passed: scored.score >= threshold,
          reason: capText(scored.reason, maxVoteReason),
        };
  });
  const reached = cast.filter(({ passed }) => passed === true).length;
  const below = cast.filter(({ passed }) => passed === false).length;
  const scored = votes
    .flatMap((vote) => ('problem' in vote ? [] : (read(vote) ?? [])))
    .sort((one, other) => one.score - other.score);
  const isMost = (number: number) => number * 2 > votes.length;
  const middle = scored[Math.ceil(scored.length / 2) - 1];
  return {
    outcome: isMost(reached) ? 'reached' : isMost(below) ? 'below' : 'split',
    threshold,
    score: middle?.score ?? 0,
    reason: middle?.reason ?? '',
    votes: cast,
    agreed: Math.max(reached, below),
  };
}

function reasonOfVotes(name: string | undefined, counted: Counted, asked: number): string {
  const { score, threshold, outcome, agreed, reason } = counted;
  const what =
    name === undefined ? 'The judge scores' : `The criterion ${JSON.stringify(name)} scores`;
  // Failed votes can leave neither result with more than half of all votes. The median score then
  // represents neither result, so the votes are reported as split.
  if (outcome === 'split') {
    return `${what} ${score}, and the votes are split at ${threshold}, with ${agreed} of ${asked} on one side: ${reason}`;
  }
  const where = outcome === 'reached' ? 'at or above' : 'below';
  const votes = asked === 1 ? '' : `, by ${agreed} of ${asked} votes`;
  return `${what} ${score}, ${where} ${threshold}${votes}: ${reason}`;
}

function times(votes: readonly JudgeVote[]): string {
  return votes.length === 1 ? 'one vote of the judge' : `${votes.length} votes of the judge`;
}

function unanswered(votes: readonly JudgeVote[], why: string): Finding {
  const [problem = ''] = votes.flatMap((vote) => ('problem' in vote ? vote.problem : []));
  const only = votes.length === 1 ? 'The judge failed' : sentence(why);
  return { passed: false, reason: `${only}: ${problem}`, evaluatorError: true };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const maxVoteReason = 300;
