import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idMonths } from './id-months.ts';
import { type IdKind, idPrefixes, makeId } from './ids.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const chance = fc.uint8Array({ minLength: 10, maxLength: 10 });
const moment = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2999, 11) });

test('an id made at any moment of a month falls between its bounds, and in no other month', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), moment, chance, (kind, nowMs, bytes) => {
      const id = makeId(kind, nowMs, bytes);
      const around = idMonths(kind, nowMs - 40 * 24 * 3_600_000, 6);
      const holding = around.filter(({ from, to }) => from <= id && id < to);
      const name = new Date(nowMs).toISOString().slice(0, 7).replace('-', '_');
      expect(holding.map((month) => month.name)).toEqual([name]);
    }),
  );
});

test('the first and the last millisecond of a month belong to it, whatever chance says', () => {
  fc.assert(
    fc.property(moment, (nowMs) => {
      const [month, next] = idMonths('evalRun', nowMs, 2);
      const date = new Date(nowMs);
      const [year, index] = [date.getUTCFullYear(), date.getUTCMonth()];
      const first = makeId('evalRun', Date.UTC(year, index), new Uint8Array(10));
      const last = makeId('evalRun', Date.UTC(year, index + 1) - 1, new Uint8Array(10).fill(255));
      const after = makeId('evalRun', Date.UTC(year, index + 1), new Uint8Array(10));
      expect(month && month.from <= first && last < month.to && month.to <= after).toBe(true);
      expect(next && next.from <= after).toBe(true);
    }),
  );
});

test('months follow each other without a gap and do not overlap, over the end of a year', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 2, max: 30 }), (nowMs, count) => {
      const months = idMonths('evalRun', nowMs, count);
      expect(months).toHaveLength(count);
      for (const [index, { from, to }] of months.entries()) {
        expect(from < to).toBe(true);
        expect(months[index + 1]?.from ?? to).toBe(to);
      }
    }),
  );
  const names = idMonths('evalRun', Date.UTC(2026, 10, 30, 23, 59, 59, 999), 3);
  expect(names.map(({ name }) => name)).toEqual(['2026_11', '2026_12', '2027_01']);
});
