import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exportTrial, type TrialToExport } from './export-trial.ts';
import { maxContentBytes } from './exported-content.ts';
import { nanosecondsOf, type OtlpSpan } from './otlp-document.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const startedAtMs = Date.UTC(2026, 10, 1);
const stage = (name: string, state: string, reason: string) => ({ stage: name, state, reason });
const chain = {
  stageAnalyzerVersion: 2,
  firstFailedStage: 'selection',
  failureCategory: 'selection',
  stageResults: [
    stage('connection', 'passed', 'observed'),
    stage('discovery', 'passed', 'observed'),
    stage('selection', 'failed', 'missingToolCall'),
    stage('call', 'notReached', 'earlierStageFailed'),
    stage('response', 'notReached', 'earlierStageFailed'),
    stage('userValue', 'notReached', 'earlierStageFailed'),
  ],
};
const messages = [
  { role: 'user', content: 'Weather in Rome? password=hunter22' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', output: { apiKey: 'k-123', sky: 'blue' } }],
  },
];
const spans = [
  { id: 'run-connect-1', category: 'connection', serverId: 'srv_1', startMs: 0, endMs: 5 },
  {
    id: 'llm-2',
    parentId: 'step-1',
    category: 'llm',
    modelId: 'small',
    provider: 'local',
    status: 'ok',
    startMs: 6,
    endMs: 90,
    inputTokens: 10,
    outputTokens: 5,
    finishReason: 'tool-calls',
    messageStartIndex: 1,
    messageEndIndex: 1,
  },
  {
    id: 'tool-3',
    parentId: 'step-1',
    category: 'tool',
    toolName: 'weather',
    toolCallId: 'c1',
    status: 'error',
    mcpErrorCode: -32602,
    startMs: 90,
    endMs: 95,
  },
  {
    id: 'step-1',
    category: 'step',
    authoredStepId: 'ask',
    status: 'error',
    startMs: 5,
    endMs: 100,
  },
];
const trial: TrialToExport = {
  id: 'itr_1',
  runId: 'run_1',
  caseId: 'cas_1',
  iterationNumber: 2,
  status: 'completed',
  result: 'failed',
  model: 'small',
  provider: 'local',
  startedAtMs,
  durationMs: 100,
  endedAtMs: startedAtMs + 150,
  usage: { inputTokens: 10, outputTokens: 5 },
  chain,
  trace: { traceVersion: 1, messages, spans },
};
const exported = (more: Partial<TrialToExport> = {}, includeContent = false) =>
  exportTrial({ ...trial, ...more }, { includeContent, sha256Hex });
const readOf = ({ attributes }: Pick<OtlpSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const named = (all: readonly OtlpSpan[], name: string) => {
  const found = all.find((span) => span.name === name);
  if (found === undefined) throw new Error(`No span is called ${name}.`);
  return found;
};

test('a trial is a root with the spans of its trace below it, under ids that follow from its own', () => {
  const all = exported();
  const [root, ...below] = all;
  expect(root).toMatchObject({
    traceId: sha256Hex('["eval","itr_1"]').slice(0, 32),
    spanId: sha256Hex('["itr_1","root"]').slice(0, 16),
    startTimeUnixNano: `${startedAtMs}000000`,
    endTimeUnixNano: `${startedAtMs + 100}000000`,
    status: { code: 2 },
  });
  expect(root).not.toHaveProperty('parentSpanId');
  const step = named(all, 'step ask');
  expect(step.spanId).toBe(sha256Hex('["itr_1","step-1"]').slice(0, 16));
  expect(below.map(({ name, parentSpanId, kind }) => [name, parentSpanId, kind])).toEqual([
    ['connection srv_1', root?.spanId, 3],
    ['chat small', step.spanId, 3],
    ['execute_tool weather', step.spanId, 3],
    ['step ask', root?.spanId, 1],
  ]);
  expect(exported()).toEqual(all);
});

test('the root says whose trial it is and what came of it, with one event for each stage', () => {
  const [root] = exported() as [OtlpSpan];
  expect(readOf(root)).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'local',
    'gen_ai.request.model': 'small',
    'gen_ai.usage.input_tokens': '10',
    'gen_ai.usage.output_tokens': '5',
    'error.type': 'selection',
    'proofmark.run_id': 'run_1',
    'proofmark.case_id': 'cas_1',
    'proofmark.iteration_number': '2',
    'proofmark.result': 'failed',
    'proofmark.first_failed_stage': 'selection',
    'proofmark.failure_category': 'selection',
  });
  expect(root.events?.map((event) => [event.name, ...Object.values(readOf(event))])).toEqual(
    chain.stageResults.map((row) => ['proofmark.stage', row.stage, row.state, row.reason]),
  );
  const [unverified] = exported({ chain: { ...chain, firstFailedStage: 'call' } }) as [OtlpSpan];
  expect(unverified.events).toBeUndefined();
  expect(readOf(unverified)).not.toHaveProperty(['proofmark.first_failed_stage']);
});

test('what servers said is an event of the root at its time, its text only with content', () => {
  const events = [
    { atMs: 12, kind: 'log', serverName: 'Weather', text: 'rain, password=hunter22', data: {} },
    { atMs: 30, kind: 'rumor', serverName: 'Weather', text: 'snow' },
  ];
  const trace = { ...trial.trace, events };
  const serverEventsIn = (includeContent: boolean) => {
    const [root] = exported({ trace }, includeContent) as [OtlpSpan];
    expect(root.events?.filter(({ name }) => name === 'proofmark.stage')).toHaveLength(6);
    const serverEvents = root.events?.filter(({ name }) => name === 'proofmark.server_event') ?? [];
    return serverEvents.map((event) => [event.timeUnixNano, ...Object.values(readOf(event))]);
  };
  const at = `${startedAtMs + 12}000000`;
  expect(serverEventsIn(false)).toEqual([[at, 'log', 'Weather']]);
  expect(serverEventsIn(true)).toEqual([[at, 'log', 'Weather', 'rain, password=[redacted]']]);
});

