import { createHash } from 'node:crypto';
import { analyzedVisitOf } from '@proofmark/harness/any-visits.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnalyzedVisit, detectInWindow, pathOfVisit } from './detect-in-window.ts';
import { type KnownScenarioFinding, mineWindow } from './mine-window.ts';
import { sessionOutcomes } from './session-outcome.ts';
import { coverageOfWindow, inputOfWindow } from './visit-window.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

function many(count: number, of: (index: number) => Partial<AnalyzedVisit> = () => ({})) {
  return Array.from({ length: count }, (_, index) =>
    analyzedVisitOf({ id: `cht_${index}`, order: index, ...of(index) }),
  );
}

function found(visits: readonly AnalyzedVisit[]) {
  return detectInWindow(visits).detections.map(({ detector, subject, fired, slice }) => [
    ...[detector, subject.kind, subject.id, fired.length, slice.length],
  ]);
}

test('bad ratings count over the rated sessions of a path, from one and a quarter on', () => {
  const rated = (ratings: readonly (number | null)[]) =>
    found(many(ratings.length, (index) => ({ rating: ratings[index] ?? null })));
  expect(rated([2, null, null, null, null, null])).toEqual([
    ['negative_feedback', 'path', 'ph_1', 1, 1],
  ]);
  expect(rated([2, 5, 5, 5])).toEqual([['negative_feedback', 'path', 'ph_1', 1, 4]]);
  expect(rated([2, 5, 5, 5, 5])).toEqual([]);
  expect(rated([3, 3])).toEqual([]);
});

test('a rating of one answer is about the calls of that answer alone', () => {
  const [search, book] = [
    { id: 'ph_search', label: 'search' },
    { id: 'ph_book', label: 'book' },
  ];
  const whole = { id: 'ph_both', label: 'search → book' };
  const visit = analyzedVisitOf({
    path: whole,
    rating: 1,
    ratedAnswers: [
      { rating: 1, turn: 0, path: search },
      { rating: 5, turn: 1, path: book },
    ],
    failedPrompt: 1,
    firstFailedStage: 'response',
    failureCategory: 'serverData',
  });
  expect(found([visit]).filter(([detector]) => detector === 'negative_feedback')).toEqual([
    ['negative_feedback', 'path', 'ph_search', 1, 1],
  ]);
  const findingOf = (one: AnalyzedVisit) =>
    mineWindow([], [one], { id: 'w', at: 1, coverage: certain }).changes.flatMap(({ finding }) =>
      finding?.candidate.detector === 'negative_feedback' ? [finding] : [],
    )[0];
  expect(findingOf(visit)?.candidate.subjectLabel).toBe('search');
  // The rated answer did not make the failed call.
  expect(findingOf(visit)?.candidate.firstFailedStage).toBeUndefined();
  expect(findingOf(visit)?.candidate.failureCategory).toBeUndefined();
  const blamed = { ...visit, ratedAnswers: [{ rating: 1, turn: 1, path: book }] };
  expect(findingOf(blamed)?.candidate.failureCategory).toBe('serverData');
});

test('sessions that end on an error: a quarter and two, or one below four', () => {
  const ending = (errored: number, of: number) =>
    found(many(of, (index) => ({ outcome: index < errored ? 'errored' : 'completed' }))).filter(
      ([detector]) => detector === 'terminal_error_concentration',
    );
  expect(ending(1, 3)).toEqual([['terminal_error_concentration', 'path', 'ph_1', 1, 3]]);
  expect(ending(1, 4)).toEqual([]);
  expect(ending(2, 8)).toEqual([['terminal_error_concentration', 'path', 'ph_1', 2, 8]]);
  expect(ending(2, 9)).toEqual([]);
});

