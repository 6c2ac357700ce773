/**
 * The words of each session on the page of a run, and the sentences and tables above them, must
 * count the same sessions: none is passed under a failed verdict's only failure, none is counted
 * under another cause than its own words state.
 */
import {
  type AttemptErrorCode,
  attemptEnds,
  type CountedSession,
  journeyVerdict,
  scorecardOf,
  ungradedReasons,
} from '@proofmark/domain';
import {
  doerOfSessionEnd,
  journeyVerdictSentence,
  playedSentence,
  scorecardSentences,
  sessionEndWords,
} from '@proofmark/report';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adviceWords, gradeWords, sessionWords } from './session-words.ts';

const codes = Object.keys(attemptEnds) as AttemptErrorCode[];
const anyRubric = fc
  .array(fc.constantFrom('gating' as const, 'advisory' as const), { minLength: 1, maxLength: 3 })
  .map((roles) =>
    roles.map((role, at) => ({
      id: `c${at}`,
      label: `Check ${at}`,
      role,
      predicate: { type: 'noToolErrors' },
    })),
  );
const anyPlay = fc.record({
  end: fc.constantFrom('played', 'played', 'played', 'waiting', 'talking', ...codes),
  begun: fc.constantFrom(0, 1),
  grading: fc.constantFrom(
    'completed' as const,
    'completed' as const,
    'pending' as const,
    'failed' as const,
  ),
  passes: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
});

type Rubric = typeof anyRubric extends fc.Arbitrary<infer One> ? One : never;
type Play = typeof anyPlay extends fc.Arbitrary<infer One> ? One : never;

function sessionOf(rubric: Rubric, { end, begun, grading, passes }: Play) {
  const errorCode = codes.find((code) => code === end) ?? null;
  const statuses = { played: 'succeeded', waiting: 'pending', talking: 'running' } as const;
  const status =
    errorCode === null ? statuses[end as keyof typeof statuses] : attemptEnds[errorCode].status;
  const isPlayed = status === 'succeeded';
  // Only a run that ends early ends sessions that were never begun.
  const mayBeUnbegun = ['canceled', 'run_timeout', 'stale_runner', 'waiting'].includes(end);
  const criteria =
    isPlayed && grading === 'completed'
      ? rubric.map(({ id }, at) => ({ criterionId: id, passed: passes[at] === true, reason: '' }))
      : [];
  const held = rubric.every(({ role }, at) => role === 'advisory' || criteria[at]?.passed);
  return {
    sessionId: null,
    targetId: 't',
    transcriptHash: null,
    criteria,
    errorCode,
    status,
    begun: mayBeUnbegun ? begun : 1,
    grading: isPlayed ? grading : null,
    result: criteria.length === 0 ? null : held ? ('passed' as const) : ('failed' as const),
  };
}

const anySessions = fc
  .tuple(anyRubric, fc.array(anyPlay, { minLength: 1, maxLength: 8 }))
  .map(([rubric, plays]) => ({ rubric, sessions: plays.map((play) => sessionOf(rubric, play)) }));

type Sessions = typeof anySessions extends fc.Arbitrary<infer One> ? One['sessions'] : never;

const wordsOf = (sessions: Sessions, rubric: Rubric) =>
  sessions.map(({ grading, result, ...attempt }) =>
    sessionWords(attempt, { result, grading: { status: grading, gradedAt: null } }, rubric),
  );
const first = (text: string | undefined) => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);

test('the words of the sessions, the verdict and the table count the same grades', () => {
  fc.assert(
    fc.property(anySessions, ({ rubric, sessions }) => {
      const card = scorecardOf(rubric, sessions satisfies CountedSession[]);
      const isOpen = sessions.some(({ status }) => ['pending', 'running'].includes(status));
      const run = { status: isOpen ? ('running' as const) : ('partial' as const) };
      const words = wordsOf(sessions, rubric).map(({ word }) => word);
      const amount = (...wanted: string[]) => words.filter((one) => wanted.includes(one)).length;
      expect(amount('passed', 'failed', 'played, no check decides')).toBe(card.sessionsGraded);
      const verdict = journeyVerdict(run, card);
      if (verdict === 'failed') expect(amount('failed')).toBeGreaterThan(0);
      if (verdict === 'passed') expect(amount('passed')).toBe(sessions.length);
      if (verdict === 'inconclusive') {
        expect(amount('failed')).toBe(0);
        expect(amount('passed')).toBeLessThan(sessions.length);
      }
      const sentence = journeyVerdictSentence(run, card);
      if (sentence.includes('no check decides')) expect(amount('passed', 'failed')).toBe(0);
      expect(amount('failed') > 0).toBe(
        card.criteria.some(({ role, failCount }) => role === 'gating' && failCount > 0),
      );
      const unmet = sessions.flatMap(({ criteria }) => adviceWords(criteria, rubric) ?? []);
      expect(unmet.reduce((sum, one) => sum + first(one), 0)).toBe(
        card.criteria
          .filter(({ role }) => role === 'advisory')
          .reduce((sum, { failCount }) => sum + failCount, 0),
      );
      for (const { id, role, passCount } of card.criteria) {
        const grades = sessions.flatMap(({ criteria }) =>
          criteria.filter(({ criterionId }) => criterionId === id),
        );
        const held = grades.filter(({ passed }) => gradeWords(passed, role).word === 'held');
        expect(held).toHaveLength(passCount);
      }
    }),
  );
});

test('each session that was not graded is counted under the cause that its own words state', () => {
  fc.assert(
    fc.property(anySessions, ({ rubric, sessions }) => {
      const card = scorecardOf(rubric, sessions);
      const words = wordsOf(sessions, rubric).map(({ word }) => word);
      const amount = (wanted: string) => words.filter((one) => one === wanted).length;
      const sentences = scorecardSentences(card);
      const told = (part: string) => first(sentences.find((one) => one.includes(part)));
      expect(amount('played, to be graded')).toBe(told('to be graded'));
      expect(amount('played, grading failed')).toBe(told('The grading of'));
      expect(amount('waiting') + amount('talking')).toBe(told('not ended yet'));
      expect(amount('never begun')).toBe(card.ungraded.unplayed - card.notEndedCount);
      expect(amount(`not played: ${sessionEndWords.simulatedUser}`)).toBe(
        card.simulatedUserFailedCount,
      );
      for (const reason of ungradedReasons) {
        if (reason === 'unplayed') continue;
        const users = reason === 'ours' ? card.simulatedUserFailedCount : 0;
        expect(amount(`not played: ${sessionEndWords[reason]}`), reason).toBe(
          card.ungraded[reason] - users,
        );
      }
      const summary = {
        total: sessions.length,
        failed: 0,
        rateLimited: 0,
        succeeded: sessions.filter(({ status }) => status === 'succeeded').length,
      };
      const broken = sessions.filter((one) => doerOfSessionEnd(one) !== undefined).length;
      const open = amount('waiting') + amount('talking');
      expect(first(playedSentence(summary))).toBe(sessions.length - broken - open);
    }),
  );
});
