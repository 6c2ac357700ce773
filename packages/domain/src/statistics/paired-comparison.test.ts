import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CaseOnSide, comparePaired, isPairedDrop } from './paired-comparison.ts';
import { signFlipChance } from './sign-flip.ts';

function side(counts: readonly string[], clusters: readonly string[] = []): CaseOnSide[] {
  return counts.map((count, at) => {
    const [passed = 0, trials = 0] = count.split('/').map(Number);
    return { key: `case-${at}`, cluster: clusters[at] ?? `case-${at}`, passed, trials };
  });
}

const times = (amount: number, ...counts: string[]) =>
  Array.from({ length: amount }, () => counts).flat();

describe('the method', () => {
  test('is none below 6 pairs, and nothing is told', () => {
    const found = comparePaired(side(times(5, '5/5')), side(times(5, '0/5')));
    expect(found).toMatchObject({ pairs: 5, difference: -1, method: 'none', p: null });
    expect(isPairedDrop(found)).toBeUndefined();
  });

  test('is sign flips from 6 to 19 pairs', () => {
    for (const pairs of [6, 19]) {
      const found = comparePaired(side(times(pairs, '5/5')), side(times(pairs, '0/5')));
      expect(found).toMatchObject({ pairs, method: 'signFlip', p: 2 ** (1 - pairs) });
      expect(isPairedDrop(found)).toBe(true);
    }
  });

  test('is t from 20 pairs on', () => {
    const base = times(10, '5/5', '4/5');
    expect(comparePaired(side(base), side(times(20, '4/5')))).toMatchObject({ method: 't' });
  });

  test('is sign flips where equal differences leave t without a spread', () => {
    const found = comparePaired(side(times(30, '10/10')), side(times(30, '9/10')));
    expect(found).toMatchObject({ method: 'signFlip', p: 2 ** -29, standardError: 0 });
  });

  test('is McNemar with one trial of each case on each side', () => {
    const base = side(times(12, '1/1', '1/1'));
    const found = comparePaired(base, side(times(12, '0/1', '1/1')));
    expect(found).toMatchObject({ method: 'mcnemar', pairs: 24, p: expect.closeTo(2 ** -11, 12) });
    const two = comparePaired(base, side([...times(23, '1/1'), '1/2']));
    expect(two.method).toBe('t');
  });

  test('counts clusters, not cases', () => {
    const clusters = times(6, ...['a', 'b', 'c', 'd', 'e', 'f'].slice(0, 5));
    const found = comparePaired(side(times(30, '1/1'), clusters), side(times(30, '0/1'), clusters));
    expect(found).toMatchObject({ pairs: 30, clusters: 5, method: 'none', p: null });
  });

  test('is no McNemar for clusters', () => {
    const clusters = Array.from({ length: 24 }, (_, at) => String(at % 8));
    const found = comparePaired(side(times(24, '1/1'), clusters), side(times(24, '0/1'), clusters));
    expect(found).toMatchObject({ clusters: 8, method: 'signFlip', p: 2 ** -7 });
  });
});

describe('the difference', () => {
  test('is the mean over cases, however many trials each has', () => {
    const base = side(['1/1', '10/10', '5/10', '5/10', '5/10', '5/10']);
    const found = comparePaired(base, side(['0/1', '10/10', '5/10', '5/10', '5/10', '5/10']));
    expect(found.difference).toBeCloseTo(-1 / 6, 15);
    expect(found.standardError).toBeCloseTo(1 / 6, 15);
  });

  test('is the sum of squares by cluster over the squared number of cases', () => {
    const clusters = times(12, 'x').map((_, at) => String(Math.floor(at / 2)));
    const compare = ['0/2', '0/2', ...times(10, '2/2')];
    const found = comparePaired(side(times(12, '2/2'), clusters), side(compare, clusters));
    const mean = -1 / 6;
    const squares = (-2 - 2 * mean) ** 2 + 5 * (2 * mean) ** 2;
    expect(found.standardError).toBeCloseTo(Math.sqrt(squares) / 12, 14);
  });

  test('is no drop where rises and drops cancel out', () => {
    const base = side(times(3, '1/10', '3/10', '8/10', '2/10'));
    const found = comparePaired(base, side(times(3, '3/10', '1/10', '7/10', '3/10')));
    expect(found).toMatchObject({ difference: 0, p: 1 });
    expect(isPairedDrop(found)).toBe(false);
  });

  test('upwards is no drop', () => {
    const found = comparePaired(side(times(10, '0/5')), side(times(10, '5/5')));
    expect(found.difference).toBe(1);
    expect(isPairedDrop(found)).toBe(false);
  });

  test('just within the level is a drop', () => {
    // 2 of the 64 choices of signs are as far from zero, so p is 1/32.
    const found = comparePaired(side(times(6, '5/5')), side(times(6, '4/5')));
    expect(found.p).toBe(1 / 32);
    expect(isPairedDrop(found)).toBe(true);
    expect(isPairedDrop({ ...found, p: 0.05 })).toBe(true);
    expect(isPairedDrop({ ...found, p: 0.0501 })).toBe(false);
  });
});

test('cases on one side, and without graded trials, are named and left out', () => {
  const base = side(['5/5', '5/5', '0/0', '5/5']);
  const compare = side(['5/5', '0/0', '5/5', '5/5', '1/5']).filter(({ key }) => key !== 'case-0');
  expect(comparePaired(base, compare)).toEqual({
    pairs: 1,
    clusters: 1,
    difference: 0,
    standardError: null,
    method: 'none',
    p: null,
    level: 0.05,
    left: ['case-0'],
    right: ['case-4'],
    ungraded: ['case-1', 'case-2'],
  });
  expect(comparePaired([], [])).toMatchObject({ pairs: 0, difference: null, p: null });
});

describe('sign flips', () => {
  test.each([
    [[1, 1, 1], 2 / 8],
    [[1, 1, -1], 1],
    [[3, 1, 1], 2 / 8],
    [[3, 1, -1], 6 / 8],
    [[0.1, 0.2, -0.3], 1],
    [[0.3, 0.1, 0.2, -0.4], 14 / 16],
    [[0, 0, 0], 1],
    [[], 1],
    [[0, 1, 1], 2 / 4],
  ])('%j: %d', (differences, chance) => {
    expect(signFlipChance(differences)).toBeCloseTo(chance, 12);
  });

  test('count every choice of signs', () => {
    const tenths = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(tenths, (whole) => {
        const observed = Math.abs(whole.reduce((sum, one) => sum + one, 0));
        let reached = 0;
        for (let signs = 0; signs < 2 ** whole.length; signs += 1) {
          const flipped = whole.reduce((sum, one, at) => sum + ((signs >> at) & 1 ? -one : one), 0);
          if (Math.abs(flipped) >= observed) reached += 1;
        }
        const chance = signFlipChance(whole.map((one) => one / 10));
        expect(chance).toBeCloseTo(reached / 2 ** whole.length, 10);
      }),
    );
  });

  test('of more differences than can be counted are refused, unless all agree', () => {
    expect(signFlipChance(times(40, '1').map(Number))).toBe(2 ** -39);
    expect(() => signFlipChance([...times(24, '1').map(Number), -0.5])).toThrow(
      'more differences than it can compute',
    );
  });
});