test('a group struggles from three sessions on, half the time, half as often again as the rest', () => {
  const of = (struggling: number, size: number, rest: number) =>
    found([
      ...many(size, (index) => ({
        id: `m${index}`,
        deviceKind: 'mobile',
        segment: 'guest-new',
        outcome: index < struggling ? 'unresolved' : 'unclear',
      })),
      ...many(4, (index) => ({
        rating: index < rest ? 1 : null,
        path: { id: 'ph_2', label: 'x' },
      })),
    ]).filter(([detector]) => detector === 'cohort_struggles');
  expect(of(2, 3, 1)).toEqual([['cohort_struggles', 'device', 'mobile', 2, 3]]);
  expect(of(2, 2, 1)).toEqual([]);
  expect(of(2, 3, 2)).toEqual([]);
  expect(of(2, 5, 0)).toEqual([]);
});

test('tools and models are looked at as in waves', () => {
  const tool = (errors: number) => ({
    tools: [{ serverId: 'srv', toolName: 'book', errors, durationsMs: [] }],
  });
  expect(found(many(4, (index) => tool(index === 0 ? 1 : 0)))).toEqual([
    ['tool_errors', 'tool', 'srv.book', 1, 4],
  ]);
  expect(found(many(2, (index) => ({ notOffered: index === 0 ? ['fly'] : [] })))).toEqual([
    ['hallucinated_tool', 'tool', 'fly', 1, 2],
  ]);
});

test('a path is the tools in the order of their first call, each once', () => {
  const tool = (toolName: string) => ({ id: `srv.${toolName}`, toolName });
  const path = pathOfVisit([tool('a'), tool('b'), tool('a')], sha256Hex);
  expect(path).toEqual(pathOfVisit([tool('a'), tool('b')], sha256Hex));
  expect(path.label).toBe('a → b');
  expect(path.id).toMatch(/^ph_[0-9a-f]{16}$/);
  expect(pathOfVisit([tool('b'), tool('a')], sha256Hex).id).not.toBe(path.id);
  expect(pathOfVisit([], sha256Hex).label).toBe('no tool');
});

test('of a window so much is said: what is over, what is not, what was not read', () => {
  expect(coverageOfWindow({ total: 4, settled: 2, feedback: 3 })).toEqual({
    unit: 'sessions',
    analyzed: 2,
    total: 4,
    feedbackCount: 3,
    truncated: false,
    lowConfidence: false,
  });
  expect(coverageOfWindow({ total: 5, settled: 2, feedback: 0 }).lowConfidence).toBe(true);
  const large = coverageOfWindow({ total: 501, settled: 501, feedback: 0 });
  expect([large.analyzed, large.truncated]).toEqual([500, true]);
});

test('a window is of its sessions, their last activity and their ratings, in whatever order', () => {
  const one = { id: 'a', lastActivityAt: 1, feedback: [{ rating: 1, updatedAt: 1 }] };
  const two = { id: 'b', lastActivityAt: 2, feedback: [] };
  const input = inputOfWindow([one, two]);
  expect(inputOfWindow([two, one])).toBe(input);
  const others = [
    [one],
    [one, { ...two, lastActivityAt: 3 }],
    [one, { ...two, feedback: [{ rating: 1, updatedAt: 1 }] }],
    [{ ...one, feedback: [{ rating: 1, updatedAt: 2 }] }, two],
    [{ ...one, feedback: [{ rating: 2, updatedAt: 1 }] }, two],
  ];
  for (const other of others) expect(inputOfWindow(other)).not.toBe(input);
});

const certain = { truncated: false, lowConfidence: false };

function minedBy() {
  const known = new Map<string, KnownScenarioFinding>();
  let count = 0;
  const mine = (visits: readonly AnalyzedVisit[], coverage = certain) => {
    count += 1;
    const window = { id: `win_${count}`, at: count, coverage };
    for (const { fingerprint, state, finding } of mineWindow([...known.values()], visits, window)
      .changes) {
      const row = known.get(fingerprint);
      const isCounted = state.lastSeenIn === window.id;
      known.set(fingerprint, {
        fingerprint,
        state,
        detector: row?.detector ?? finding?.candidate.detector ?? '',
        countedSessionIds: isCounted
          ? new Set(visits.map(({ id }) => id))
          : (row?.countedSessionIds ?? new Set()),
      });
    }
    return (fingerprint: string) => {
      const state = known.get(fingerprint)?.state;
      return state && [state.status, state.occurrenceCount];
    };
  };
  return { mine, known };
}

