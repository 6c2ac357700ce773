import { type TaskTrace, taskExtension } from '@proofmark/domain';
import type { FakeAnswer, FakeRequest } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { failureOf, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { openOwnSession } from '@proofmark/harness/mcp-servers/own-session.ts';
import {
  completed,
  declaredIn,
  refusesUndeclared,
  startTaskServer,
  type TaskScript,
} from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { followExtensionTask } from './follow-extension-task.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpTarget } from './mcp-target.ts';
import type { OnServerRequest } from './server-requests.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const working = { status: 'working' };
const who = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } };
const asks = { status: 'input_required', inputRequests: { who } };

async function given(
  script: TaskScript,
  {
    answer,
    more = {},
    ...target
  }: { answer?: OnServerRequest; more?: Record<string, FakeAnswer> } & Partial<McpTarget> = {},
) {
  const server = await startTaskServer({ slow: script }, more);
  const session = await openOwnSession({ ...httpTarget(server.url), ...target }, answer);
  stops.push(() => session.close());
  stops.push(() => server.stop());
  const traces: TaskTrace[] = [];
  const call = (options = {}) =>
    session.use((own) => own.callTool('slow', { n: 1 }, (one) => traces.push(one)), options);
  return { server, session, call, last: () => traces.at(-1) };
}

const textOf = ({ result }: { result: unknown }) => JSON.stringify(result);

test('every request declares the extension', async () => {
  const { server, call } = await given({ looks: [completed('Done.')] });
  await call();
  const posted = server.requests.filter(({ message }) => message['id'] !== undefined);
  expect(posted.length).toBeGreaterThan(2);
  for (const request of posted) {
    expect(declaredIn(request)).toMatchObject({ extensions: { [taskExtension]: {} } });
  }
});

test('a slow task is looked at until it is completed, by its id as Mcp-Name', async () => {
  const { server, call, last } = await given({ looks: [working, working, completed('Done.')] });
  expect(textOf(await call())).toContain('Done.');
  expect(server.asked).toEqual(['tasks/get task-1', 'tasks/get task-1', 'tasks/get task-1']);
  const looks = server.requests.filter(({ message }) => message['method'] === 'tasks/get');
  expect(looks.map(({ headers }) => headers['mcp-name'])).toEqual(['task-1', 'task-1', 'task-1']);
  expect(last()).toEqual({
    states: ['working', 'completed'],
    polls: 3,
    updates: 0,
    cancelled: false,
  });
});

test('each look waits for the interval of the latest answer, also after an answer was sent', async () => {
  const answers = [
    { taskId: 't', ...working, pollIntervalMs: 240 },
    { taskId: 't', ...asks },
    { taskId: 't', ...completed('Done.') },
  ];
  const steps: unknown[] = [];
  const created = { taskId: 't', ...working, pollIntervalMs: 120 };
  await followExtensionTask(created, {
    ask: async (method) => {
      steps.push(method);
      return method === 'tasks/get' ? (answers.shift() ?? {}) : {};
    },
    pause: async (delayMs) => void steps.push(delayMs),
    answer: async () => ({ who: {} }),
    failureOf: () => new McpFailure('TIMEOUT', ''),
    quote: (text: string) => text,
    isGivenUp: () => false,
    cancel: () => undefined,
    onTask: () => undefined,
  });
  expect(steps).toEqual([120, 'tasks/get', 240, 'tasks/get', 'tasks/update', 240, 'tasks/get']);
});

test('a task that ended before the first look is looked at once', async () => {
  const { server, call, last } = await given({
    first: { status: 'completed' },
    looks: [completed('Done.')],
  });
  expect(textOf(await call())).toContain('Done.');
  expect(server.asked).toEqual(['tasks/get task-1']);
  expect(last()).toMatchObject({ states: ['completed'], polls: 1 });
});

test('a plain result in place of a task is the result, with and without its type', async () => {
  const content = [{ type: 'text', text: 'At once.' }];
  for (const instead of [{ resultType: 'complete', content }, { content }]) {
    const { server, call, last } = await given({ instead });
    expect(textOf(await call())).toContain('At once.');
    expect([server.asked, last()]).toEqual([[], undefined]);
  }
});

test('a result of an unknown type is an invalid answer', async () => {
  const { call } = await given({ instead: { resultType: 'later', content: [] } });
  const { message, details } = await failureOf(call());
  expect(details['reason']).toBe('INVALID_RESPONSE');
  expect(message).toContain('type that the protocol does not define');
});

test('a failed task is the error of the server, with its code and message', async () => {
  const error = { code: -32_050, message: 'No luck.' };
  const { call, last } = await given({ looks: [{ status: 'failed', error }] });
  const { message, details } = await failureOf(call());
  expect(message).toBe('The task of the call failed with the error -32050: No luck.');
  expect(details).toMatchObject({ mcpErrorCode: -32_050, mcpError: error });
  expect(last()).toMatchObject({ states: ['working', 'failed'], cancelled: false });
});

