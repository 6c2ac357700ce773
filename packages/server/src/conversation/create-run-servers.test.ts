import { type Places, Refused } from '@proofmark/domain';
import { runServersFor } from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { type StageServer, startStageServer } from '@proofmark/harness/stage-servers.ts';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { RunServers, TrialServers } from './run-servers.ts';

const mcp = gatewayForTest();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => mcp.close());
const never = new AbortController().signal;
const good: StageServer = { kind: 'good' };
const refused: StageServer = { kind: 'refused' };
const unauthorized: StageServer = { kind: 'status', method: 'initialize', status: 401 };
const gone: StageServer = { kind: 'status', method: 'initialize', status: 410 };
const noList: StageServer = { kind: 'status', method: 'tools/list', status: 502 };

test('every trial opens servers of its own and ends them, and equal lists are spelled once', async () => {
  const server = await fake({});
  const runServers = runServersFor(mcp, [at('srv_1', server.url)]);
  const trials = await Promise.all([trial(runServers), trial(runServers)]);
  const [first, second] = await Promise.all(trials.map((one) => one.open(never)));
  expect(first).toMatchObject({ connect: { ok: true }, toolsList: { ok: true } });
  expect(first?.servers).toMatchObject([{ id: 'srv_1', tools: [{ name: 'echo' }] }]);
  expect(second?.surface).toBe(first?.surface);
  expect(second?.servers[0]?.tools).toBe(first?.servers[0]?.tools);
  expect([asked(server, 'initialize'), asked(server, 'tools/list')]).toEqual([2, 2]);
  // The server supports only the older handshake, so the newer one is not tried again.
  const discoveries = asked(server, 'server/discover');
  await (await trial(runServers)).open(never);
  expect([asked(server, 'server/discover'), asked(server, 'initialize')]).toEqual([discoveries, 3]);
});

test('a trial is offered what its own session lists', async () => {
  let lists = 0;
  const list: FakeAnswer = (response, request) => {
    lists += 1;
    const tools = [{ name: `tool-${lists}`, inputSchema: { type: 'object' } }];
    sendJson(response, rpcResult(request, { tools }));
  };
  const runServers = runServersFor(mcp, [at('srv_1', (await fake({ 'tools/list': list })).url)]);
  const one = await (await trial(runServers)).open(never);
  const other = await (await trial(runServers)).open(never);
  expect(one.servers[0]?.tools).toMatchObject([{ name: 'tool-1' }]);
  expect(other.servers[0]?.tools).toMatchObject([{ name: 'tool-2' }]);
  expect(other.surface?.hash).not.toBe(one.surface?.hash);
});

test('a run that shares its sessions opens servers once', async () => {
  const server = await fake({});
  const runServers = runServersFor(mcp, [at('srv_1', server.url)], { sharesSessions: true });
  const trials = await Promise.all([trial(runServers), trial(runServers)]);
  const [first, second] = await Promise.all(trials.map((one) => one.open(never)));
  expect(second).toBe(first);
  for (const one of trials) {
    await one.callTool('srv_1', 'echo', {}, never);
    one.close();
  }
  expect([asked(server, 'initialize'), asked(server, 'tools/list')]).toEqual([1, 1]);
});

test('the surface is the same whichever server comes first', async () => {
  const one = at('srv_1', (await fake({})).url);
  const two = at('srv_2', (await fake({ 'tools/list': { tools: [] } })).url);
  const forth = await opened(runServersFor(mcp, [one, two]));
  const back = await opened(runServersFor(mcp, [two, one]));
  expect(forth.surface).toEqual(back.surface);
  expect(Object.keys(JSON.parse(forth.surface?.text ?? ''))).toEqual(['srv_1', 'srv_2']);
});

