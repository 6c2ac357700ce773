/**
 * Tests the calls before and after the steps of a trial: their order, the effect of a failing call,
 * and that none of them is graded.
 */
import { type RunPlan, stepsOfTrial, type ToolCallStep, trialAdvice } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  ask,
  called,
  callWeather,
  expectWeather,
  messagesOf,
  pinned,
  spansOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

const call = (id: string, toolName: string = id): ToolCallStep => ({
  id,
  kind: 'toolCall',
  serverName: 'Weather',
  toolName,
  arguments: { of: id },
});

const around = {
  before: [call('make'), call('fill')],
  after: [call('empty'), call('remove')],
};

const withSuite = (plan: RunPlan): RunPlan => ({
  ...plan,
  before: { calls: [call('open')], timeoutMs: 30_000 },
  after: { calls: [call('close')], timeoutMs: 30_000 },
});

const failing = (...names: string[]): Readonly<Record<string, FakeAnswer>> => ({
  'tools/list': {
    tools: wholeOrder.map((name) => ({ name, inputSchema: { type: 'object' } })),
  },
  'tools/call': (response, request) => {
    const { name } = request.message['params'] as { name: string };
    const isError = names.includes(name);
    const content = [{ type: 'text', text: isError ? `No ${name} today.` : 'done' }];
    sendJson(response, rpcResult(request, { content, isError }));
  },
});

function advised({ chain, error }: Awaited<ReturnType<typeof play>>['record']): string | undefined {
  return trialAdvice(chain.failureCategory, chain.stageResults, { failure: String(error) });
}

const wholeOrder = ['open', 'make', 'fill', 'weather', 'empty', 'remove', 'close'];

test('a call before the steps of a tool that the server does not list is the fault of the case', async () => {
  const { record } = await play({ steps: [ask], before: [call('shelve')] }, [sunny], {
    answers: failing('shelve'),
  });
  expect(record).toMatchObject({
    status: 'setup_failed',
    result: null,
    error: expect.stringMatching(
      /failed at step "shelve", caused by the case: The server does not list/,
    ),
  });
  expect(advised(record)).toMatch(/^Correct the call of `before`/);
});

test('the suite, the case, the steps, the case, the suite, in the sessions of the trial', async () => {
  const steps = [ask, expectWeather('asked')];
  const lines = [callWeather, sunny];
  const { record, server } = await play({ steps, ...around }, lines, { change: withSuite });
  expect(called(server)).toEqual(wholeOrder);
  const opened = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(opened).toHaveLength(1);
  expect(record).toMatchObject({ status: 'completed', result: 'passed', warnings: [] });
  expect(record.trace['before']).toMatchObject([
    { of: 'suite', stepId: 'open', status: 'ok', output: { type: 'json' } },
    { of: 'case', stepId: 'make', toolName: 'make', arguments: { of: 'make' }, status: 'ok' },
    { of: 'case', stepId: 'fill', status: 'ok' },
  ]);
  expect(record.trace['after']).toMatchObject([
    { of: 'case', stepId: 'empty', status: 'ok' },
    { of: 'case', stepId: 'remove', status: 'ok' },
    { of: 'suite', stepId: 'close', status: 'ok' },
  ]);
  expect(spansOf(record).filter((span) => 'part' in span)).toMatchObject([
    ...['open', 'make', 'fill'].map((toolName) => ({ part: 'before', category: 'step', toolName })),
    ...['empty', 'remove', 'close'].map((toolName) => ({ part: 'after', toolName })),
  ]);
  expect(record.actualToolCalls.map(({ toolName }) => toolName)).toEqual(['weather']);
  expect(record.evidence.spans).toHaveLength(1);
  expect(messagesOf(record)).toHaveLength(4);
});

