import { describe, expect, test } from 'vitest';
import { authored, nothingAuthored, rowOf, span } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

describe('what applies', () => {
  test.each<[string, Stage, Partial<TrialEvidence>, boolean]>([
    ['connection always', 'connection', { authored: nothingAuthored }, true],
    ['discovery always', 'discovery', { authored: nothingAuthored }, true],
    ['selection with a prompt', 'selection', authored({}), true],
    ['selection not without', 'selection', authored({ hasPrompt: false }), false],
    ['call with an expected call', 'call', authored({}), true],
    [
      'call in a negative test',
      'call',
      authored({ expectsToolCall: false, isNegativeTest: true }),
      true,
    ],
    ['call not without either', 'call', authored({ expectsToolCall: false }), false],
    [
      'call when arguments that break the schema were answered with an error',
      'call',
      {
        ...authored({ expectsToolCall: false }),
        toolErrors: [{ kind: 'content-error', argumentProblem: 'no city' }],
      },
      true,
    ],
    ['response as call', 'response', authored({}), true],
    ['response not without a call', 'response', authored({ expectsToolCall: false }), false],
    [
      'response with a widget asserted',
      'response',
      authored({ expectsToolCall: false, assertsWidget: true }),
      true,
    ],
    [
      'response when a tool call was seen to fail',
      'response',
      { ...authored({ expectsToolCall: false }), toolErrors: [{ kind: 'content-error' }] },
      true,
    ],
    [
      'response when a tool span failed',
      'response',
      { ...authored({ expectsToolCall: false }), spans: [span({ status: 'error' })] },
      true,
    ],
    ['user value with an assertion', 'userValue', authored({}), true],
    [
      'user value with an expected output',
      'userValue',
      authored({ hasAssertion: false, hasExpectedOutput: true }),
      true,
    ],
    [
      'user value with a widget assertion',
      'userValue',
      authored({ hasAssertion: false, assertsWidget: true }),
      true,
    ],
    ['user value not without', 'userValue', authored({ hasAssertion: false }), false],
  ])('%s', (_title, stage, change, applies) => {
    expect(rowOf(stage, change) !== 'notApplicable/notAuthored').toBe(applies);
  });
});