test('a server that could not be opened is tried again by the next trial', async () => {
  let isDown = true;
  const list: FakeAnswer = (response, request) =>
    isDown
      ? response.writeHead(503).end()
      : sendJson(response, rpcResult(request, { tools: [{ name: 'echo', inputSchema: {} }] }));
  const { url } = await fake({ 'tools/list': list });
  const runServers = runServersFor(mcp, [at('srv_1', url)]);
  expect(await opened(runServers)).toMatchObject({
    toolsList: { ok: false, attribution: 'theirs', egressVerified: true },
    surface: null,
    servers: [{ failure: 'The server answered with HTTP 503.' }],
  });
  isDown = false;
  expect(await opened(runServers)).toMatchObject({
    connect: { ok: true },
    toolsList: { ok: true },
  });
});

test.each([
  ['all good', [good, good], { ok: true }, { ok: true }],
  ['one refuses', [good, refused], theirs(true), undefined],
  ['one refuses, one wants a grant', [refused, unauthorized], failed('ours', true), undefined],
  ['one refuses, one is odd', [refused, gone], theirs(true), undefined],
  ['one is odd', [good, gone], theirs(true), undefined],
  ['one wants a grant', [unauthorized, good], failed('ours', false), undefined],
  ['one list fails', [good, noList], { ok: true }, theirs(true)],
] as const)('signals over several servers: %s', async (_, kinds, connect, toolsList) => {
  const urls = await Promise.all(kinds.map(stage));
  const all = await opened(
    runServersFor(
      mcp,
      urls.map((url, index) => at(`srv_${index}`, url)),
    ),
  );
  expect({ connect: all.connect, toolsList: all.toolsList }).toEqual({ connect, toolsList });
});

test('our own egress is asked once, and only for what seems to be the failure of a server', async () => {
  let asked = 0;
  const verifyEgress = async () => {
    asked += 1;
    return false;
  };
  const ours = runServersFor(mcp, [at('srv_1', await stage(unauthorized))], { verifyEgress });
  await opened(ours);
  expect(asked).toBe(0);
  const theirServers = runServersFor(mcp, [at('srv_1', await stage(refused))], { verifyEgress });
  await opened(theirServers);
  expect((await opened(theirServers)).connect).toEqual(theirs(false));
  expect(asked).toBe(1);
});

test('a target that cannot be made is our own trouble, and any other error is thrown', async () => {
  const refusing = (error: Error) =>
    runServersFor(mcp, [], {
      targets: [{ id: 'srv_1', name: 'One', target: () => Promise.reject(error) }],
    });
  const refusal = new Refused({ code: 'SERVER_UNREACHABLE', message: 'Nobody named this server.' });
  expect(await opened(refusing(refusal))).toMatchObject({
    connect: { ok: false, attribution: 'ours' },
    servers: [{ failure: 'Nobody named this server.' }],
  });
  const broken = new Error('The database is away.');
  await expect(opened(refusing(broken))).rejects.toBe(broken);
});

test('one who gives up does not end the opening for the others', async () => {
  let answer: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const list: FakeAnswer = async (response, request) => {
    answer?.();
    await held;
    sendJson(response, rpcResult(request, { tools: [] }));
  };
  const { url } = await fake({ 'tools/list': list });
  const runServers = runServersFor(mcp, [at('srv_1', url)], { sharesSessions: true });
  const controller = new AbortController();
  const leaving = (await trial(runServers)).open(controller.signal);
  const staying = (await trial(runServers)).open(never);
  await asked;
  const reason = new Error('cancelled');
  controller.abort(reason);
  await expect(leaving).rejects.toBe(reason);
  release?.();
  expect(await staying).toMatchObject({ connect: { ok: true }, toolsList: { ok: true } });
});

test('calls of one server at once are bounded over all runs, and a waiting one can leave', async () => {
  let atOnce = 0;
  let most = 0;
  let calls = 0;
  const call: FakeAnswer = async (response, request) => {
    calls += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 20));
    atOnce -= 1;
    sendJson(response, rpcResult(request, { content: [] }));
  };
  const { url } = await fake({ 'tools/call': call });
  const opened = await Promise.all(
    [1, 2].map(() => trial(runServersFor(mcp, [at('srv_b', url)], { callsPerServer: 2 }))),
  );
  await Promise.all(opened.map((one) => one.open(never)));
  const controller = new AbortController();
  const running = opened.flatMap((runServers) =>
    [1, 2, 3].map(() => runServers.callTool('srv_b', 'echo', {}, never)),
  );
  const leaving = opened[0]?.callTool('srv_b', 'echo', {}, controller.signal);
  controller.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  await Promise.all(running);
  expect({ most, calls }).toEqual({ most: 2, calls: 6 });
});