test.each<[string, TaskScript, string]>([
  ['was cancelled', { looks: [{ status: 'cancelled' }] }, 'SERVER_ERROR'],
  ['has no id', { first: { taskId: '' } }, 'INVALID_RESPONSE'],
  ['begins in an unknown state', { first: { status: 'dreaming' } }, 'INVALID_RESPONSE'],
  ['comes into an unknown state', { looks: [{ status: 'dreaming' }] }, 'INVALID_RESPONSE'],
  ['is completed without a result', { looks: [{ status: 'completed' }] }, 'INVALID_RESPONSE'],
  ['has another id', { looks: [{ ...working, taskId: 'other' }] }, 'INVALID_RESPONSE'],
  [
    'comes back from a final state',
    { first: { status: 'completed' }, looks: [working] },
    'INVALID_RESPONSE',
  ],
  [
    'is completed with a task',
    { looks: [{ status: 'completed', result: { resultType: 'task', taskId: 'x' } }] },
    'INVALID_RESPONSE',
  ],
  [
    'is shown by a result of an unknown type',
    { looks: [{ ...completed('Done.'), resultType: 'later' }] },
    'INVALID_RESPONSE',
  ],
])('a task that %s ends the call', async (_, script, reason) => {
  const { call } = await given(script);
  expect((await failureOf(call())).details).toMatchObject({ reason, isBegun: true });
});

test('a lost task is the error with which the server answers the look', async () => {
  const error = { code: -32_602, message: 'Task not found' };
  const { server, call } = await given({ looks: [{ error }] });
  expect((await failureOf(call())).details).toMatchObject({ mcpErrorCode: -32_602 });
  expect(server.asked).toEqual(['tasks/get task-1']);
});

test('each question is answered once by its key, and looks go on until the task ends', async () => {
  const answer: OnServerRequest = async (_, params) => ({
    action: 'accept',
    content: { said: (params as { message: string }).message },
  });
  const what = { ...who, params: { ...who.params, message: 'What?' } };
  const { server, call, last } = await given(
    {
      looks: [
        asks,
        asks,
        { ...asks, inputRequests: { who, what } },
        (inputs) => completed(JSON.stringify(inputs)),
      ],
    },
    { answer },
  );
  const text = textOf(await call());
  expect(text).toMatch(/Who\?.*What\?/);
  expect(server.asked).toEqual([
    'tasks/get task-1',
    'tasks/update task-1',
    'tasks/get task-1',
    'tasks/get task-1',
    'tasks/update task-1',
    'tasks/get task-1',
  ]);
  const updates = server.requests.filter(({ message }) => message['method'] === 'tasks/update');
  expect(updates.map(keysAnswered)).toEqual([['who'], ['what']]);
  expect(last()).toEqual({
    states: ['working', 'input_required', 'completed'],
    polls: 4,
    updates: 2,
    cancelled: false,
  });
});

function keysAnswered({ message }: FakeRequest): string[] {
  const { inputResponses } = message['params'] as { inputResponses: object };
  return Object.keys(inputResponses);
}

test('a task that needs input where nobody answers is cancelled', async () => {
  const { server, session, call, last } = await given({ looks: [asks] });
  const { details } = await failureOf(call());
  expect(details).toMatchObject({ reason: 'INPUT_REQUIRED', missingAbility: 'elicitation' });
  await session.close();
  expect(server.asked).toEqual(['tasks/get task-1', 'tasks/cancel task-1']);
  expect(last()?.cancelled).toBe(true);
});

test.each(['when the time of the call is over', 'when its caller stops it'])(
  'a task is cancelled once %s, before the session ends',
  async (why) => {
    const { server, session, call, last } = await given({ looks: [working] });
    const stop = new AbortController();
    const isLate = why.includes('time');
    const called = call(isLate ? { timeoutMs: 400 } : { signal: stop.signal });
    const failed = expect(called).rejects.toThrow(isLate ? /in time/ : /stopped/);
    await vi.waitUntil(() => server.asked.length > 1, 20_000);
    if (!isLate) stop.abort(new Error('The trial was stopped.'));
    await failed;
    await session.close();
    expect(server.asked.filter((one) => one.startsWith('tasks/cancel'))).toEqual([
      'tasks/cancel task-1',
    ]);
    expect(last()).toMatchObject({ states: ['working'], cancelled: true });
  },
);

test('a server that requires the extension of a client without it is not to blame', async () => {
  const { server, call } = await given(
    {},
    { more: { 'tools/call': refusesUndeclared }, clientCapabilities: { extensions: {} } },
  );
  const { details } = await failureOf(call());
  expect(details['missingAbility']).toBe(`the extension ${taskExtension}`);
  expect(server.requests.every((one) => declaredIn(one)['tasks'] === undefined)).toBe(true);
});

test('a server that requires what the client declares is wrong', async () => {
  const { call } = await given({}, { more: { 'tools/call': refusesUndeclared } });
  const { details } = await failureOf(call());
  expect(details).toMatchObject({ mcpErrorCode: -32_021 });
  expect(details).not.toHaveProperty('missingAbility');
});

test('a task that comes although the client declares none is an invalid answer', async () => {
  const { server, call } = await given({}, { clientCapabilities: { extensions: {} } });
  const { message } = await failureOf(call());
  expect(message).toContain('a task, which the client does not declare');
  expect(server.asked).toEqual([]);
});

test('extensions of the client are declared as it states them', async () => {
  const extensions = { 'com.example/one': { depth: 2 }, [taskExtension]: {} };
  const { server, call } = await given(
    { looks: [completed('Done.')] },
    { clientCapabilities: { extensions } },
  );
  await call();
  const [called] = server.requests.filter(({ message }) => message['method'] === 'tools/call');
  expect(declaredIn(called as FakeRequest)['extensions']).toEqual(extensions);
});
