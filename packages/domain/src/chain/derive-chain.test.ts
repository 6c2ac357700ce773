import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood } from './evidence.fixture.ts';

test('a trial in which all went well passes all six stages and carries the version', () => {
  const chain = deriveChain(allGood);
  expect(chain.stageResults.every((row) => row.state === 'passed')).toBe(true);
  expect(Object.keys(chain)).toEqual(['stageResults', 'stageAnalyzerVersion']);
  expect(chain.stageAnalyzerVersion).toBe(2);
});
