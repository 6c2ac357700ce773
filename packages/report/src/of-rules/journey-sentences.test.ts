/**
 * The sentences about one journey run must not contradict each other: the verdict, the table of
 * criteria, the reasons and the sentences about grading all count the same sessions.
 */
import {
  type CountedSession,
  criterionName,
  heldRateOf,
  journeyVerdict,
  mostFailReasons,
  scorecardOf,
} from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failReasonWords, heldWords, journeyVerdictReason, scorecardSentences } from '../index.ts';

const rubric = [
  { id: 'a', label: 'No tool fails', predicate: { type: 'noToolErrors' }, role: 'gating' as const },
  { id: 'b', label: null, predicate: { type: 'responseContains' }, role: 'gating' as const },
  { id: 'c', label: null, predicate: { type: 'turnCountUnder' }, role: 'advisory' as const },
];

const anySession: fc.Arbitrary<CountedSession> = fc
  .record({
    sessionId: fc.constantFrom('s1', 's2', 's3', null),
    targetId: fc.constantFrom('t', 'u'),
    isPlayed: fc.boolean(),
    grading: fc.constantFrom('completed' as const, 'pending' as const, 'failed' as const),
    errorCode: fc.constantFrom('provider_failed', 'persona_driver_failed', 'canceled'),
    begun: fc.constantFrom(0, 1),
    passed: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    reason: fc.constantFrom('', 'x', 'y', 'z', 'q', 'v'),
    transcriptHash: fc.constantFrom(null, 'h', 'i'),
  })
  .map(({ isPlayed, passed, reason, errorCode, grading, ...one }) => ({
    ...one,
    status: isPlayed ? 'succeeded' : 'failed',
    errorCode: isPlayed ? null : errorCode,
    grading: isPlayed ? grading : null,
    criteria:
      isPlayed && grading === 'completed'
        ? rubric.map(({ id }, at) => ({ criterionId: id, passed: passed[at] === true, reason }))
        : [],
  }));

const anyRun = fc.constantFrom(
  { status: 'completed' as const },
  { status: 'partial' as const },
  { status: 'running' as const },
  { status: 'failed' as const, error: 'canceled' as const },
);

const numbers = (text: string) => [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([one]) => Number(one));

test('the verdict, the criteria, their reasons and what was graded count the same sessions', () => {
  fc.assert(
    fc.property(anyRun, fc.array(anySession, { minLength: 1, maxLength: 9 }), (run, sessions) => {
      const card = scorecardOf(rubric, sessions);
      const verdict = journeyVerdict(run, card);
      const reason = journeyVerdictReason(run, card);
      const { sessionsGraded, sessionsTotal } = card;
      expect(numbers(scorecardSentences(card)[0] ?? '').slice(0, 2)).toEqual([
        ...[sessionsGraded, sessionsTotal],
      ]);
      const ofCard = card.criteria.map((one) => numbers(heldWords(one, sessionsGraded)));
      expect(ofCard.map(([held, of]) => [held, of])).toEqual(
        card.criteria.map(({ passCount }) =>
          sessionsGraded === 0 ? [undefined, undefined] : [passCount, sessionsGraded],
        ),
      );
      const gating = card.criteria.filter(({ role }) => role === 'gating');
      const failing = gating.filter(({ failCount }) => failCount > 0);
      expect(reason.includes('did not hold')).toBe(verdict === 'failed');
      if (verdict === 'failed') {
        const [failed, of, times, graded] = numbers(reason.replaceAll(/“[^”]*”/g, ''));
        expect([failed, of, graded]).toEqual([failing.length, gating.length, sessionsGraded]);
        const named = failing.find((one) => reason.includes(`“${criterionName(one)}”`));
        expect(named?.failCount).toBe(times);
        expect(times).toBe(Math.max(...failing.map(({ failCount }) => failCount)));
      }
      if (verdict === 'passed') {
        expect(failing).toEqual([]);
        expect(sessionsGraded).toBe(sessionsTotal);
      }
    }),
  );
});

test('reasons come only with failures, add up to them, and the bar is what the words say', () => {
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 12 }), (sessions) => {
      const card = scorecardOf(rubric, sessions);
      for (const one of card.criteria) {
        const { failCount, passCount, failReasons } = one;
        const rate = heldRateOf(one)?.rate;
        expect(rate === undefined).toBe(card.sessionsGraded === 0);
        if (rate !== undefined) expect(rate).toBeCloseTo(passCount / card.sessionsGraded, 10);
        expect(failReasons.length).toBeLessThanOrEqual(Math.min(failCount, mostFailReasons));
        const reasonNumbers = failReasons.map((_, at) => numbers(failReasonWords(one, at)));
        if (failCount > 1) {
          expect(reasonNumbers.map(([times, of]) => [times, of])).toEqual(
            failReasons.map(({ sessionCount }) => [sessionCount, failCount]),
          );
          const rest = reasonNumbers.at(-1)?.[2] ?? 0;
          const sum = failReasons.reduce((total, { sessionCount }) => total + sessionCount, rest);
          if (failReasons.length > 0) expect(sum).toBe(failCount);
        }
      }
    }),
  );
});
