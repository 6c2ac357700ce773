import { expect, test } from 'vitest';
import { expandedLength } from './expanded-length.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['a{5}', 5],
  ['a{2,7}', 7],
  ['a{3,}', 3],
  ['(ab){10}', 20],
  ['((a{3}){4}b){5}', 65],
  ['\\d{4}-\\d{2}', 7],
  ['[a-z0-9]{8}', 8],
  ['[\\]{]{3}', 3],
  ['\\{5}', 3],
  ['a{2}{3}', 4],
])('%s is %i long', (pattern, length) => {
  expect(expandedLength(pattern)).toBe(length);
});

test('what is no pattern has a length too', () => {
  for (const pattern of ['(', ')', '{', '[', '\\', '((a{9}', 'a{99999999999999}']) {
    expect(expandedLength(pattern)).toBeGreaterThanOrEqual(0);
  }
});
