/** Files that are built to keep a parser busy are answered all the same; a test that hangs is one that fails. */
import { expect, test } from 'vitest';
import { largestSuiteFileBytes, readSuiteFile } from './read-suite-file.ts';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

test.each<[string, string]>([
  ['many empty lists', '[],'.repeat(300_000)],
  ['many question marks', `a: {${'? '.repeat(200_000)}`],
  ['many anchors', lines(80_000, (index) => `- &a${index} x`)],
  ['many keys in one map', lines(80_000, (index) => `k${index}: 1`)],
  ['one key again and again', 'a: 1\n'.repeat(200_000)],
  ['a long list', `[${'a,'.repeat(400_000)}]`],
  ['tabs', '\t'.repeat(1_000_000)],
  ['quotes', "'".repeat(1_000_000)],
  ['colons', 'a: '.repeat(300_000)],
  ['comments', '#\n'.repeat(500_000)],
  ['many documents', '---\n'.repeat(200_000)],
  ['dashes on one line', '- '.repeat(400_000)],
  ['a block as deep as it gets', lines(1400, (index) => `${' '.repeat(index)}a:`)],
])('%s', { timeout: 20_000 }, (_title, text) => {
  expect(readSuiteFile(text.slice(0, largestSuiteFileBytes))).toHaveProperty('findings');
});
