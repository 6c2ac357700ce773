import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { evidenceFromReport, type ReportedTrial } from './evidence-from-report.ts';
import { readChain } from './read-chain.ts';

const completed = { status: 'completed' } as const;

function rows(trial: Partial<ReportedTrial>) {
  const chain = deriveChain(evidenceFromReport({ ...completed, ...trial }));
  return Object.fromEntries(
    chain.stageResults.map((row) => [row.stage, `${row.state}/${row.reason}`]),
  );
}
function evidence(trial: Partial<ReportedTrial>) {
  return evidenceFromReport({ ...completed, ...trial });
}
function toolResult(part: object) {
  return { messages: [{ role: 'tool', content: [{ type: 'tool-result', ...part }] }] };
}

describe('a report that says nothing', () => {
  test('measures nothing and authors nothing', () => {
    expect(rows({})).toEqual({
      connection: 'notMeasured/traceAbsent',
      discovery: 'notMeasured/traceAbsent',
      selection: 'notApplicable/notAuthored',
      call: 'notApplicable/notAuthored',
      response: 'notApplicable/notAuthored',
      userValue: 'notApplicable/notAuthored',
    });
  });
});

describe('the trace', () => {
  const message = { role: 'user', content: 'hello' };
  test.each<[string, unknown, boolean, boolean]>([
    ['a text', 'a long log', true, false],
    ['an empty text', ' ', false, false],
    ['messages', [message], true, false],
    ['no messages', [], false, false],
    ['an object of messages', { messages: [message] }, true, false],
    ['an object of spans', { spans: [{ id: 'a', category: 'tool' }] }, true, true],
    ['messages and an empty list of spans', { messages: [message], spans: [] }, true, true],
    ['anything raw', { raw: 'x' }, true, false],
    ['an object with nothing in it', { messages: [], spans: [] }, false, true],
    ['a number', 5, false, false],
    ['null', null, false, false],
  ])('%s', (_title, trace, tracePresent, executorEmitsSpans) => {
    expect(evidence({ trace })).toMatchObject({ tracePresent, executorEmitsSpans });
  });

  test('a user message in any of its shapes makes selection apply', () => {
    expect(evidence({ trace: [message] }).authored.hasPrompt).toBe(true);
    expect(evidence({ trace: { messages: [message] } }).authored.hasPrompt).toBe(true);
    expect(evidence({ trace: 'user: hello' }).authored.hasPrompt).toBe(false);
    expect(evidence({ query: 'hello' }).authored.hasPrompt).toBe(true);
  });

  test('spans keep what can be read of them', () => {
    const spans = [
      { id: 'a', category: 'tool', status: 'ok', toolName: 'find', promptIndex: 0, startMs: 1 },
      { id: 'b', category: 'tool', status: 'fine', promptIndex: -1, mcpErrorCode: '-32000' },
      { id: 'c', category: 'tool', status: 'error', mcpErrorCode: -32001 },
      { id: 'e', category: 'tool', mcpErrorCode: -32000, mcpErrorOrigin: 'theirs' },
      { id: 'f', category: 'tool', mcpErrorCode: -32000, mcpErrorOrigin: 'nobody' },
      { category: 'tool' },
      { id: '', category: 'tool' },
      { id: 'd' },
      null,
      'span',
    ];
    expect(evidence({ trace: { spans } }).spans).toEqual([
      { id: 'a', category: 'tool', status: 'ok', toolName: 'find', promptIndex: 0 },
      { id: 'b', category: 'tool' },
      { id: 'c', category: 'tool', status: 'error', mcpErrorCode: -32001 },
      { id: 'e', category: 'tool', mcpErrorCode: -32000, mcpErrorOrigin: 'theirs' },
      { id: 'f', category: 'tool', mcpErrorCode: -32000 },
    ]);
  });

  test.each([
    ['from the server', { mcpErrorOrigin: 'theirs' }, 'serverData'],
    ['of the transport', { mcpErrorOrigin: 'ours' }, 'setup'],
    ['that does not say whose it is', {}, 'setup'],
  ])('a code %s', (_title, origin, category) => {
    for (const mcpErrorCode of [-32000, -32001]) {
      const span = { id: 'a', category: 'tool', status: 'error', mcpErrorCode, ...origin };
      const trial = { trace: { spans: [span] }, expectedToolCalls: [{ toolName: 'find' }] };
      expect(deriveChain(evidence(trial)).failureCategory).toBe(category);
    }
  });

  test('a tool error names the span of its call', () => {
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'find', error: 'closed' };
    const trace = {
      messages: [{ role: 'tool', content: [result] }],
      spans: [
        { id: 's0', category: 'llm', toolCallId: 'c1' },
        { id: 's1', category: 'tool', status: 'error', toolCallId: 'c1' },
      ],
    };
    expect(evidence({ trace }).toolErrors).toEqual([
      { kind: 'protocol-error', toolName: 'find', spanId: 's1' },
    ]);
    const { stageResults } = deriveChain(evidence({ trace, expectedToolCalls: [{ name: 'x' }] }));
    expect(stageResults[3]?.evidence).toEqual({ spanIds: ['s1'] });
  });

  test.each([
    ['toolCalledAtLeastOnce', true],
    ['firstToolWas', true],
    ['toolCalledWith', true],
    ['toolNeverCalled', false],
    ['onlyToolsCalled', false],
  ])('%s makes the call apply: %s', (type, applies) => {
    const metadata = { predicates: [{ predicate: { type }, passed: true }] };
    expect(evidence({ metadata }).authored.expectsToolCall).toBe(applies);
    const advisory = { predicates: [{ predicate: { type, role: 'advisory' }, passed: true }] };
    expect(evidence({ metadata: advisory }).authored.expectsToolCall).toBe(false);
  });

  test.each<[string, object, string | undefined]>([
    ['an error text', { error: 'closed' }, 'protocol-error'],
    ['an error with a message', { error: { message: 'closed' } }, 'protocol-error'],
    [
      'an output of type error-text',
      { output: { type: 'error-text', value: 'no' } },
      'protocol-error',
    ],
    ['an error beside isError', { error: 'closed', isError: true }, 'protocol-error'],
    ['a result that says isError', { result: { isError: true } }, 'content-error'],
    ['an output that says isError', { output: { isError: true } }, 'content-error'],
    [
      'a wrapped output that says isError',
      { output: { type: 'json', value: { isError: true } } },
      'content-error',
    ],
    ['a part that says isError', { isError: true }, 'content-error'],
    ['a good result', { result: { isError: false, content: [] } }, undefined],
    ['an isError that is not true', { isError: 'yes' }, undefined],
    ['an empty error', { error: '' }, undefined],
    ['an error object without a message', { error: {} }, undefined],
  ])('a tool result with %s', (_title, part, kind) => {
    const trace = toolResult({ ...part, toolName: 'find' });
    const expected = kind === undefined ? [] : [{ kind, toolName: 'find' }];
    expect(evidence({ trace }).toolErrors).toEqual(expected);
  });
});

