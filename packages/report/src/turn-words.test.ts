import { describe, expect, test } from 'vitest';
import { turnWords } from './turn-words.ts';

describe('a turn', () => {
  const stated = { passed: true, expected: [{ toolName: 'refund' }] };
  const stages = (stage: string, reason: string, promptIndexes?: number[]) =>
    [
      { stage, state: 'failed', reason, ...(promptIndexes && { evidence: { promptIndexes } }) },
    ] as never;

  const unmeasured = [
    { stage: 'selection', state: 'notMeasured', reason: 'providerError' },
  ] as never;
  const failedCheck = (type: string, role = 'gating') => ({
    predicate: { type, role },
    passed: false,
    reason: 'No.',
  });

  test.each<[string, Parameters<typeof turnWords>, string | undefined]>([
    ['nothing failed', [stated, 0, []], 'calls as expected'],
    ['its own calls failed', [{ ...stated, passed: false }, 0, []], 'calls not as expected'],
    ['it is not known', [{ expected: [] }, 0, []], undefined],
    [
      'a call gave no result',
      [stated, 0, stages('call', 'protocolError')],
      'called, without a usable result',
    ],
    [
      'the tool failed',
      [stated, 0, stages('response', 'toolError', [0])],
      'called, without a usable result',
    ],
    [
      'a check of the case failed',
      [stated, 0, stages('call', 'argumentMismatch')],
      'the calls it states were made',
    ],
    ['it states no call', [{ passed: true, expected: [] }, 0, []], undefined],
    [
      'the case makes the call and another fails',
      [{ passed: true, expected: [] }, 0, stages('selection', 'missingToolCall')],
      undefined,
    ],
    [
      'it states none and one was made',
      [{ passed: false, expected: [] }, 0, stages('selection', 'unexpectedToolCall')],
      'calls that the case does not allow',
    ],
    [
      'its call was to be made twice',
      [
        { ...stated, checks: [failedCheck('toolCalledWith')] },
        0,
        stages('selection', 'missingToolCall', [0]),
      ],
      'calls not as a check of it asks',
    ],
    [
      'a check of its answer failed',
      [{ ...stated, checks: [failedCheck('responseContains')] }, 0, []],
      'the calls it states were made',
    ],
    [
      'a check that only advises failed',
      [{ ...stated, checks: [failedCheck('toolNeverCalled', 'advisory'), null] }, 0, []],
      'calls as expected',
    ],
    ['the provider failed in it', [{ ...stated, passed: false }, 0, unmeasured], undefined],
    ['another turn failed', [stated, 0, stages('response', 'toolError', [1])], 'calls as expected'],
    ['the answer failed', [stated, 0, stages('userValue', 'predicateFailed')], 'calls as expected'],
  ])('never contradicts the stages above it: %s', (_title, given, text) => {
    expect(turnWords(...given)?.text).toBe(text);
  });
});