test('models and tools are described in the words of the conventions', () => {
  const all = exported();
  expect(readOf(named(all, 'chat small'))).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'local',
    'gen_ai.request.model': 'small',
    'gen_ai.usage.input_tokens': '10',
    'gen_ai.usage.output_tokens': '5',
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool-calls' }] },
  });
  expect(readOf(named(all, 'execute_tool weather'))).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'weather',
    'gen_ai.tool.call.id': 'c1',
    'error.type': '-32602',
    'proofmark.mcp_error_code': '-32602',
  });
});

describe('content', () => {
  test('is in nothing unless it is asked for', () => {
    const free = [{ id: 'x', category: 'Rome?', name: 'Weather in Rome?', status: 'error' }];
    const trace = { ...trial.trace, spans: [...spans, ...free] };
    expect(JSON.stringify(exported({ trace }))).not.toMatch(/Rome|hunter|blue|I look/);
  });

  test('is the messages before and of an answer, and the arguments and the result of a call', () => {
    const all = exported({}, true);
    const chat = readOf(named(all, 'chat small'));
    expect(JSON.parse(chat['gen_ai.output.messages'])).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'I look.' },
          { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Rome' } },
        ],
      },
    ]);
    expect(JSON.parse(chat['gen_ai.input.messages'])).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Weather in Rome? password=[redacted]' }] },
    ]);
    expect(readOf(named(all, 'execute_tool weather'))).toMatchObject({
      'gen_ai.tool.call.arguments': '{"city":"Rome"}',
      'gen_ai.tool.call.result': '{"apiKey":"[redacted]","sky":"blue"}',
    });
  });

  test('stands on the root too, for traces that have no spans', () => {
    const [root] = exported({ trace: { messages } }, true) as [OtlpSpan];
    const { 'gen_ai.input.messages': asked, 'gen_ai.output.messages': outputMessages } =
      readOf(root);
    expect(JSON.parse(asked)).toHaveLength(1);
    expect(JSON.parse(outputMessages)).toHaveLength(2);
  });

  test.each(['é', 'x', '"', '\u0001', '😀'])(
    'takes at most 16 KiB of %j, and stays JSON',
    (sign) => {
      const long = sign.repeat(40_000);
      const large = [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', input: long }] },
      ];
      const all = exported({ trace: { messages: large, spans } }, true);
      for (const span of all) {
        for (const value of Object.values(readOf(span))) {
          expect(Buffer.byteLength(String(value))).toBeLessThanOrEqual(maxContentBytes);
          expect(String(value).isWellFormed()).toBe(true);
        }
      }
      const chat = readOf(named(all, 'chat small'));
      expect(JSON.parse(chat['gen_ai.output.messages'])[0].role).toBe('assistant');
    },
  );
});

test('however much a reporter sent, a trace stays within bounds', () => {
  const count = 20_000;
  const many = Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    parentId: `s${at + 1}`,
    category: 'llm',
    messageStartIndex: at,
    messageEndIndex: at,
  }));
  const long = Array.from({ length: count }, () => ({ role: 'user', content: 'x'.repeat(200) }));
  const all = exported({ trace: { messages: long, spans: many } }, true);
  expect(all).toHaveLength(10_001);
  expect(JSON.stringify(all).length).toBeLessThan(12 * 1024 * 1024);
});

test('spans of reporters, whatever they say, each have an id of their own and a way to the root', () => {
  const trace = {
    messages: 'none',
    spans: [
      ...[null, 'x', {}, { id: 7 }],
      { id: 'root', category: 'tool', startMs: -5, endMs: -9 },
      { id: 'a', parentId: 'b', startMs: startedAtMs + 3, endMs: Number.NaN },
      { id: 'b', parentId: 'a', category: 'llm', inputTokens: 1.5, modelId: '\ud800' },
      { id: 'b', parentId: 'nobody' },
    ],
  };
  const all = exported({ trace, startedAtMs: null, durationMs: null, model: null }, true);
  expect(all).toHaveLength(5);
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(5);
  const [root, ...below] = all as [OtlpSpan, ...OtlpSpan[]];
  expect(new Set(below.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root.spanId]));
  for (const span of all) {
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  expect(named(all, 'span').startTimeUnixNano).toBe(`${startedAtMs + 3}000000`);
});

test('nanoseconds stay within what 64 bits say', () => {
  expect(nanosecondsOf(1.5)).toBe('1500000');
  for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(nanosecondsOf(ms)).toBe('0');
  expect(BigInt(nanosecondsOf(8.64e15))).toBeLessThan(2n ** 63n);
});

test('a trial that nobody could grade is exported as an error, and long ids keep their parents', () => {
  const [root] = exported({ result: null, chain: undefined });
  expect(root?.status?.code).toBe(2);
  expect(JSON.stringify(root?.attributes)).toContain('"evaluator"');
  const id = `parent-${'x'.repeat(300)}`;
  const spans = [
    { id, category: 'step', startMs: 0, endMs: 1 },
    { id: 'child', parentId: id, category: 'llm', startMs: 0, endMs: 1 },
  ];
  const [, parent, child] = exported({ trace: { spans, messages: [] } });
  expect(child?.parentSpanId).toBe(parent?.spanId);
});
