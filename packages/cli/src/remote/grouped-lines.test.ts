import { expect, test } from 'vitest';
import { groupedLines } from './grouped-lines.ts';
import { sentenceWrapper } from './indented-lines.ts';

test('rows with the same sentences are printed together, at the place of the first', () => {
  const say = sentenceWrapper({ ascii: false, width: 80 });
  const row = (title: string, ...sentences: string[]) => ({ title, sentences });
  const rows = [row('a', 'One.', 'Two.'), row('b', 'One.'), row('c', 'One.', 'Two.'), row('d')];
  expect(groupedLines(rows, say)).toEqual(['a', 'c', '  One.', '  Two.', 'b', '  One.', 'd']);
});
