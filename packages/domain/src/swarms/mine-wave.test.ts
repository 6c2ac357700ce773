import {
  analyzedSessionOf,
  anyAnalyzedSessions,
  anyUnplayedSession,
} from '@proofmark/harness/any-sessions.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnalyzedSession } from './analyzed-session.ts';
import { type KnownFinding, mineWave, touchedBy } from './mine-wave.ts';

const certain = { truncated: false, lowConfidence: false };

function minedBy() {
  const known = new Map<string, KnownFinding>();
  const counted = new Map<string, Set<string>>();
  const mine = (
    id: string,
    at: number,
    sessions: readonly AnalyzedSession[],
    coverage = certain,
  ) => {
    const before = counted.get(id) ?? new Set();
    const { found, changes } = mineWave([...known.values()], sessions, {
      id,
      at,
      coverage,
      counted: before,
      tracePathOf: ({ runId, id: sessionId }) => `${runId}/${sessionId}`,
    });
    for (const { fingerprint, state, finding } of changes) {
      const row = known.get(fingerprint);
      const dimension = row?.dimension ?? finding?.candidate.detector ?? '';
      const journeyIds = [...(row?.journeyIds ?? []), ...(finding?.journeyIds ?? [])];
      known.set(fingerprint, { fingerprint, dimension, state, journeyIds });
    }
    counted.set(id, new Set([...before, ...found.map(({ candidate }) => candidate.fingerprint)]));
    return changes;
  };
  const statusOf = (fingerprint: string) => {
    const state = known.get(fingerprint)?.state;
    return state && [state.status, state.occurrenceCount];
  };
  return { mine, statusOf, known };
}

function sessionWith(passed: boolean, more: Partial<AnalyzedSession> = {}): AnalyzedSession {
  return analyzedSessionOf({
    result: passed ? 'passed' : 'failed',
    criteria: [
      { criterionId: 'c', passed, reason: 'The tool "search" failed 3 times.', label: 'C' },
    ],
    ...more,
  });
}

const criterion = 'criterion_fail:criterion:jny_1.c';

test('a problem over five waves: new, recurring, not measured, resolved, regressed', () => {
  const { mine, statusOf } = minedBy();
  const elsewhere = { journey: { id: 'jny_2', name: 'Other' } };
  const waves = [
    [sessionWith(false), 'new', 1],
    [sessionWith(false), 'recurring', 2],
    [sessionWith(true, elsewhere), 'recurring', 2],
    [sessionWith(true), 'resolved', 2],
    [sessionWith(false), 'regressed', 3],
  ] as const;
  for (const [at, [session, status, count]] of waves.entries()) {
    mine(`w${at}`, at, [session]);
    expect(statusOf(criterion)).toEqual([status, count]);
  }
});

test('a wave of which too little was played or read resolves nothing', () => {
  for (const coverage of [
    { truncated: true, lowConfidence: false },
    { truncated: false, lowConfidence: true },
  ]) {
    const { mine, statusOf } = minedBy();
    mine('w1', 1, [sessionWith(false)]);
    mine('w2', 2, [sessionWith(true)], coverage);
    expect(statusOf(criterion)).toEqual(['new', 1]);
    mine('w3', 3, [sessionWith(false)], coverage);
    expect(statusOf(criterion)).toEqual(['recurring', 2]);
  }
});

test('a tool that was never offered is gone when a journey that asked for it asks no more', () => {
  const { mine, statusOf } = minedBy();
  const gone = 'hallucinated_tool:tool:gone';
  mine('w1', 1, [analyzedSessionOf({ notOffered: ['gone'] })]);
  mine('w2', 2, [analyzedSessionOf({ journey: { id: 'jny_2', name: 'Other' } })]);
  expect(statusOf(gone)).toEqual(['new', 1]);
  mine('w3', 3, [analyzedSessionOf()]);
  expect(statusOf(gone)).toEqual(['resolved', 1]);
});

test('a tool that was never offered is not gone while it is one of too many', () => {
  const { mine, statusOf } = minedBy();
  const gone = 'hallucinated_tool:tool:gone';
  const others = Array.from({ length: 100 }, (_, index) => `other_${index}`);
  mine('w1', 1, [analyzedSessionOf({ notOffered: ['gone'] })]);
  mine('w2', 2, [analyzedSessionOf({ notOffered: [...others, 'gone'] })]);
  expect(statusOf(gone)).toEqual(['new', 1]);
  mine('w3', 3, [analyzedSessionOf({ notOffered: [...others, 'one more'] })]);
  expect(statusOf(gone)).toEqual(['resolved', 1]);
});

