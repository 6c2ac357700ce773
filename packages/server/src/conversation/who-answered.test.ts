/**
 * Tests who is at fault if a session with a server cannot be opened. Any response proves that the
 * server was reached, so the failure is the server's. Rejected credentials and too many calls count
 * as failures of the set-up.
 */
import type { ServerResponse } from 'node:http';
import type { StageReason } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterAll, expect, test } from 'vitest';

const limits = { maxMessageBytes: 64 * 1024, maxDepth: 50 };
const mcp = gatewayForTest(limits);
afterAll(() => mcp.close());

type Answer = (response: ServerResponse, request: FakeRequest) => unknown;
const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end();
const error =
  (code: number): Answer =>
  (response, request) =>
    sendJson(response, rpcError(request, code, 'It said no.'));
const result =
  (value: unknown): Answer =>
  (response, request) =>
    sendJson(response, rpcResult(request, value));
const text =
  (type: string, body: string): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

const answers: Record<string, Answer> = {
  'the code of a closed connection': error(-32000),
  'the code of a timeout': error(-32001),
  'a code of its own': error(-32050),
  'an internal error': error(-32603),
  'parameters refused': error(-32602),
  'HTTP 400': status(400),
  'HTTP 404': status(404),
  'HTTP 410': status(410),
  'HTTP 500': status(500),
  'HTTP 400 with the code of a closed connection': (response, request) =>
    sendJson(response, rpcError(request, -32000, 'No session.'), 400),
  HTML: text('text/html', '<h1>Sign in</h1>'),
  'no JSON': text('application/json', 'not json'),
  'an empty body': text('application/json', ''),
  'a body that is no answer': text('application/json', '{"hello":"world"}'),
  'another id': (response) => sendJson(response, { jsonrpc: '2.0', id: 999, result: {} }),
  'HTTP 202 and nothing more': status(202),
  'a redirect elsewhere': (response) =>
    response.writeHead(307, { location: 'http://localhost:9/mcp' }).end(),
  'a stream that ends without an answer': text('text/event-stream', ': hello\n\n'),
  'half of a body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
    response.write('{"jsonrpc"', () => response.socket?.destroy());
  },
};
const silence: Answer = () => undefined;
const ofHandshake: Record<string, Answer> = {
  'a version nobody knows': result({ protocolVersion: '1066-10-14', capabilities: {} }),
  'a result of another shape': result({ welcome: true }),
};
const listed = (more: object) => ({ tools: [{ name: 'echo', inputSchema: {} }], ...more });
const ofList: Record<string, Answer> = {
  'a method it does not know': error(-32601),
  'tools that are no list': result({ tools: {} }),
  'a tool without a name': result({ tools: [{}] }),
  'a cursor that is no text': result(listed({ nextCursor: 7 })),
  'a cursor that loops': result(listed({ nextCursor: 'again' })),
  'a later page that fails': later(status(500)),
  'a later page with the code of a timeout': later(error(-32001)),
  'a later page that never comes': later(silence),
  'the beginning of a stream, and silence': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  },
};
const setUp = Object.fromEntries(
  [401, 403, 407, 429].map((code) => [`HTTP ${code}`, status(code)]),
);

/** Responses that exceed limits of Proofmark. A client with higher limits might accept them. */
const ourLimits: Record<string, Answer> = {
  'more than we read': text('application/json', `"${'x'.repeat(limits.maxMessageBytes)}"`),
  'what is nested deeper than we read': text('application/json', '['.repeat(200)),
};

const rows = [
  ...rowsOf('initialize', { ...answers, ...ofHandshake }, 'connectFailed'),
  ...rowsOf('tools/list', { ...answers, ...ofList }, 'toolsListFailed'),
  ...rowsOf('initialize', { ...setUp, ...ourLimits }, 'setupAborted'),
  ...rowsOf('tools/list', { ...setUp, ...ourLimits }, 'setupAborted'),
] as const;

test.each(rows)('%s answered with %s: %s', async (method, name, reason, answer) => {
  const isSlow = /silence|never comes/.test(name);
  const { row, asked, category } = await open({ [method]: answer }, false, isSlow);
  expect(row(method === 'initialize' ? 'connection' : 'discovery')).toBe(reason);
  expect(category).toBe('setup');
  expect(asked).toBe(0);
});

const begins: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
};

test('a handshake that was begun to be answered, and then not', async () => {
  const hurried = gatewayForTest({ firstByteMs: 700 });
  const { row, asked } = await open({ initialize: begins }, false, false, hurried);
  await hurried.close();
  expect(row('connection')).toBe('connectFailed');
  expect(asked).toBe(0);
});

const cut: Answer = (response) => response.socket?.destroy();
test.each<[string, Answer, boolean, StageReason, number]>([
  ['cuts the connection, our egress works', cut, true, 'connectFailed', 1],
  ['cuts the connection, and so it may be ours', cut, false, 'egressUnverified', 1],
  ['says nothing at all', silence, true, 'setupAborted', 0],
])('a server that %s', async (_, answer, egressWorks, reason, times) => {
  const { row, asked } = await open({ initialize: answer }, egressWorks, answer === silence);
  expect(row('connection')).toBe(reason);
  expect(asked).toBe(times);
});

function rowsOf(
  method: string,
  given: Readonly<Record<string, Answer>>,
  reason: StageReason,
): [string, string, StageReason, Answer][] {
  return Object.entries(given).map(([name, answer]) => [method, name, reason, answer]);
}

function later(answer: Answer): Answer {
  return (response, request) => {
    const { cursor } = (request.message['params'] ?? {}) as { cursor?: string };
    if (cursor === undefined) result(listed({ nextCursor: 'two' }))(response, request);
    else answer(response, request);
  };
}

async function open(
  answers: Record<string, FakeAnswer>,
  egressWorks: boolean,
  isSlow: boolean,
  gateway = mcp,
) {
  const timeoutMs = isSlow ? 600 : 10_000;
  const { initialize } = answers;
  const server = await startFakeMcpServer({
    ...answers,
    // With protocol 2026-07-28, clients send `server/discover` instead of `initialize`.
    ...(initialize !== undefined && { 'server/discover': initialize }),
  });
  let asked = 0;
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const runServers = runServersFor(gateway, servers, {
    targets: servers.map(({ id, name, url }) => ({
      id,
      name,
      target: async () => httpTarget(url, { serverId: id, timeoutMs }),
    })),
    verifyEgress: async () => {
      asked += 1;
      return egressWorks;
    },
    firstPauseMs: 1,
  });
  const ask = { id: 'ask', kind: 'prompt', prompt: 'Hello?' } as const;
  try {
    const dependencies = dependenciesFor(runServers, modelOfLines([{ text: 'Hello.' }]));
    const { chain, status } = await firstTrial(dependencies, planFor({ steps: [ask] }, servers));
    expect(status).toBe('setup_failed');
    const row = (stage: string) => chain.stageResults.find((one) => one.stage === stage)?.reason;
    return { row, asked, category: chain.failureCategory };
  } finally {
    await server.stop();
  }
}
