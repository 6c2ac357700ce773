import {
  type CountedSession,
  distinctOf,
  journeyVerdict,
  runGradesOf,
  scorecardOf,
} from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ungradedSentences } from '../journey-words.ts';

const rubric = [
  { id: 'a', label: 'No errors', predicate: { type: 'noToolErrors' }, role: 'gating' as const },
  { id: 'b', label: null, predicate: { type: 'finalTextContains' }, role: 'gating' as const },
  { id: 'c', label: null, predicate: { type: 'turnCountUnder' }, role: 'advisory' as const },
];
const gating = rubric.filter(({ role }) => role === 'gating').map(({ id }) => id);

const graded = fc.record({
  targetId: fc.constantFrom('t', 'u'),
  status: fc.constant('succeeded'),
  errorCode: fc.constant(null),
  begun: fc.constant(1),
  grading: fc.constantFrom('completed' as const, 'pending' as const, 'failed' as const),
  criteria: fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean())
    .map((passed) =>
      rubric.map(({ id }, at) => ({ criterionId: id, passed: passed[at] === true, reason: '' })),
    ),
  transcriptHash: fc.constantFrom(null, 'x', 'y'),
});
const ungraded = fc.record({
  targetId: fc.constantFrom('t', 'u'),
  status: fc.constantFrom('failed', 'pending'),
  errorCode: fc.constantFrom(null, 'provider_failed', 'persona_driver_failed', 'canceled'),
  begun: fc.constantFrom(0, 1, 2),
  grading: fc.constant(null),
  criteria: fc.constant([]),
  transcriptHash: fc.constant(null),
});

function stored(sessions: readonly CountedSession[]) {
  const done = sessions.filter(({ grading }) => grading === 'completed');
  const meets = ({ criteria }: CountedSession, id: string) =>
    criteria.some(({ criterionId, passed }) => criterionId === id && passed);
  const failing = done.filter((one) => !gating.every((id) => meets(one, id)));
  const of = (status: string) => sessions.filter(({ grading }) => grading === status).length;
  return {
    graded: done.length,
    pending: of('pending'),
    failed: of('failed'),
    failing: failing.length,
    met: new Map(rubric.map(({ id }) => [id, failing.filter((one) => meets(one, id)).length])),
    distinct: distinctOf(done).length,
  };
}

test('counts of a list come to the verdict and the words of the scorecard', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(graded, ungraded), { maxLength: 12 }), (sessions) => {
      const card = scorecardOf(rubric, sessions);
      const without = sessions.filter(({ grading }) => grading === null);
      const alike = without.map((one) => ({ ...one, begun: Math.min(one.begun, 1), sessions: 1 }));
      const grades = runGradesOf(rubric, stored(sessions), sessions.length, alike);
      const run = { status: 'partial' } as const;
      expect(journeyVerdict(run, grades)).toBe(journeyVerdict(run, card));
      expect(ungradedSentences(grades as never)).toEqual(ungradedSentences(card));
      const { criteria, ...counts } = card;
      expect(grades).toMatchObject(counts);
      expect(grades?.criteria).toMatchObject(
        criteria
          .filter(({ role }) => role === 'gating')
          .map(({ id, failCount }) => ({ id, failCount })),
      );
    }),
  );
});

test('a run without criteria has no grades', () => {
  expect(runGradesOf([], undefined, 4, [])).toBeUndefined();
});
