/**
 * Removing evidence from a transcript may leave an assertion without an answer, but never inverts
 * the answer.
 */
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateAssertion } from './evaluate-assertion.ts';
import { engines } from './seen.fixture.ts';
import type { CallResult, ListedTool, ToolCall, Transcript } from './transcript.ts';

const name = fc.constantFrom('a', 'b');
const server = fc.option(fc.constantFrom('S', 'T'), { nil: undefined });
const words = fc.constantFrom('', 'sun', 'sunny day', '{"x":1}', '{"x":[1,2]}', '[1,2]', '7');
const result: fc.Arbitrary<CallResult> = fc
  .record({
    text: fc.option(words, { nil: undefined }),
    structuredContent: fc.option(fc.constantFrom({ x: 1 }, [1, 2], 'sun', { x: 'sunny' }), {
      nil: undefined,
    }),
    sizeBytes: fc.nat({ max: 9 }),
    error: fc.option(fc.record({ kind: fc.constant('content-error'), message: words }), {
      nil: undefined,
    }),
  })
  .map(withoutAbsent);
const calls: fc.Arbitrary<ToolCall[]> = fc.array(
  fc
    .record({
      toolName: name,
      serverName: server,
      arguments: fc.constantFrom({}, { limit: 2 }, { x: 1 }),
      notMade: fc.option(fc.constantFrom('denied', 'invalidArguments'), {
        nil: undefined,
        freq: 9,
      }),
      latencyMs: fc.nat({ max: 9 }),
      result,
    })
    .map(withoutAbsent)
    .map((call) => (call.notMade === undefined ? call : { ...call, result: undefined }))
    .map(withoutAbsent) as fc.Arbitrary<ToolCall>,
  { maxLength: 3 },
);
const listed: fc.Arbitrary<ListedTool[]> = fc.array(
  fc
    .record({
      name,
      serverName: server,
      description: fc.option(fc.constantFrom('Deprecated.', 'Fine.'), { nil: undefined }),
      inputSchema: fc.constantFrom({ type: 'object' }, { type: 'string' }, { unknown: true }),
      outputSchema: fc.option(fc.constant({}), { nil: undefined }),
      annotations: fc.option(fc.constantFrom({ destructiveHint: true }, { readOnlyHint: true }), {
        nil: undefined,
      }),
    })
    .map(withoutAbsent) as fc.Arbitrary<ListedTool>,
  { maxLength: 3 },
);

const scope = { toolName: 'a' };
const assertions: object[] = [
  { type: 'noDestructiveToolCalled' },
  { type: 'noDeprecatedToolCalled', role: 'advisory' },
  { type: 'argumentsMatchToolSchema' },
  { type: 'argumentsMatchToolSchema', ...scope },
  { type: 'toolLatencyUnder', ms: 5 },
  { type: 'toolLatencyUnder', ms: 5, ...scope },
  { type: 'toolResultSizeUnder', maxBytes: 5 },
  { type: 'maximumResultTokens', tokens: 8 },
  { type: 'maximumSurfaceTokens', tokens: 8 },
  { type: 'toolResultContains', needle: 'sunny' },
  { type: 'toolResultContains', needle: '"x":1', ...scope },
  { type: 'toolResultMatches', pattern: 'sun$' },
  { type: 'toolResultMatches', pattern: '^$', ...scope },
  { type: 'toolResultMatchesSchema', schema: { type: 'object' } },
  { type: 'toolResultPath', pointer: '/x', equals: 1 },
  { type: 'toolResultPath', pointer: '/x', exists: false, ...scope },
  { type: 'toolResultPath', pointer: '/0', min: 1 },
  { type: 'toolCallFails', ...scope },
  { type: 'toolCallFails', ...scope, serverName: 'S' },
  { type: 'toolCallFails', ...scope, messageContains: 'sunny' },
  { type: 'toolDoesNotCrash' },
  { type: 'toolDoesNotCrash', ...scope },
  { type: 'toolErrorNamesInput', role: 'advisory' },
  { type: 'fullPageHasContinuation', role: 'advisory' },
  { type: 'toolDescriptionsPresent' },
  { type: 'toolAnnotationsPresent' },
  { type: 'toolNamesUnique' },
  { type: 'toolInputSchemasWellFormed' },
  { type: 'toolOutputSchemasPresent' },
  { type: 'noDeprecatedToolExposed', role: 'advisory' },
  { type: 'noToolErrors' },
];
const stated = fc.constantFrom<object[]>(
  [],
  [{ type: 'toolCallFails', ...scope }],
  [{ type: 'toolCallFails', ...scope, serverName: 'S' }],
  [{ type: 'toolCallFails', ...scope, messageContains: 'sunny' }],
  [{ type: 'toolDoesNotCrash', ...scope }],
);

const losses = fc.record({
  calls: fc.array(fc.constantFrom('none', 'result', 'cut', 'cutAll', 'latency', 'size'), {
    minLength: 3,
    maxLength: 3,
  }),
  listing: fc.boolean(),
});

test.each(assertions)('%j', (assertion) => {
  fc.assert(
    fc.property(calls, listed, losses, stated, (toolCalls, listedTools, lost, rows) => {
      const transcript = { toolCalls, listedTools, toolErrors: errorsOf(toolCalls) };
      const siblings = rows.map((row) => ({ assertion: row }));
      const answer = (seen: Transcript) =>
        evaluateAssertion(assertion, { transcript: seen, ...engines, siblings });
      const whole = answer(transcript);
      const less = answer({
        toolCalls: toolCalls.map((call, index) => without(call, lost.calls[index])),
        toolErrors: transcript.toolErrors.map(({ toolName, kind }) => ({ toolName, kind })),
        ...(lost.listing ? {} : { listedTools }),
      });
      if (less.evaluatorError === true) return;
      expect(whole).not.toHaveProperty('evaluatorError');
      expect(less.passed).toBe(whole.passed);
    }),
    runsOf(400),
  );
});

function errorsOf(toolCalls: readonly ToolCall[]) {
  return toolCalls.flatMap(({ toolName, result: seen }) =>
    seen?.error === undefined ? [] : [{ toolName, ...seen.error }],
  );
}

function without(call: ToolCall, loss: string | undefined): ToolCall {
  const { result: whole, latencyMs: _, ...rest } = call;
  if (loss === 'latency') return whole === undefined ? rest : { ...rest, result: whole };
  if (whole === undefined || loss === 'none') return call;
  if (loss === 'result') return withoutAbsent({ ...call, result: undefined }) as ToolCall;
  const { text, structuredContent: __, error, ...measured } = whole;
  if (loss === 'size') {
    const { sizeBytes: ___, ...unmeasured } = whole;
    return { ...call, result: unmeasured };
  }
  const known = {
    ...measured,
    isCut: true as const,
    ...(error && { error: { kind: error.kind } }),
  };
  if (loss === 'cutAll' || text === undefined) return { ...call, result: known };
  return { ...call, result: { ...known, text: text.slice(0, 3) } };
}

function withoutAbsent<Whole extends object>(whole: Whole) {
  const entries = Object.entries(whole).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Whole]: Exclude<Whole[Name], undefined>;
  };
}