test('what is told of a finding: counts by target, patterns, exemplars and what to do', () => {
  const { mine } = minedBy();
  const reason = (text: string) => ({
    criteria: [{ criterionId: 'c', passed: false, reason: text, label: 'Books' }],
  });
  const at = { firstFailedStage: 'response', failureCategory: 'serverData' } as const;
  const [change] = mine('w1', 1, [
    sessionWith(false, { id: 'a', order: 1, ...reason('Error 17'), ...at, failedPrompt: 2 }),
    sessionWith(false, { id: 'b', order: 2, ...reason('Error 18'), ...at, targetId: 'host:h' }),
    sessionWith(false, { id: 'c', order: 3, ...reason('Nothing was said') }),
    sessionWith(true, { id: 'd', order: 4 }),
  ]);
  expect(change?.finding).toMatchObject({
    title: 'A check did not hold: “Books (Book)”',
    journeyId: 'jny_1',
    candidate: { firstFailedStage: 'response', failureCategory: 'serverData' },
    nextAction: expect.stringContaining('look in the server'),
    evidence: {
      waveId: 'w1',
      affected: 3,
      sliceTotal: 4,
      contrastSessionIds: ['d'],
      targets: [
        { targetId: 'environment:e', affected: 2, sliceTotal: 3 },
        { targetId: 'host:h', affected: 1, sliceTotal: 1 },
      ],
      patterns: [
        { pattern: 'error <number>', affected: 2 },
        { pattern: 'nothing was said', affected: 1 },
      ],
    },
  });
  expect(change?.finding?.evidence.exemplars[0]).toEqual({
    runId: 'jrn_1',
    sessionId: 'a',
    tracePath: 'jrn_1/a',
    promptIndex: 2,
    reason: 'Error 17',
  });
});

test('mined again, a wave changes nothing, whatever was played in it and in others', () => {
  fc.assert(
    fc.property(fc.array(anyAnalyzedSessions, { maxLength: 4 }), (waves) => {
      const [once, twice] = [minedBy(), minedBy()];
      for (const [at, sessions] of waves.entries()) {
        once.mine(`w${at}`, at, sessions);
        twice.mine(`w${at}`, at, sessions);
        twice.mine(`w${at}`, at, sessions);
      }
      const statesOf = ({ known }: typeof once) =>
        new Map([...known].map(([fingerprint, { state }]) => [fingerprint, state]));
      expect(statesOf(twice)).toEqual(statesOf(once));
    }),
    { numRuns: 50 },
  );
});

test('a wave changes nothing but what it touches', () => {
  fc.assert(
    fc.property(anyAnalyzedSessions, anyAnalyzedSessions, (before, sessions) => {
      const { mine, known } = minedBy();
      mine('w1', 1, before);
      mine('w2', 2, []);
      const { fired, measured } = touchedBy(sessions);
      const isTouched = ({ fingerprint, dimension, state }: KnownFinding) =>
        fired.includes(fingerprint) ||
        (state.status !== 'resolved' &&
          (measured.includes(fingerprint) || dimension === 'hallucinated_tool'));
      const wave = {
        id: 'w3',
        at: 3,
        coverage: certain,
        counted: new Set<string>(),
        tracePathOf: () => '',
      };
      const all = [...known.values()];
      const byFingerprint = (changes: readonly { readonly fingerprint: string }[]) =>
        new Map(changes.map((change) => [change.fingerprint, change]));
      const few = mineWave(all.filter(isTouched), sessions, wave);
      expect(byFingerprint(few.changes)).toEqual(
        byFingerprint(mineWave(all, sessions, wave).changes),
      );
    }),
    { numRuns: 50 },
  );
});

test('no fault of a platform or a provider makes, changes or resolves a finding', () => {
  fc.assert(
    fc.property(
      anyAnalyzedSessions,
      fc.array(anyUnplayedSession, { maxLength: 8 }),
      (sessions, faults) => {
        const { mine, known } = minedBy();
        mine('w1', 1, sessions);
        const before = [...known.values()].map(({ fingerprint, state }) => [fingerprint, state]);
        mine('w2', 2, faults);
        expect([...known.values()].map(({ fingerprint, state }) => [fingerprint, state])).toEqual(
          before,
        );
      },
    ),
    { numRuns: 50 },
  );
});