const bookFails = 'tool_errors:tool:srv.book';
const visit = (id: string, errors: number) =>
  analyzedVisitOf({
    id,
    order: Number(id.slice(1)),
    tools: [{ serverId: 'srv', toolName: 'book', errors, durationsMs: [] }],
  });
const visits = (from: number, count: number, errors: number) =>
  Array.from({ length: count }, (_, index) => visit(`s${from + index}`, errors));

test('a bad tool, then fixed, then bad: new, resolved, regressed; mere overlap counts nothing', () => {
  const { mine } = minedBy();
  const bad = visits(0, 3, 1);
  expect(mine(bad)(bookFails)).toEqual(['new', 1]);
  const someGood = visits(10, 2, 0);
  expect(mine([...bad, ...someGood])(bookFails)).toEqual(['new', 1]);
  const good = visits(10, 10, 0);
  expect(mine([...bad, ...good])(bookFails)).toEqual(['resolved', 1]);
  // The problem occurs again because good sessions left the window, but only in sessions that were
  // already counted, so the finding stays resolved.
  expect(mine([...bad, ...someGood])(bookFails)).toEqual(['resolved', 1]);
  expect(mine([...bad, ...good, ...visits(30, 1, 1)])(bookFails)).toEqual(['regressed', 2]);
  expect(mine([...bad, ...visits(30, 2, 1)])(bookFails)).toEqual(['recurring', 3]);
});

test('nothing is resolved where too little is known', () => {
  const { mine } = minedBy();
  mine(visits(0, 3, 1));
  const good = visits(10, 10, 0);
  expect(mine(good, { truncated: true, lowConfidence: false })(bookFails)).toEqual(['new', 1]);
  expect(mine(good, { truncated: false, lowConfidence: true })(bookFails)).toEqual(['new', 1]);
  expect(mine([analyzedVisitOf({ id: 'x' })])(bookFails)).toEqual(['new', 1]);
  expect(mine(good)(bookFails)).toEqual(['resolved', 1]);
});

const anyVisits = fc.uniqueArray(
  fc
    .record({
      id: fc.nat(12),
      outcome: fc.constantFrom(...sessionOutcomes),
      rating: fc.option(fc.integer({ min: 1, max: 5 })),
      segment: fc.constantFrom('guest-new', 'guest-returning'),
      errors: fc.nat(1),
      notOffered: fc.subarray(['fly']),
    })
    .map(({ id, errors, ...one }) => ({ ...visit(`s${id}`, errors), ...one })),
  { selector: ({ id }) => id, maxLength: 12 },
);

test('over any windows a finding counts no more windows than hold a new session, and mining one twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(anyVisits, { minLength: 1, maxLength: 6 }), (windows) => {
      const { mine, known } = minedBy();
      const held: Set<string>[] = [];
      for (const sessions of windows) {
        const before = new Map([...known].map(([key, row]) => [key, row.state]));
        mine(sessions);
        for (const [fingerprint, { state }] of known) {
          const was = before.get(fingerprint);
          if (was !== undefined && was.occurrenceCount !== state.occurrenceCount) {
            const last = held[Number(was.lastSeenIn.slice(4)) - 1] ?? new Set();
            expect(sessions.some(({ id }) => !last.has(id))).toBe(true);
          }
        }
        held.push(new Set(sessions.map(({ id }) => id)));
        const counts = () => [...known].map(([key, { state }]) => [key, state.occurrenceCount]);
        const once = counts();
        mine(sessions);
        held.push(new Set(sessions.map(({ id }) => id)));
        expect(counts()).toEqual(once);
      }
    }),
  );
});
