import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideSlots, placesToHold, type Sharer } from './divide-slots.ts';

const turnMs = 1000;
const anySharer = fc.record({
  places: fc.nat({ max: 6 }),
  wanted: fc.nat({ max: 12 }),
  sinceMs: fc.nat({ max: 3000 }),
});

test('never more than the bound, nobody more than wanted, and nothing left that somebody wants', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(anySharer), (bound, sharers) => {
      const shares = divideSlots(bound, sharers, turnMs);
      const total = sum(shares);
      expect(total).toBe(Math.min(bound, sum(sharers.map(({ wanted }) => wanted))));
      for (const [index, share] of shares.entries()) {
        const { wanted } = sharers[index] as Sharer;
        expect(share).toBeLessThanOrEqual(wanted);
        if (share < wanted) expect(Math.max(...shares)).toBeLessThanOrEqual(share + 1);
      }
    }),
  );
});

test.each([
  ['equal wishes', 4, [sharer(4, 9), sharer(0, 9)], [2, 2]],
  ['a small wish leaves the rest', 4, [sharer(4, 9), sharer(0, 1)], [3, 1]],
  ['who waits comes before whose turn is over', 1, [sharer(1, 5, 1000), sharer(0, 5)], [0, 1]],
  ['a turn is not cut short', 1, [sharer(1, 5, 999), sharer(0, 5, 2000)], [1, 0]],
  [
    'who waited longest is first',
    1,
    [sharer(0, 1, 5), sharer(0, 1, 9), sharer(1, 1, 2000)],
    [0, 1, 0],
  ],
])('%s', (_, bound, sharers, shares) => {
  expect(divideSlots(bound, sharers, turnMs)).toEqual(shares);
});

test('alone one keeps all places, beside others what is its share', () => {
  expect(placesToHold(4, [sharer(4, 1), sharer(0, 0)], 0, turnMs)).toBe(4);
  expect(placesToHold(4, [sharer(4, 1), sharer(0, 1)], 0, turnMs)).toBe(1);
  expect(placesToHold(4, [sharer(4, 0), sharer(0, 1)], 0, turnMs)).toBe(0);
});

test('whoever looks in whatever order, the bound holds and everybody who wants a place has one at times', () => {
  const process = fc.record({ wanted: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(process, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat({ max: 1000 })),
      (bound, wishes, chances) => {
        const rows = wishes.map(({ wanted }) => ({ places: 0, wanted, changedMs: 0 }));
        const hadPlaces = new Set<number>();
        let nowMs = 0;
        let most = 0;
        // In each round every process checks its share once, in any order, and takes at most the
        // free places.
        for (let round = 0; round < 12 * wishes.length; round += 1) {
          for (const mine of shuffled([...rows.keys()], chances)) {
            nowMs += 50;
            const seen = rows.map(({ places, wanted, changedMs }) => ({
              places,
              wanted,
              sinceMs: nowMs - changedMs,
            }));
            const row = rows[mine] as (typeof rows)[number];
            const free = bound - sum(rows.map(({ places }) => places)) + row.places;
            const places = Math.min(free, placesToHold(bound, seen, mine, turnMs));
            if (places > 0 !== row.places > 0) row.changedMs = nowMs;
            row.places = places;
            if (places > 0) hadPlaces.add(mine);
            most = Math.max(most, sum(rows.map((one) => one.places)));
          }
        }
        expect(most).toBeLessThanOrEqual(bound);
        expect(hadPlaces.size).toBe(wishes.length);
      },
    ),
    { numRuns: 40 },
  );
});

function sharer(places: number, wanted: number, sinceMs = 0): Sharer {
  return { places, wanted, sinceMs };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function shuffled(list: number[], chances: Iterator<number>): number[] {
  const ranked = list.map((one) => ({ one, rank: chances.next().value as number }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}
