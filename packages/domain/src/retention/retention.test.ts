import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeKeepRule,
  type KeepRule,
  keepEverything,
  keepsAll,
  parseKeepRule,
  type RunToRetain,
  retainRuns,
  retainSessions,
  type SessionToRetain,
} from './retention.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 16);
const rule: fc.Arbitrary<KeepRule> = fc.record({
  days: fc.option(fc.integer({ min: 1, max: 20 })),
  count: fc.option(fc.integer({ min: 1, max: 6 })),
});
const runs: fc.Arbitrary<RunToRetain[]> = fc
  .array(
    fc.record({
      suiteId: fc.constantFrom('one', 'other'),
      atMs: fc.integer({ min: 0, max: 30 }).map((days) => now - days * dayMs),
      isOpen: fc.boolean(),
      isWaived: fc.boolean(),
      isDecided: fc.boolean(),
      countsForSuite: fc.boolean(),
      hasTraces: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((rows) => rows.map((row, index) => ({ ...row, id: `run-${index}`, runNumber: index + 1 })));

const run = (runNumber: number, changed: Partial<RunToRetain> = {}): RunToRetain => ({
  id: `run-${runNumber}`,
  suiteId: 'one',
  runNumber,
  atMs: now,
  isOpen: false,
  isWaived: false,
  isDecided: false,
  countsForSuite: true,
  hasTraces: true,
  ...changed,
});

const placeOf = (
  all: readonly RunToRetain[],
  { suiteId, runNumber, countsForSuite }: RunToRetain,
) =>
  all.filter(
    (other) =>
      other.suiteId === suiteId &&
      other.countsForSuite === countsForSuite &&
      other.runNumber > runNumber,
  ).length;
const isBeyond = ({ days, count }: KeepRule, atMs: number, place: number) =>
  (days !== null && now - atMs > days * dayMs) || (count !== null && place >= count);

describe('retention of runs', () => {
  test('takes what a rule does not keep, but nothing open, waived or newest of the decided', () => {
    fc.assert(
      fc.property(runs, rule, rule, (all, ofRuns, ofTraces) => {
        const gone = retainRuns(all, { runs: ofRuns, traces: ofTraces }, now);
        const newest = new Set(
          ['one', 'other'].map(
            (suiteId) =>
              all
                .filter((one) => one.suiteId === suiteId && one.isDecided && one.countsForSuite)
                .at(-1)?.id,
          ),
        );
        const mayGo = (one: RunToRetain) => !one.isOpen && !one.isWaived && !newest.has(one.id);
        const going = all.filter(
          (one) => mayGo(one) && isBeyond(ofRuns, one.atMs, placeOf(all, one)),
        );
        const losing = all.filter(
          (one) =>
            mayGo(one) &&
            !going.includes(one) &&
            one.hasTraces &&
            isBeyond(ofTraces, one.atMs, placeOf(all, one)),
        );
        expect([...gone.runs].sort()).toEqual(going.map(({ id }) => id).sort());
        expect([...gone.traces].sort()).toEqual(losing.map(({ id }) => id).sort());
      }),
    );
  });

  test('without a rule takes nothing', () => {
    fc.assert(
      fc.property(runs, (all) => {
        expect(retainRuns(all, keepEverything, now)).toEqual({
          runs: [],
          traces: [],
          spared: { open: 0, waived: 0, newestDecided: 0 },
        });
      }),
    );
  });

  test('does not depend on the order in which runs are told', () => {
    fc.assert(
      fc.property(runs, rule, (all, ofRuns) => {
        const retention = { runs: ofRuns, traces: keepsAll };
        expect(retainRuns([...all].reverse(), retention, now)).toEqual(
          retainRuns(all, retention, now),
        );
      }),
    );
  });

  test('says why a run stays that its rule does not keep', () => {
    const all = [
      run(1, { isDecided: true }),
      run(2, { isDecided: true }),
      run(3, { isOpen: true, isWaived: true }),
      run(4, { isWaived: true }),
      run(5),
      run(6),
    ];
    const kept = retainRuns(all, { runs: { days: null, count: 1 }, traces: keepsAll }, now);
    expect(kept).toEqual({
      runs: ['run-5', 'run-1'],
      traces: [],
      spared: { open: 1, waived: 1, newestDecided: 1 },
    });
  });

  test('replays push nothing out that tells of the suite, and are bounded among themselves', () => {
    const replayed = { countsForSuite: false };
    const all = [run(1), run(2), ...[3, 4, 5].map((number) => run(number, replayed))];
    const two = { days: null, count: 2 };
    expect(retainRuns(all, { runs: two, traces: keepsAll }, now).runs).toEqual(['run-3']);
    expect(retainRuns(all, { runs: keepsAll, traces: two }, now).traces).toEqual(['run-3']);
  });

  test('a day is over after 24 hours, and not before', () => {
    const retention = { runs: { days: 1, count: null }, traces: keepsAll };
    const at = (atMs: number) => retainRuns([run(1, { atMs })], retention, now).runs;
    expect(at(now - dayMs)).toEqual([]);
    expect(at(now - dayMs - 1)).toEqual(['run-1']);
  });
});

test('chat sessions are counted for each person, newest first', () => {
  const session = fc.record({
    id: fc.uuid(),
    accountId: fc.constantFrom('one', 'other'),
    lastActivityMs: fc.integer({ min: 0, max: 30 }).map((days) => now - days * dayMs),
  });
  const sessions = fc.uniqueArray(session, { selector: ({ id }) => id, maxLength: 20 });
  fc.assert(
    fc.property(sessions, rule, (all: SessionToRetain[], of) => {
      const gone = new Set(retainSessions(all, of, now));
      for (const person of ['one', 'other']) {
        const own = all.filter(({ accountId }) => accountId === person);
        const kept = own.filter(({ id }) => !gone.has(id));
        const young = own.filter(
          ({ lastActivityMs }) => !isBeyond({ ...of, count: null }, lastActivityMs, 0),
        );
        expect(kept.length).toBe(Math.min(young.length, of.count ?? young.length));
        const oldestKept = Math.min(...kept.map(({ lastActivityMs }) => lastActivityMs));
        for (const { id, lastActivityMs } of own) {
          if (gone.has(id)) expect(lastActivityMs).toBeLessThanOrEqual(oldestKept);
        }
      }
    }),
  );
});

test.each([
  ['none', keepsAll, 'all'],
  ['90d', { days: 90, count: null }, '90 days'],
  ['50', { days: null, count: 50 }, 'the newest 50'],
  ['90d/50', { days: 90, count: 50 }, 'the newest 50, at most 90 days'],
])('%s is a rule', (text, expected, words) => {
  const read = parseKeepRule(text);
  expect(read).toEqual(expected);
  expect(describeKeepRule(read as KeepRule)).toBe(words);
});

test.each(['', '0', '0d', '90d/0', '0d/50', '50/90d', '/50', '90d/', '90d50', '-1', '1w', '90dd'])(
  '"%s" is none',
  (text) => {
    expect(parseKeepRule(text)).toBeUndefined();
  },
);

test('nothing is removed where a fact that protects a run was not read', () => {
  const unread = { id: 'run_1', suiteId: 'suite_1', runNumber: 1, atMs: 0, isOpen: false };
  const run = { ...unread, isWaived: false, isDecided: true, hasTraces: true } as never;
  const retention = { runs: { days: 1 }, traces: null } as never;
  expect(() => retainRuns([run], retention, 10 ** 12)).toThrow('no run is removed');
});
