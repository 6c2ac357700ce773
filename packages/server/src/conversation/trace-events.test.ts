import { readTraceEvents } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeMcpServer,
  type FakeRequest,
  rpcResult,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  gatewayForTest,
  httpTarget,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import type { Step } from '@proofmark/harness/play-trial.ts';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import { TraceSecrets } from '../outside/mcp/trace-secrets.ts';
import type { RunServers } from './run-servers.ts';
import type { TrialRecord } from './trial-record.ts';

// Milliseconds; reading a flood of messages takes long on a busy machine.
const patient = 120_000;
const mcp = gatewayForTest({ callMs: patient });
const running: FakeMcpServer[] = [];
const opened: RunServers[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
  await Promise.all(running.splice(0).map((server) => server.stop()));
});
afterAll(() => mcp.close());

const servers = [{ id: 'srv_1', name: 'Weather', url: '' }];
const steps: Step[] = [
  { id: 'pin', kind: 'toolCall', serverName: 'Weather', toolName: 'echo', arguments: {} },
];

function serversOf(target: McpTarget, more: Parameters<typeof runServersFor>[2] = {}) {
  const targets = [{ id: 'srv_1', name: 'Weather', target: async () => target }];
  const made = runServersFor(mcp, servers, { targets, ...more });
  opened.push(made);
  return made;
}

function play(
  runServers: RunServers,
  target: McpTarget,
  onRedact: () => void = () => undefined,
): Promise<TrialRecord> {
  const secrets = new TraceSecrets();
  secrets.addTarget(target);
  const redact = <Kept>(kept: Kept) => {
    onRedact();
    return secrets.redact(kept);
  };
  const dependencies = dependenciesFor(runServers, modelOfLines([]), { redact });
  const limits = { maxModelSteps: 5, trialTimeoutMs: patient };
  return firstTrial(dependencies, planFor({ steps }, servers, { limits }));
}

function eventsIn({ trace }: TrialRecord) {
  return readTraceEvents(trace['events']);
}

type Say = (method: string, params?: object) => void;

async function talking(talk: (say: Say, request: FakeRequest) => unknown): Promise<McpTarget> {
  const server = await startFakeMcpServer({
    'tools/call': async (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (message: object) => response.write(`data: ${JSON.stringify(message)}\n\n`);
      response.cork();
      await talk((method, params) => send({ jsonrpc: '2.0', method, params }), request);
      response.uncork();
      send(rpcResult(request, { content: [] }));
      response.end();
    },
  });
  running.push(server);
  return httpTarget(server.url, { serverId: 'srv_1' });
}

