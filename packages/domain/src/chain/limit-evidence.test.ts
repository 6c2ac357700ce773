import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { allGood, assertion, span } from './evidence.fixture.ts';

describe('evidence', () => {
  test('holds five of each at most, each once, and cuts a long reason with an ellipsis', () => {
    const assertions = Array.from({ length: 8 }, (_unused, index) => ({
      type: 'responseContains',
      passed: false,
      reason: index === 0 ? 'x'.repeat(501) : `reason ${Math.max(index, 2)}`,
      promptIndex: index,
    }));
    const { evidence } = deriveChain({ ...allGood, assertions }).stageResults[5] ?? {};
    expect(evidence?.promptIndexes).toEqual([0, 1, 2, 3, 4]);
    expect(evidence?.predicateReasons).toEqual([
      `${'x'.repeat(499)}…`,
      'reason 2',
      'reason 3',
      'reason 4',
      'reason 5',
    ]);
    const spans = Array.from({ length: 7 }, (_unused, index) => span({ id: `span-${index}` }));
    expect(deriveChain({ ...allGood, spans }).stageResults[3]?.evidence?.spanIds).toEqual(
      spans.slice(0, 5).map((one) => one.id),
    );
  });

  test('a reason of 500 characters is kept whole, and a cut never splits a character', () => {
    const reasons = ['y'.repeat(500), `${'z'.repeat(498)}😀😀`];
    const assertions = reasons.map((reason) => assertion('responseContains', false, reason));
    const { evidence } = deriveChain({ ...allGood, assertions }).stageResults[5] ?? {};
    expect(evidence?.predicateReasons).toEqual(['y'.repeat(500), `${'z'.repeat(498)}…`]);
  });

  test('empty lists and empty evidence are left out', () => {
    const chain = deriveChain({
      ...allGood,
      assertions: [assertion('responseContains', false, '  ')],
    });
    expect(chain.stageResults[5]).toEqual({
      stage: 'userValue',
      state: 'failed',
      reason: 'predicateFailed',
    });
  });
});
