import { expect, test } from 'vitest';
import { mergeSarif } from './merge-sarif.ts';

const log = (...ids: string[]) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Proofmark', rules: ids.map((id) => ({ id })) } },
      results: ids.map((ruleId, ruleIndex) => ({ ruleId, ruleIndex, message: { text: ruleId } })),
    },
  ],
});

test('two logs become one run with each rule once and indexes that fit', () => {
  const merged = mergeSarif([log('a', 'b'), undefined, log('b', 'c')]);
  expect(merged).toEqual({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Proofmark', rules: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] } },
        results: [
          { ruleId: 'a', ruleIndex: 0, message: { text: 'a' } },
          { ruleId: 'b', ruleIndex: 1, message: { text: 'b' } },
          { ruleId: 'b', ruleIndex: 1, message: { text: 'b' } },
          { ruleId: 'c', ruleIndex: 2, message: { text: 'c' } },
        ],
      },
    ],
  });
});

test('no log is no merged log', () => {
  expect(mergeSarif([undefined, 'x', {}])).toBeUndefined();
});