describe('turns', () => {
  const turn = {
    promptIndex: 1,
    missing: [],
    unexpected: [],
    argumentMismatches: [],
    passed: true,
  };

  test('name the spans of wrong calls, where only one can be meant', () => {
    const find = { toolName: 'find' };
    const prompts = [
      { ...turn, argumentMismatches: [{ expected: find, actual: find }], unexpected: [find] },
      { ...turn, promptIndex: 2, unexpected: [{ toolName: 'read' }, { tool: 'list' }, {}] },
    ];
    const spans = [
      { id: 'a', category: 'tool', toolName: 'find', promptIndex: 1 },
      { id: 'b', category: 'tool', toolName: 'find', promptIndex: 2 },
      { id: 'c', category: 'tool', toolName: 'read', promptIndex: 2 },
      { id: 'd', category: 'tool', toolName: 'list', promptIndex: 2 },
      { id: 'e', category: 'tool', toolName: 'list', promptIndex: 2 },
      { id: 'f', category: 'llm', toolName: 'read', promptIndex: 2 },
    ];
    const [first, second] = evidence({ trace: { prompts, spans } }).turns;
    expect(first).toMatchObject({ mismatchedSpanIds: ['a'], unexpectedSpanIds: ['a'] });
    expect(second).toMatchObject({ unexpectedSpanIds: ['c'] });
    expect(second).not.toHaveProperty('mismatchedSpanIds');
  });

  test('are read from the trace', () => {
    const prompts = [
      { ...turn, actualToolCalls: [{ toolName: 'find' }] },
      { ...turn, missing: [{}], argumentMismatches: [{}, {}], passed: 'yes' },
      { ...turn, missing: 'none' },
      { promptIndex: 2 },
      7,
    ];
    const none = { missingCount: 0, unexpectedCount: 0, argumentMismatchCount: 0 };
    expect(evidence({ trace: { prompts } }).turns).toEqual([
      { ...none, promptIndex: 1, calledCount: 1, passed: true },
      { ...none, promptIndex: 1, missingCount: 1, argumentMismatchCount: 2 },
    ]);
  });

  test.each<[string, Partial<ReportedTrial>, string]>([
    [
      'every expected tool was called',
      { expectedToolCalls: [{ toolName: 'a' }], actualToolCalls: [{ name: 'a' }] },
      'passed/observed',
    ],
    [
      'wrong arguments are not judged by names',
      {
        expectedToolCalls: [{ toolName: 'a', arguments: { x: 1 } }],
        actualToolCalls: [{ toolName: 'a', arguments: { x: 2 } }],
      },
      'passed/observed',
    ],
    [
      'one was not called',
      { expectedToolCalls: [{ toolName: 'a' }, { tool: 'b' }], actualToolCalls: [{ tool: 'a' }] },
      'failed/missingToolCall',
    ],
    [
      'none was called',
      { expectedToolCalls: [{ toolName: 'a' }], actualToolCalls: [] },
      'failed/missingToolCall',
    ],
    [
      'an extra call whose verdict nobody stated',
      { expectedToolCalls: [{ name: 'a' }], actualToolCalls: [{ name: 'a' }, { name: 'c' }] },
      'notMeasured/matchVerdictUnavailable',
    ],
    [
      'the calls that were made are not known',
      { expectedToolCalls: [{ toolName: 'a' }] },
      'notMeasured/traceAbsent',
    ],
    [
      'a call that was made has no name',
      { expectedToolCalls: [{ toolName: 'a' }], actualToolCalls: [{}] },
      'notMeasured/traceAbsent',
    ],
    [
      'nothing was expected, so no name can be missing or extra',
      { query: 'hello', expectedToolCalls: [], actualToolCalls: [] },
      'notMeasured/traceAbsent',
    ],
    [
      'a negative test and no call',
      { isNegativeTest: true, actualToolCalls: [] },
      'passed/observed',
    ],
    [
      'a negative test and a call',
      { isNegativeTest: true, actualToolCalls: [{ toolName: 'a' }] },
      'failed/unexpectedToolCall',
    ],
    ['a negative test and nothing known', { isNegativeTest: true }, 'notMeasured/traceAbsent'],
    [
      'turns in the trace outrank the names',
      {
        expectedToolCalls: [{ toolName: 'a' }],
        actualToolCalls: [],
        trace: { prompts: [turn] },
      },
      'passed/observed',
    ],
  ])('selection: %s', (_title, trial, expected) => {
    expect(rows(trial)['selection']).toBe(expected);
  });

  test('names alone point at no prompt and say nothing of the call itself', () => {
    const trial = { expectedToolCalls: [{ toolName: 'a' }], actualToolCalls: [{ toolName: 'a' }] };
    expect(evidence(trial).turns).toEqual([
      { calledCount: 1, missingCount: 0, unexpectedCount: 0, argumentMismatchCount: 0 },
    ]);
    expect(rows({ ...trial, trace: 'log' })['call']).toBe('notMeasured/executorEmitsNoSpans');
  });
});