/** Returns a stdio server that runs the code `deed` and then responds to a call. */
function program(deed: string, env: Record<string, string> = {}): McpTarget {
  const code = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') {
    send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  } else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') { ${deed}; send({ id, result: { content: [] } }); }
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no' } });
});`;
  return stdioTarget({ command: process.execPath, args: ['-e', code], env });
}

const log = (data: unknown) => ['notifications/message', { level: 'info', data }] as const;

test('notifications, log messages and progress stand in the trace, at their time', async () => {
  const target = await talking((say, { message }) => {
    const { _meta } = message['params'] as { _meta?: { progressToken?: number } };
    const { progressToken } = _meta ?? {};
    say('notifications/message', { level: 'warning', logger: 'db', data: 'slow \u001b[31mquery' });
    say('notifications/message', { level: 'info', data: { rows: 3 } });
    say('notifications/progress', { progressToken, progress: 1, total: 4 });
    say('notifications/progress', { progressToken, progress: 2, total: 4, message: 'half way' });
    say('notifications/tools/list_changed');
    say('notifications/resources/updated', { uri: 'file:///a' });
    say('notifications/cancelled', { requestId: 7, reason: 'bored' });
  });
  const record = await play(serversOf(target), target);
  expect(record.result).toBe('passed');
  const events = eventsIn(record);
  expect(events).toMatchObject([
    { kind: 'log', text: 'slow query', data: { level: 'warning', logger: 'db' } },
    { kind: 'log', text: '{"rows":3}', data: { level: 'info' } },
    { kind: 'progress', text: '1 / 4', data: { progressToken: expect.any(Number), total: 4 } },
    { kind: 'progress', text: 'half way', data: { progress: 2, total: 4 } },
    { kind: 'notification', text: 'notifications/tools/list_changed' },
    { kind: 'notification', text: 'notifications/resources/updated', data: { uri: 'file:///a' } },
    { kind: 'notification', text: 'notifications/cancelled', data: { reason: 'bored' } },
  ]);
  const spans = record.trace['spans'] as { category: string; startMs: number; endMs: number }[];
  const call = spans.find(({ category }) => category === 'tool');
  for (const { atMs, serverName } of events) {
    expect(serverName).toBe('Weather');
    expect(atMs).toBeGreaterThanOrEqual(call?.startMs ?? Infinity);
    expect(atMs).toBeLessThanOrEqual(call?.endMs ?? -1);
  }
  expect(record.trace).not.toHaveProperty('eventsDropped');
});

test('a server that logs only for who asks for it is asked', async () => {
  const server = await startModernServer({ onlyModern: true, logs: true });
  try {
    const target = httpTarget(server.url, { serverId: 'srv_1' });
    const record = await play(serversOf(target), target);
    expect(eventsIn(record)).toMatchObject([{ kind: 'log', text: 'called echo' }]);
  } finally {
    await server.stop();
  }
});

test('a trial in which nothing was said has no events', async () => {
  const target = await talking(() => undefined);
  expect((await play(serversOf(target), target)).trace).not.toHaveProperty('events');
});

test('secrets are hidden before a text is cut, and what is too long is cut', async () => {
  const secret = 'key-4f9a77-0123456789-abcdef';
  const target = await talking((say, { headers }) => {
    const got = String(headers['x-api-key']);
    say('notifications/message', { level: 'info', data: `I got ${got}.`, logger: got });
    say(...log(`${'x'.repeat(1_990)}${got}`));
    say(...log('y'.repeat(100_000)));
    say('notifications/resources/updated', { uri: 'z'.repeat(3_000) });
    // The service reads only the first 64 KiB, which end inside the secret. The removed colour
    // codes fill most of that part.
    say(...log(`${'\u001b[0m'.repeat(16_380)}12345678${got}${'x'.repeat(100)}`));
    say(...log(got.repeat(3_000)));
  });
  const keyed = {
    ...target,
    address: { ...target.address, headers: { 'X-Api-Key': secret } },
  } as McpTarget;
  const record = await play(serversOf(keyed), keyed);
  const events = eventsIn(record);
  expect(events.map(({ text }) => text.length)).toEqual([15, 1_998, 2_000, 31, 1, 2_000]);
  expect(events[0]).toMatchObject({ text: 'I got [hidden].', data: { logger: '[hidden]' } });
  expect(JSON.stringify(record.trace)).not.toContain('key-4f');
  expect(events[3]).not.toHaveProperty('data');
});

test(
  'of 100,000 log messages 500 are kept, the rest is counted, and the trial is measured',
  async () => {
    const target = await talking((say) => {
      for (let number = 1; number <= 100_000; number += 1) say(...log(`line ${number}`));
    });
    const record = await play(serversOf(target), target);
    expect(record.result).toBe('passed');
    const events = eventsIn(record);
    expect(events).toHaveLength(500);
    expect(events.at(-1)?.text).toBe('line 500');
    expect(record.trace['events']).toHaveLength(500);
    expect(record.trace['eventsDropped']).toBe(99_500);
  },
  patient,
);

test('the error output of a process stands in the trace, line by line', async () => {
  const secret = 'pass-0123456789-word';
  const target = program(
    `process.stderr.write('one\\n\\n\\u001b[32mtwo\\u001b[0m\\r\\n' + process.env.DB_PASSWORD + '\\nlast'); await new Promise((resolve) => process.stderr.write(' words\\n', resolve))`,
    { DB_PASSWORD: secret },
  );
  const record = await play(serversOf(target), target);
  expect(record.result).toBe('passed');
  const events = eventsIn(record).map(({ kind, serverName, text }) => [kind, serverName, text]);
  expect(events).toEqual(
    ['one', 'two', '[hidden]', 'last words'].map((text) => ['stderr', 'Weather', text]),
  );
});

test('the last words of a process that ends are heard', async () => {
  const target = program(`throw new Error('out of cheese')`);
  const record = await play(serversOf(target), target);
  expect(record.result).toBe('failed');
  expect(eventsIn(record).map(({ text }) => text)).toContainEqual(
    expect.stringContaining('out of cheese'),
  );
  // These lines are still unread when the exit of the program is noticed.
  const long = program(
    `require('node:fs').writeSync(2, 'x'.repeat(1_150_000) + '\\nlast words\\n'); process.exit(3)`,
  );
  expect(eventsIn(await play(serversOf(long), long)).map(({ text }) => text)).toContain(
    'last words',
  );
  const silent = stdioTarget({
    command: process.execPath,
    args: ['-e', `console.error('no port'); process.exit(3)`],
  });
  const unopened = await play(serversOf(silent), silent);
  expect(unopened.status).toBe('setup_failed');
  const [first] = eventsIn(unopened);
  expect(first).toMatchObject({ kind: 'stderr', text: 'no port' });
});

test('what a process that ends leaves behind does not hold up the trial', async () => {
  const target = program(
    `require('node:child_process').spawn('/bin/sleep', ['30'], { stdio: ['ignore', 'ignore', 2] }); process.exit(4)`,
  );
  const begunAt = performance.now();
  const record = await play(serversOf(target), target);
  expect(record.error).toContain('exit code 4');
  expect(performance.now() - begunAt).toBeLessThan(10_000);
});

test('a process that was begun ahead is heard as well', async () => {
  const target = program(
    `await new Promise((resolve) => process.stderr.write('called\\n', resolve))`,
  );
  const runServers = serversOf(target, { trials: 3 });
  for (let trial = 0; trial < 3; trial += 1) {
    expect(eventsIn(await play(runServers, target)).map(({ text }) => text)).toEqual(['called']);
  }
});

test(
  'a flood of error output is read to its end',
  async () => {
    const target = program(
      `await new Promise((resolve) => process.stderr.write('a line of no use\\n'.repeat(100_000), resolve))`,
    );
    const record = await play(serversOf(target), target);
    expect(record.result).toBe('passed');
    expect(eventsIn(record)).toHaveLength(500);
    expect(record.trace['eventsDropped']).toBeGreaterThan(90_000);
  },
  patient,
);

test('in a session that trials share, those hear it that are open then', async () => {
  let calls = 0;
  const waiting: (() => void)[] = [];
  const target = await talking(async (say) => {
    calls += 1;
    const own = calls;
    if (own === 2) await new Promise<void>((resolve) => waiting.push(resolve));
    say(...log(`call ${own}`));
  });
  const shared = serversOf(target, { sharesSessions: true });
  const textsOf = (record: TrialRecord) => eventsIn(record).map(({ text }) => text);
  let eventCount = 0;
  const first = await play(shared, target, () => {
    eventCount += 1;
  });
  expect(textsOf(first)).toEqual(['call 1']);
  const eventsInTime = eventCount;
  const second = play(shared, target);
  await expect.poll(() => waiting.length).toBe(1);
  const third = play(shared, target);
  await new Promise((resolve) => setImmediate(resolve));
  waiting[0]?.();
  expect(textsOf(await second)).toEqual(['call 2']);
  expect(textsOf(await third)).toEqual(['call 2', 'call 3']);
  expect(eventCount).toBe(eventsInTime);
});
