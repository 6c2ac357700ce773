import { expect, test } from 'vitest';
import { columnLines, noticeLines } from './output.ts';

const long = `The data is in use, so nothing was restored: ${'stop them first '.repeat(8)}.`;

test('a notice fits the terminal it is read at, and is one line for programs', () => {
  expect(noticeLines(long, {})).toEqual([`proofmark: ${long}`]);
  const lines = noticeLines(long, { isTTY: true, columns: 120 });
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(`proofmark: ${long}`);
});

test('a notice of two lines stays two, and each is set in as it was', () => {
  const notice = `warning: ${'many words '.repeat(9)}end\n  at cases/0/${'assertions '.repeat(8)}end`;
  expect(noticeLines(notice, {})).toEqual(`proofmark: ${notice}`.split('\n'));
  const lines = noticeLines(notice, { isTTY: true });
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => /^ {2}at cases/.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/^ {4}\S/);
});

test('where a table would be too wide, its last column stands below', () => {
  const rows = [['one', 'a name of thirty letters or so']];
  expect(columnLines(['ID', 'NAME'], rows, 40)).toEqual([
    'ID   NAME',
    'one  a name of thirty letters or so',
  ]);
  expect(columnLines(['ID', 'NAME'], rows, 30)).toEqual([
    ...['ID', '  NAME', 'one', '  a name of thirty letters or so'],
  ]);
});
