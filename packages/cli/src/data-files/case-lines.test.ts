import { expect, test } from 'vitest';
import { readCaseLines } from './case-lines.ts';

const yaml = `# A suite.
suite:
  id: shop
cases:
  - id: surface
    title: One

  # A comment above a case.
  - title: Its id comes second
    id: second
    steps:
      - id: not-a-case
  - ask: Hi
    calls: get_book(bookId: 3, title: Tea)
    id: short
`;

test('a case is found at the line of its id, a row at that of its case', async () => {
  const lineOf = await readCaseLines(yaml);
  expect(lineOf('surface')).toBe(5);
  expect(lineOf('second')).toBe(10);
  expect(lineOf('second-0123456789ab')).toBe(10);
  expect(lineOf('short')).toBe(15);
  expect(lineOf('not-a-case')).toBeUndefined();
});

test('JSON has lines too, and a text that is no suite has none', async () => {
  const lineOf = await readCaseLines('{\n "cases": [\n  { "id": "one" } ] }');
  expect(lineOf('one')).toBe(3);
  for (const text of ['', 'cases: 1', '- a', '{', 'cases:\n  - 1']) {
    expect((await readCaseLines(text))('one')).toBeUndefined();
  }
});
