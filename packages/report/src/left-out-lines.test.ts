import { expect, test } from 'vitest';
import { leftOutLines, ownWordsLines } from './left-out-lines.ts';

const byName = (word: string) =>
  `held for writing: not annotated readOnlyHint: true, and its name says ${word}`;

test('tools with one reason share a line, each once, and other reasons have their own', () => {
  const items = [
    { name: 'add_book', reason: byName('add') },
    { name: 'delete_book', reason: byName('delete') },
    { name: 'add_book', reason: byName('add') },
    { name: 'page', reason: 'only widgets may call it' },
  ];
  expect(leftOutLines(items, 80)).toEqual([
    'Left out:',
    '  add_book, delete_book: may write by its name, without readOnlyHint: true',
    '  page: only widgets may call it',
  ]);
  expect(leftOutLines([], 80)).toEqual([]);
});

test('many names, long reasons and hostile texts stay within the width and few lines', () => {
  const items = Array.from({ length: 200 }, (_, at) => ({
    name: `tool_${at}\u001b[31m\n`,
    reason: at < 150 ? byName('add') : `reason ${at} `.repeat(40),
  }));
  const lines = leftOutLines(items, 80);
  expect(lines.length).toBeLessThanOrEqual(8);
  expect(lines.at(-1)).toMatch(/^ {2}and \d+ more$/);
  for (const line of lines) {
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line).not.toMatch(/\p{Cc}/u);
  }
  expect(lines[1]).toContain('may write by its name');
});

test('prompts to replace are counted, and the first are shown', () => {
  expect(ownWordsLines(['Get book', 'List books', 'Find author'], 80)).toEqual([
    'Put into your own words: 3 prompts made of names alone, such as',
    '  Get book',
    '  List books',
  ]);
  expect(ownWordsLines(['Get book'], 80)).toEqual([
    'Put into your own words: 1 prompt made of names alone',
    '  Get book',
  ]);
  expect(ownWordsLines([], 80)).toEqual([]);
});
