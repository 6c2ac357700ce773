import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountedSession, heldRateOf, scorecardOf, ungradedReasons } from './scorecard.ts';

const rubric = [
  { id: 'a', label: 'No errors', predicate: { type: 'noToolErrors' }, role: 'gating' as const },
  { id: 'b', label: null, predicate: { type: 'turnCountUnder' }, role: 'advisory' as const },
];

function sessionOf(more: Partial<CountedSession> = {}): CountedSession {
  return {
    targetId: 't',
    status: 'succeeded',
    errorCode: null,
    begun: 1,
    grading: 'completed',
    criteria: gradesOf(true, true),
    transcriptHash: null,
    ...more,
  };
}

function gradesOf(...passed: readonly boolean[]) {
  return rubric.map(({ id }, index) => ({
    criterionId: id,
    passed: passed[index] === true,
    reason: '',
  }));
}

test('a grading that failed is in no rate, and is never a failure', () => {
  const sessions = [
    sessionOf({ criteria: gradesOf(false, true) }),
    ...[sessionOf(), sessionOf()],
    sessionOf({ grading: 'failed', criteria: [] }),
  ];
  expect(scorecardOf(rubric, sessions)).toMatchObject({
    sessionsTotal: 4,
    sessionsGraded: 3,
    criteria: [
      { id: 'a', kind: 'noToolErrors', failCount: 1, passCount: 2, failedGradingCount: 1 },
      { id: 'b', label: null, failCount: 0, passCount: 3, failedGradingCount: 1 },
    ],
  });
  const [first] = scorecardOf(rubric, sessions).criteria;
  expect(first?.failRate).toBe(1 / 3);
  expect(first?.interval?.lower).toBeCloseTo(0.061492, 6);
  expect(first?.interval?.upper).toBeCloseTo(0.79234, 5);
});

test('with nothing graded there is no rate', () => {
  for (const sessions of [[], [sessionOf({ grading: 'pending', criteria: [] })]]) {
    const { criteria } = scorecardOf(rubric, sessions);
    expect(criteria.map(({ failRate, interval }) => [failRate, interval])).toEqual([
      [null, null],
      [null, null],
    ]);
  }
});

test('copies of one conversation carry no interval, and are counted as one', () => {
  const same = { transcriptHash: 'h' };
  const { criteria, distinctTranscripts } = scorecardOf(rubric, [sessionOf(same), sessionOf(same)]);
  expect([distinctTranscripts, criteria[0]?.interval, criteria[0]?.failRate]).toEqual([1, null, 0]);
  const onTwo = scorecardOf(rubric, [sessionOf(same), sessionOf({ ...same, targetId: 'u' })]);
  expect(onTwo.distinctTranscripts).toBe(2);
  expect(onTwo.criteria[0]?.interval).not.toBeNull();
});

test('what ended a session without a grade is told by whose doing it was', () => {
  const rows = [
    ['provider_failed', 'provider'],
    ['rate_limited', 'provider'],
    ['server_unreachable', 'setup'],
    ['oauth_required', 'setup'],
    ['blocked_by_policy', 'policy'],
    ['canceled', 'canceled'],
    ['session_timeout', 'timedOut'],
    ['run_timeout', 'timedOut'],
    ['spend_cap_exceeded', 'credits'],
    ['persona_driver_failed', 'ours'],
    ['runner_failed', 'ours'],
    ['stale_runner', 'ours'],
  ] as const;
  for (const [errorCode, reason] of rows) {
    const ended = { status: 'failed', errorCode, grading: null, criteria: [] };
    expect(scorecardOf(rubric, [sessionOf(ended)]).ungraded[reason], errorCode).toBe(1);
    expect(scorecardOf(rubric, [sessionOf({ ...ended, begun: 0 })]).ungraded.unplayed).toBe(1);
  }
});