describe('assertions', () => {
  const failedCheck = {
    predicate: { type: 'responseContains', needle: 'blue' },
    passed: false,
    reason: 'The answer does not hold "blue".',
    scope: { kind: 'turn', promptIndex: 2 },
  };

  test('a failed one fails user value with its reason and place', () => {
    const chain = deriveChain(evidence({ metadata: { predicates: [failedCheck] } }));
    expect(chain.failureCategory).toBe('userValue');
    expect(chain.stageResults[5]?.evidence).toEqual({
      promptIndexes: [2],
      predicateReasons: ['The answer does not hold "blue".'],
    });
  });

  test('an advisory one authors nothing and fails nothing', () => {
    const predicate = { ...failedCheck.predicate, role: 'advisory' };
    expect(rows({ metadata: { predicates: [{ ...failedCheck, predicate }] } })['userValue']).toBe(
      'notApplicable/notAuthored',
    );
  });

  test('malformed results are passed over', () => {
    const predicates = [null, {}, { predicate: {} }, { ...failedCheck, passed: 'no' }, failedCheck];
    expect(evidence({ metadata: { predicates } }).assertions).toHaveLength(1);
    expect(evidence({ metadata: 'none' }).assertions).toEqual([]);
  });

  test('results inside turns count where the list is missing, and only there', () => {
    const { scope: _scope, ...check } = failedCheck;
    const trace = { prompts: [{ promptIndex: 3, predicateResults: [check] }, null] };
    expect(evidence({ trace }).assertions).toMatchObject([{ promptIndex: 3, passed: false }]);
    expect(evidence({ trace, metadata: { predicates: [] } }).assertions).toEqual([]);
  });

  test.each([
    ['a gating toolCalledWith expects a call', { type: 'toolCalledWith' }, 'expectsToolCall', true],
    [
      'an advisory one does not',
      { type: 'toolCalledWith', role: 'advisory' },
      'expectsToolCall',
      false,
    ],
    ['toolNeverCalled alone does not', { type: 'toolNeverCalled' }, 'expectsToolCall', false],
    ['a widget check asserts a widget', { type: 'widgetRendered' }, 'assertsWidget', true],
    ['a widget assertion does too', { kind: 'textVisible' }, 'assertsWidget', true],
  ] as const)('%s', (_title, predicate, fact, expected) => {
    const metadata = { predicates: [{ predicate, passed: true }] };
    expect(evidence({ metadata }).authored[fact]).toBe(expected);
  });
});

