import { expect, test } from 'vitest';
import { readScoredCases } from './scored-cases.ts';

const scorer = '{ type: scorer, url: "https://scorers.example/tone", threshold: 0.8 }';

test('a case is scored by what it states itself, in its steps too, and each of its rows is', async () => {
  const asks = await readScoredCases(`
cases:
  - { id: plain, ask: Hello }
  - { id: whole, ask: Hello, assertions: [${scorer}] }
  - { id: step, steps: [{ kind: assert, assertion: ${scorer} }] }
`);
  expect(['plain', 'whole', 'step', 'gone'].map(asks)).toEqual([false, true, true, false]);
  expect(asks('whole-0123456789ab')).toBe(true);
});

test('a scored case without an id may be any', async () => {
  const asks = await readScoredCases(`cases: [{ id: plain }, { assertions: [${scorer}] }]`);
  expect(asks('plain')).toBe(true);
});

test('a check of the suite scores every case', async () => {
  const asks = await readScoredCases(`defaults: { checks: [${scorer}] }\ncases: [{ id: plain }]`);
  expect(asks('plain')).toBe(true);
});

test('a file of another form scores none', async () => {
  for (const content of ['', '[]', 'cases: 1', 'a: &a { b: *a }']) {
    expect((await readScoredCases(content))('plain'), content).toBe(false);
  }
});
