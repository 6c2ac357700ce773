import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcError,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { failureOf, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { openOwnSession } from '@proofmark/harness/mcp-servers/own-session.ts';
import { afterEach, expect, test, vi } from 'vitest';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const taskOnly = {
  name: 'slow',
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'required' },
};
const begun = { task: { taskId: 'task-1', status: 'working', pollInterval: 50, ttl: null } };
const done = { content: [{ type: 'text', text: 'done' }] };
const inState = (status: string) => ({ taskId: 'task-1', status, pollInterval: 50 });

async function given(
  answers: Readonly<Record<string, FakeAnswer>>,
  capabilities: object = { tools: {}, tasks: { requests: { tools: { call: {} } } } },
) {
  const server = await startFakeMcpServer({
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'fake', version: '1' },
    },
    'tools/list': { tools: [taskOnly, { name: 'plain', inputSchema: { type: 'object' } }] },
    'tools/call': begun,
    'tasks/get': inState('completed'),
    'tasks/result': done,
    'tasks/cancel': inState('cancelled'),
    ...answers,
  });
  const session = await openOwnSession(httpTarget(server.url));
  stops.push(() => session.close());
  stops.push(() => server.stop());
  const call = (name = 'slow', options = {}) =>
    session.use((own) => own.callTool(name, { n: 1 }), options);
  return { server, session, call };
}

function asked(server: FakeMcpServer): unknown[] {
  const methods = server.requests.map(({ message }) => message['method']);
  return methods.filter((method) => /^(tools.call|tasks)/.test(String(method)));
}

test('a task is looked at until it is done, and its result is that of the call', async () => {
  let looks = 0;
  const { server, call } = await given({
    'tasks/get': (response, request) => {
      looks += 1;
      const result = inState(looks < 3 ? 'working' : 'completed');
      sendJson(response, { jsonrpc: '2.0', id: request.message['id'], result });
    },
  });
  expect((await call()).result).toEqual(done);
  expect(asked(server)).toEqual([
    'tools/call',
    'tasks/get',
    'tasks/get',
    'tasks/get',
    'tasks/result',
  ]);
  const [made] = server.requests.filter(({ message }) => message['method'] === 'tools/call');
  expect(made?.message['params']).toMatchObject({
    name: 'slow',
    arguments: { n: 1 },
    task: { ttl: expect.any(Number) },
  });
});

test('other tools are called as ever, and so is one whose server offers no tasks', async () => {
  const { server, call } = await given({ 'tools/call': done });
  await call('plain');
  const [made] = server.requests.filter(({ message }) => message['method'] === 'tools/call');
  expect(made?.message['params']).not.toHaveProperty('task');
  const without = await given({ 'tools/call': done }, { tools: {} });
  expect((await without.call()).result).toEqual(done);
  expect(asked(without.server)).toEqual(['tools/call']);
});

test('a task that failed is the error that the server tells', async () => {
  const { call } = await given({
    'tasks/get': inState('failed'),
    'tasks/result': (response, request) =>
      sendJson(response, rpcError(request, -32050, 'No luck.')),
  });
  const { details, message } = await failureOf(call());
  expect(message).toContain('No luck.');
  expect(details['mcpErrorCode']).toBe(-32050);
});

test.each([
  ['is cancelled by the server', { 'tasks/get': inState('cancelled') }, 'SERVER_ERROR'],
  ['has no id', { 'tools/call': { task: { status: 'working' } } }, 'INVALID_RESPONSE'],
  ['is in an unheard-of state', { 'tasks/get': inState('dreaming') }, 'INVALID_RESPONSE'],
])('a task that %s ends the call', async (_, answers, reason) => {
  const { call } = await given(answers);
  expect((await failureOf(call())).details['reason']).toBe(reason);
});

test('a task that nobody waits for any more is cancelled before the session ends', async () => {
  const { server, session, call } = await given({ 'tasks/get': inState('working') });
  const giveUp = new AbortController();
  const called = call('slow', { signal: giveUp.signal });
  await vi.waitUntil(() => asked(server).includes('tasks/get'), 20_000);
  giveUp.abort(new Error('The trial has ended.'));
  await expect(called).rejects.toThrow('The trial has ended.');
  await vi.waitUntil(() => asked(server).includes('tasks/cancel'), 20_000);
  await session.close();
  const [cancelRequest] = server.requests.filter(
    ({ message }) => message['method'] === 'tasks/cancel',
  );
  expect(cancelRequest?.message['params']).toMatchObject({ taskId: 'task-1' });
});

test.each([429, 503])(
  'a server that asks us to wait (%i) while its task works is asked for the task again, never for the call',
  async (status) => {
    let looks = 0;
    const { server, call } = await given({
      'tasks/get': (response, request) => {
        looks += 1;
        if (looks === 1) response.writeHead(status, { 'retry-after': '0' }).end();
        else
          sendJson(response, {
            jsonrpc: '2.0',
            id: request.message['id'],
            result: inState('completed'),
          });
      },
    });
    expect((await call()).result).toEqual(done);
    expect(asked(server)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/result']);
  },
);

test.each([400, 404])(
  'a task that is refused with HTTP %i is not begun a second time',
  async (status) => {
    const { server, call } = await given({
      'tasks/get': (response) => response.writeHead(status).end(),
    });
    expect((await failureOf(call())).details).toMatchObject({ status, isBegun: true });
    expect(asked(server)).toEqual(['tools/call', 'tasks/get']);
  },
);