test('a failed trial with nothing to read is an aborted set-up', () => {
  const chain = deriveChain(evidenceFromReport({ status: 'failed' }));
  expect(chain).toMatchObject({ failureCategory: 'setup' });
  expect(chain).not.toHaveProperty('firstFailedStage');
});

test('a broken grader that the report states is carried over', () => {
  const chain = deriveChain(evidence({ evaluatorError: true, expectedOutput: 'blue' }));
  expect(chain.failureCategory).toBe('evaluator');
});

test('whatever a report holds, it never throws and gives a chain that reads back', () => {
  const call = fc.record({ toolName: fc.constantFrom('a', 'b') });
  const loose = fc.oneof(
    { maxDepth: 1 },
    fc.jsonValue({ maxDepth: 2 }),
    fc.anything({ maxDepth: 1 }),
  );
  const parts = fc.record(
    {
      messages: fc.oneof(loose, fc.array(fc.record({ role: loose, content: fc.array(loose) }))),
      spans: fc.oneof(loose, fc.array(fc.record({ id: loose, category: fc.constant('tool') }))),
      prompts: fc.oneof(loose, fc.array(fc.record({ missing: loose, unexpected: loose }))),
      raw: loose,
    },
    { requiredKeys: [] },
  );
  const trial = fc.record(
    {
      status: fc.constantFrom('completed' as const, 'failed' as const, 'skipped' as const),
      query: loose,
      trace: fc.oneof(loose, parts),
      expectedToolCalls: fc.oneof(loose, fc.array(call)),
      actualToolCalls: fc.oneof(loose, fc.array(call)),
      metadata: fc.oneof(loose, fc.record({ predicates: loose })),
      isNegativeTest: loose,
      expectedOutput: loose,
    },
    { requiredKeys: ['status'] },
  );
  fc.assert(
    fc.property(trial, (reported) => {
      const chain = deriveChain(evidenceFromReport(reported));
      expect(readChain(chain).status).toBe('verified');
    }),
    runsOf(300),
  );
});