test('a simulated user without a usable answer, and a session that goes on, are told apart', () => {
  const open = { grading: null, criteria: [] };
  const failed = { ...open, status: 'failed' };
  const card = scorecardOf(rubric, [
    sessionOf({ ...failed, errorCode: 'persona_driver_failed' }),
    sessionOf({ ...failed, errorCode: 'persona_driver_failed', begun: 0 }),
    sessionOf({ ...failed, errorCode: 'runner_failed' }),
    sessionOf({ ...failed, errorCode: 'canceled', begun: 0 }),
    sessionOf({ ...open, status: 'running' }),
    sessionOf({ ...open, status: 'pending', begun: 0 }),
  ]);
  expect(card).toMatchObject({
    ungraded: { ours: 2, unplayed: 4 },
    simulatedUserFailedCount: 1,
    notEndedCount: 2,
  });
});

const anySession = fc.record<CountedSession>({
  targetId: fc.constantFrom('t', 'u'),
  status: fc.constantFrom('pending', 'running', 'succeeded', 'failed', 'rate_limited'),
  errorCode: fc.constantFrom(null, 'provider_failed', 'rate_limited', 'canceled', 'new_word'),
  begun: fc.nat(4),
  grading: fc.constantFrom(null, 'pending', 'completed', 'failed'),
  criteria: fc.tuple(fc.boolean(), fc.boolean()).map((passed) => gradesOf(...passed)),
  transcriptHash: fc.constantFrom(null, 'h', 'i'),
});

test('whatever happened: passed and failed are the graded, all states are the stamped, and nobody is lost', () => {
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 30 }), (sessions) => {
      const card = scorecardOf(rubric, sessions);
      const stamped = sessions.filter(({ grading }) => grading !== null).length;
      for (const one of card.criteria) {
        expect(one.passCount + one.failCount).toBe(card.sessionsGraded);
        const { passCount, failCount, pendingCount, failedGradingCount } = one;
        expect(passCount + failCount + pendingCount + failedGradingCount).toBe(stamped);
        expect(one.failRate === null).toBe(card.sessionsGraded === 0);
      }
      const ungraded = ungradedReasons.reduce((sum, reason) => sum + card.ungraded[reason], 0);
      expect(ungraded + stamped).toBe(card.sessionsTotal);
      expect(card.distinctTranscripts).toBeLessThanOrEqual(card.sessionsGraded);
    }),
  );
});

test('faults of providers and our own change no rate', () => {
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 20 }), (sessions) => {
      const fault = sessionOf({
        status: 'failed',
        errorCode: 'provider_failed',
        grading: null,
        criteria: [],
      });
      expect(scorecardOf(rubric, [...sessions, fault, fault]).criteria).toEqual(
        scorecardOf(rubric, sessions).criteria,
      );
    }),
  );
});

test('a criterion says why it did not hold: most frequent first, with the first session of each reason', () => {
  const failed = (sessionId: string, reason: string, passed = false) =>
    sessionOf({ sessionId, criteria: [{ criterionId: 'a', passed, reason }] });
  const sessions = [
    failed('s1', 'It timed out.'),
    failed('s2', 'No such book.'),
    failed('s3', 'No such book.'),
    failed('s4', 'None failed.', true),
    failed('s5', 'Third.'),
    failed('s6', 'Fourth.'),
    failed('s7', ''),
  ];
  const [first, second] = scorecardOf(rubric, sessions).criteria;
  expect(first?.failReasons).toEqual([
    { reason: 'No such book.', sessionCount: 2, sessionId: 's2' },
    { reason: 'It timed out.', sessionCount: 1, sessionId: 's1' },
    { reason: 'Third.', sessionCount: 1, sessionId: 's5' },
  ]);
  expect(second?.failReasons).toEqual([]);
  expect(scorecardOf(rubric, [sessionOf()]).criteria[0]?.failReasons).toEqual([]);
});

test('the rate that is shown is of what held', () => {
  const { criteria } = scorecardOf(rubric, [
    ...[sessionOf(), sessionOf(), sessionOf()],
    sessionOf({ criteria: gradesOf(false, true) }),
  ]);
  const held = criteria[0] && heldRateOf(criteria[0]);
  expect(held?.rate).toBe(0.75);
  expect(held?.interval?.lower).toBeCloseTo(1 - (criteria[0]?.interval?.upper ?? 0), 10);
  expect(heldRateOf({ failRate: null, interval: null })).toBeUndefined();
});
