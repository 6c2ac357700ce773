import { expect, test } from 'vitest';
import { attachDataRows } from './attach-data-rows.ts';
import type { SuiteFile } from './suite-file.ts';

const rows = Array.from({ length: 50 }, (_, index) => ({
  day: `${index}`,
  text: 'x'.repeat(90_000),
}));
const fileOf = (count: number) =>
  ({
    cases: Array.from({ length: count }, () => ({ data: { key: 'day', file: 'days.csv' } })),
  }) as unknown as SuiteFile;

test('a file that many cases name counts for each of them', () => {
  const four = attachDataRows(fileOf(4), { 'days.csv': rows });
  expect('file' in four && four.file.cases).toHaveLength(4);
  expect(attachDataRows(fileOf(5), { 'days.csv': rows })).toMatchObject({
    problem: {
      path: ['cases', 4, 'data'],
      message: expect.stringContaining('at most 20,000,000 characters'),
    },
  });
});