test('a slot for a session is waited for, and the wait is no part of the trial', async () => {
  const few = gatewayForTest({ maxSessionsPerOrganization: 2 });
  stops.push(() => few.close());
  const servers = [at('srv_1', (await fake({})).url), at('srv_2', (await fake({})).url)];
  const runServers = runServersFor(few, servers);
  const first = await trial(runServers);
  const waiting = trial(runServers);
  const controller = new AbortController();
  const leaving = runServers.forTrial(controller.signal, { remainingMs: () => 20_000 });
  controller.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  await first.open(never);
  first.close();
  expect((await (await waiting).open(never)).connect).toEqual({ ok: true });
});

test('one server is listed again while its trial has all slots and another waits for them', async () => {
  const few = gatewayForTest({ maxSessionsPerOrganization: 3 });
  stops.push(() => few.close());
  const [one, two] = [await fake({}), await fake({})];
  const servers = runServersFor(few, [at('srv_1', one.url), at('srv_2', two.url)], {
    listsAgain: true,
    trials: 1,
  });
  const own = await trial(servers);
  await own.open(never);
  const leaving = new AbortController();
  const another = few.reserve('organization', 1, leaving.signal);
  const tools = await servers.listAgain('srv_2', AbortSignal.timeout(1000), {
    remainingMs: () => 1000,
  });
  expect(tools).toMatchObject([{ name: 'echo' }]);
  expect([asked(one, 'initialize'), asked(two, 'initialize')]).toEqual([1, 2]);
  // The trial reserves its slot for listing from the start, so the other caller gets none.
  leaving.abort(new Error('left'));
  await expect(another).rejects.toThrow('left');
});

async function trial(runServers: RunServers): Promise<TrialServers> {
  const own = await runServers.forTrial(never, { remainingMs: () => 20_000 });
  stops.push(async () => own.close());
  return own;
}

async function opened(runServers: RunServers) {
  return (await trial(runServers)).open(never);
}

function asked({ requests }: FakeMcpServer, method: string): number {
  return requests.filter(({ message }) => message['method'] === method).length;
}

async function fake(answers: Record<string, FakeAnswer>) {
  const server = await startFakeMcpServer(answers);
  stops.push(() => server.stop());
  return server;
}

async function stage(kind: StageServer): Promise<string> {
  const server = await startStageServer(kind);
  stops.push(() => server.stop());
  return server.url;
}

function at(id: string, url: string) {
  return { id, name: id, url };
}

function theirs(egressVerified: boolean) {
  return failed('theirs', egressVerified);
}

function failed(attribution: string, egressVerified: boolean) {
  return { ok: false, attribution, egressVerified };
}

test('a trial whose time goes by while others have all places for calls says so', async () => {
  const { url } = await fake({});
  const waits: Places = {
    run: (_target, _bound, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const one = await trial(runServersFor(mcp, [at('srv_1', url)], { places: waits }));
  const ending = new AbortController();
  const opening = one.open(ending.signal);
  await vi.waitUntil(() => one.heldBack() !== undefined, 20_000);
  expect(one.heldBack()).toContain('other trials used all calls that "');
  ending.abort(new Error('over'));
  await expect(opening).rejects.toThrow('over');
});

test('it is the same wait where the places are all used by trials of the same process', async () => {
  const { url } = await fake({ 'tools/list': () => undefined });
  const servers = runServersFor(mcp, [at('srv_one_call', url)], { callsPerServer: 1 });
  const [first, second] = [await trial(servers), await trial(servers)];
  const ending = new AbortController();
  const opening = [first, second].map((one) => one.open(ending.signal));
  await vi.waitUntil(() => second.heldBack() !== undefined && first.heldBack() === undefined);
  expect(second.heldBack()).toContain('other trials used all calls that "');
  ending.abort(new Error('over'));
  for (const one of opening) await expect(one).rejects.toThrow('over');
});
