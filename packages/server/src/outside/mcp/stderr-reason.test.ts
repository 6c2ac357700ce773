import { expect, test } from 'vitest';
import { StderrReason } from './stderr-reason.ts';

test.each<[string, readonly string[], string | undefined]>([
  ['nothing', [], undefined],
  ['the last line where none tells of an error', ['starting', 'ready'], 'ready'],
  [
    'an error before its stack',
    ['ready', 'TypeError: no such shelf', '    at open (shelf.js:3:1)', 'Node.js v22'],
    'TypeError: no such shelf',
  ],
  [
    'the last of several errors',
    ['Error: one', 'at x', 'fatal error: two', 'at y'],
    'fatal error: two',
  ],
  ['no error that a word alone names', ['Error: one', 'errors are logged here'], 'Error: one'],
  [
    'the last line where an error is long past',
    ['Error: one request', ...Array.from({ length: 60 }, (_, at) => `request ${at} done`)],
    'request 59 done',
  ],
])('the last words are %s', (_title, lines, expected) => {
  const words = new StderrReason();
  for (const line of lines) words.add(line);
  expect(words.line).toBe(expected);
});

test('a line that repeats such a word keeps nobody waiting', { timeout: 5_000 }, () => {
  const words = new StderrReason();
  const line = 'error '.repeat(30_000);
  words.add(line);
  words.add('Error: the end');
  expect(words.line).toBe('Error: the end');
});