test('neither assertions, matches, tool errors nor the chain know of them', async () => {
  const never = { id: 'never', kind: 'assert', assertion: { type: 'noToolErrors' } } as const;
  const asserted = {
    id: 'not',
    kind: 'assert',
    assertion: { type: 'toolNeverCalled', toolName: 'make' },
  } as const;
  const steps = [ask, expectWeather('asked'), never, asserted];
  const { record } = await play({ steps, ...around, matchOptions: { extraToolCalls: 0 } }, [
    ...[callWeather, sunny],
  ]);
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  const { record: plain } = await play({ steps, matchOptions: { extraToolCalls: 0 } }, [
    ...[callWeather, sunny],
  ]);
  expect(record.chain).toEqual({
    ...plain.chain,
    stageResults: expect.anything(),
  });
  const states = (one: typeof record) =>
    one.chain.stageResults.map(({ stage, state, reason }) => [stage, state, reason]);
  expect(states(record)).toEqual(states(plain));
});

test('a call of before that fails ends the trial as a set-up failure, and after is made', async () => {
  const { record, server } = await play({ steps: [ask], ...around }, [], {
    change: withSuite,
    answers: failing('make'),
  });
  expect(called(server)).toEqual(['open', 'make', 'empty', 'remove', 'close']);
  expect(record).toMatchObject({
    status: 'setup_failed',
    result: null,
    scores: null,
    warnings: [],
    error: expect.stringContaining(
      'The before list of the case failed at step "make", caused by the server: ',
    ),
    chain: { failureCategory: 'setup' },
  });
  expect(record.error).toContain('No make today.');
  expect(advised(record)).toMatch(/^Find out in the server why the named call of `before`/);
  expect(record.chain.stageResults.slice(0, 2).map(({ state }) => state)).toEqual([
    ...['passed', 'passed'],
  ]);
  expect(record.trace['before']).toMatchObject([
    { stepId: 'open', status: 'ok' },
    { stepId: 'make', status: 'fail' },
    { stepId: 'fill', status: 'skipped', reason: expect.stringContaining('"make"') },
  ]);
  expect(stepsOfTrial([ask], { ...record, trace: record.trace })).toMatchObject([
    { stepId: 'ask', status: 'skipped' },
  ]);
});

test('a call of after that fails is a warning, and the others are made', async () => {
  const { record, server } = await play(
    { steps: [pinned('pin', { serverName: 'Weather' })], ...around },
    [],
    {
      change: withSuite,
      answers: failing('empty', 'close'),
    },
  );
  expect(called(server)).toEqual(wholeOrder);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'passed',
    error: null,
    warnings: [
      {
        path: 'after[0]',
        code: 'AFTER_FAILED',
        message: expect.stringContaining('No empty today.'),
      },
      { path: 'settings.after[0]', code: 'AFTER_FAILED' },
    ],
  });
});

test('a policy that refuses a call of before is told as what it is', async () => {
  const { record, server } = await play({ steps: [ask], before: [call('make')] }, [], {
    change: (plan) => ({ ...plan, toolPolicy: { mode: 'readOnly' } }),
  });
  expect(called(server)).toEqual([]);
  expect(record).toMatchObject({
    status: 'setup_failed',
    error: expect.stringContaining('by the tool policy: The tool policy of the suite allows only'),
  });
});

test('a list has its own time, and the time of the trial stands still meanwhile', async () => {
  let late: (() => void) | undefined;
  const hanging: FakeAnswer = (response, request) => {
    const { name } = request.message['params'] as { name: string };
    const answer = () => sendJson(response, rpcResult(request, { content: [] }));
    if (name === 'make') late = answer;
    else answer();
  };
  const { record, server } = await play(
    { steps: [ask], ...around, beforeTimeoutMs: 300 },
    [sunny],
    { answers: { 'tools/call': hanging } },
  );
  expect(late).toBeDefined();
  expect(record).toMatchObject({
    status: 'setup_failed',
    error: expect.stringContaining(
      'caused by the time limit: The 0.3 seconds allowed for this list of calls have passed.',
    ),
  });
  expect(called(server)).toEqual(['make', 'empty', 'remove']);
  // These calls take longer than the time limit of the trial, which does not include them.
  const slow: FakeAnswer = (response, request) =>
    setTimeout(() => sendJson(response, rpcResult(request, { content: [] })), 350);
  const played = await play({ steps: [ask], before: [call('make'), call('fill')] }, [sunny], {
    answers: { 'tools/call': slow },
    plan: { limits: { maxModelSteps: 2, trialTimeoutMs: 600 } },
  });
  expect(played.record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(played.record.durationMs).toBeLessThan(600);
});
