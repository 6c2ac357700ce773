import { stages, type TrialEvidence, trialStatuses } from '@proofmark/domain';
import fc from 'fast-check';
import { runsOf } from './fixed-seed.ts';

const index = fc.nat(7);
const text = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc
    .integer({ min: 495, max: 505 })
    .map((length) => `${'x'.repeat(length % 2)}${'😀'.repeat(length >> 1)}`),
);
const signal = fc.oneof(
  fc.record({ ok: fc.constant(true as const) }),
  fc.record({
    ok: fc.constant(false as const),
    attribution: fc.constantFrom('ours' as const, 'theirs' as const, 'unknown' as const),
    egressVerified: fc.boolean(),
  }),
);
const spanIds = fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 });
const span = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 4 }),
    category: fc.constantFrom('tool', 'tool', 'llm', 'step', 'error'),
    status: fc.constantFrom('ok' as const, 'error' as const),
    toolName: fc.constantFrom('find', 'read'),
    promptIndex: index,
    mcpErrorCode: fc.constantFrom(-32000, -32001, -32050, -32602, -32603),
    mcpErrorOrigin: fc.constantFrom('ours' as const, 'theirs' as const),
  },
  { requiredKeys: ['id', 'category'] },
);
const turn = fc.record(
  {
    promptIndex: index,
    calledCount: fc.nat(2),
    missingCount: fc.constantFrom(0, 0, 0, 1),
    unexpectedCount: fc.constantFrom(0, 0, 1),
    argumentMismatchCount: fc.constantFrom(0, 0, 0, 1),
    passed: fc.boolean(),
    mismatchedSpanIds: spanIds,
    unexpectedSpanIds: spanIds,
  },
  { requiredKeys: ['missingCount', 'unexpectedCount', 'argumentMismatchCount'] },
);
const laterKinds = [
  'toolNamesUnique',
  'toolDescriptionsPresent',
  'toolCalledBefore',
  'toolCallCountUnder',
  'argumentsMatchToolSchema',
  'toolInputMatches',
  'toolResultContains',
  'toolLatencyUnder',
  'goalCompleted',
  'scorer',
] as const;
const assertion = fc.record(
  {
    type: fc.constantFrom(
      'toolCalledWith',
      'toolCalledAtLeastOnce',
      'toolNeverCalled',
      'firstToolWas',
      'onlyToolsCalled',
      'responseContains',
      'noToolErrors',
      ...laterKinds,
    ),
    passed: fc.constantFrom(true, true, false),
    reason: text,
    promptIndex: index,
    advisory: fc.boolean(),
    spanIds,
    unanswered: fc.constantFrom(false, false, true),
    judgedAs: fc.constantFrom('judgePartial' as const, 'judgeFailed' as const),
  },
  { requiredKeys: ['type', 'passed'] },
);
const judge = fc.oneof(
  fc.record({ status: fc.constantFrom('pending' as const, 'errored' as const) }),
  fc.record(
    {
      status: fc.constant('scored' as const),
      score: fc.oneof(fc.double({ min: 0, max: 1 }), fc.double()),
      threshold: fc.constantFrom(0.7, 0.5, Number.NaN),
      partialFloor: fc.constantFrom(0.4, 0.2),
      reason: text,
    },
    { requiredKeys: ['status', 'score', 'threshold', 'partialFloor'] },
  ),
);
const toolError = fc.record(
  {
    kind: fc.constantFrom('content-error' as const, 'protocol-error' as const),
    spanId: fc.constantFrom('a', 'b'),
    argumentProblem: fc.constantFrom('no city', 'no day'),
    resultProblem: fc.constantFrom('/temperature'),
  },
  { requiredKeys: ['kind'] },
);
const rarely = fc.constantFrom(false, false, false, true);

function few<Item>(item: fc.Arbitrary<Item>) {
  return fc.oneof(fc.constant([] as Item[]), fc.array(item, { maxLength: 3 }));
}

export const arbitraryEvidence: fc.Arbitrary<TrialEvidence> = fc.record(
  {
    authored: fc.record(
      {
        hasPrompt: fc.boolean(),
        expectsToolCall: fc.boolean(),
        isNegativeTest: fc.boolean(),
        hasAssertion: fc.boolean(),
        hasExpectedOutput: fc.boolean(),
        assertsWidget: rarely,
        assertedStages: fc.subarray([...stages]),
      },
      {
        requiredKeys: [
          'hasPrompt',
          'expectsToolCall',
          'isNegativeTest',
          'hasAssertion',
          'hasExpectedOutput',
          'assertsWidget',
        ],
      },
    ),
    status: fc.oneof(
      fc.constantFrom('completed' as const, 'failed' as const),
      fc.constantFrom(...trialStatuses),
    ),
    blockedByPolicy: rarely,
    connect: signal,
    toolsList: signal,
    toolCount: fc.nat(2),
    tracePresent: fc.boolean(),
    executorEmitsSpans: fc.boolean(),
    spans: few(span),
    turns: few(turn),
    assertions: few(assertion),
    toolErrors: few(toolError),
    renders: few(fc.record({ status: fc.constantFrom('rendered', 'rendered', 'mount_failed') })),
    judge: judge as fc.Arbitrary<NonNullable<TrialEvidence['judge']>>,
    attribution: fc.record({
      category: fc.constantFrom('metadata' as const, 'selection' as const),
      quotes: fc.array(text, { maxLength: 2 }),
    }),
    evaluatorError: rarely,
    providerError: rarely,
  },
  {
    requiredKeys: [
      'authored',
      'status',
      'tracePresent',
      'executorEmitsSpans',
      'spans',
      'turns',
      'assertions',
      'toolErrors',
      'renders',
    ],
  },
);

export const runs = runsOf(500);

export function always(law: (evidence: TrialEvidence) => void) {
  fc.assert(fc.property(arbitraryEvidence, law), runs);
}
