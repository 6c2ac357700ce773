import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FindingState, type SeenInScope, stepOfFinding } from './finding-states.ts';

function after(
  ...waves: readonly (readonly [at: number, seen: SeenInScope, id?: string])[]
): FindingState | undefined {
  const counted = new Set<string>();
  return waves.reduce<FindingState | undefined>((before, [at, seen, id = `w${at}`]) => {
    const next = stepOfFinding(before, { id, at }, seen, counted.has(id));
    if (seen === 'fires') counted.add(id);
    return next;
  }, undefined);
}

test('fails, fails, is not measured, holds, fails', () => {
  expect(after([1, 'fires'])).toMatchObject({ status: 'new', occurrenceCount: 1, firstSeenAt: 1 });
  expect(after([1, 'fires'], [2, 'fires'])).toMatchObject({
    status: 'recurring',
    occurrenceCount: 2,
    firstSeenAt: 1,
    lastSeenAt: 2,
    lastSeenIn: 'w2',
  });
  const unmeasured = after([1, 'fires'], [2, 'fires'], [3, 'notMeasured']);
  expect(unmeasured).toEqual(after([1, 'fires'], [2, 'fires']));
  const resolved = after([1, 'fires'], [2, 'fires'], [3, 'notMeasured'], [4, 'quiet']);
  expect(resolved).toMatchObject({
    status: 'resolved',
    resolvedAt: 4,
    occurrenceCount: 2,
    lastSeenAt: 2,
  });
  expect(after([1, 'fires'], [2, 'fires'], [4, 'quiet'], [5, 'fires'])).toMatchObject({
    status: 'regressed',
    occurrenceCount: 3,
    resolvedAt: null,
    lastSeenAt: 5,
  });
  expect(after([1, 'fires'], [2, 'quiet'], [3, 'fires'], [4, 'fires'])?.status).toBe('recurring');
});

test('what was never seen is no finding', () => {
  expect(after([1, 'quiet'], [2, 'notMeasured'])).toBeUndefined();
});

test('an older wave adds to the count and changes no status', () => {
  expect(after([5, 'fires'], [3, 'fires'])).toMatchObject({
    status: 'new',
    occurrenceCount: 2,
    firstSeenAt: 3,
    lastSeenAt: 5,
    lastSeenIn: 'w5',
  });
  expect(after([5, 'fires'], [3, 'quiet'])).toEqual(after([5, 'fires']));
  const resolvedLater = after([1, 'fires'], [6, 'quiet'], [4, 'fires']);
  expect(resolvedLater).toMatchObject({ status: 'resolved', occurrenceCount: 2, lastSeenAt: 4 });
});

test('a wave that is mined again counts once, also where others came in between', () => {
  expect(after([1, 'fires'], [1, 'fires'])).toEqual(after([1, 'fires']));
  expect(after([1, 'fires'], [2, 'fires'], [1, 'fires'])).toEqual(
    after([1, 'fires'], [2, 'fires']),
  );
  expect(after([1, 'fires', 'w'], [2, 'quiet', 'x'], [3, 'fires', 'w'])).toMatchObject({
    status: 'regressed',
    occurrenceCount: 1,
  });
});

const anyWaves = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom('fires', 'quiet', 'notMeasured')),
  { maxLength: 12 },
);

test('whatever comes in whatever order: mined twice is mined once, and the count is the number of waves that fired', () => {
  fc.assert(
    fc.property(anyWaves, (waves) => {
      // Waves may be mined repeatedly and in any order, so only one outcome per wave is kept.
      const once = [...new Map(waves).entries()] as [number, SeenInScope][];
      const state = after(...once);
      expect(after(...once.flatMap((wave) => [wave, wave]))).toEqual(state);
      const fired = once.filter(([, seen]) => seen === 'fires');
      expect(state?.occurrenceCount ?? 0).toBe(fired.length);
      if (state === undefined) return;
      expect(state.firstSeenAt).toBe(Math.min(...fired.map(([at]) => at)));
      expect(state.lastSeenAt).toBe(Math.max(...fired.map(([at]) => at)));
      expect(state.resolvedAt !== null).toBe(state.status === 'resolved');
    }),
  );
});
