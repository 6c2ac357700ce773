import { Refused } from '@proofmark/domain';
import { afterAll, afterEach, expect, test } from 'vitest';
import { deskFor } from '../../../../tests/harness/engine-trial.ts';
import { type StageServer, startStageServer } from '../../../../tests/harness/stage-servers.ts';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '../../../../tests/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '../../../../tests/mcp-servers/gateway-for-test.ts';

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

test('servers are opened once for the life of the desk, and their surface is spelled once', async () => {
  const server = await fake({});
  const desk = deskFor(mcp, [at('srv_1', server.url)]);
  const [first, second] = await Promise.all([desk.open(never), desk.open(never)]);
  expect(second).toEqual(first);
  expect(await desk.open(never)).toBe(await desk.open(never));
  expect(first).toMatchObject({ connect: { ok: true }, toolsList: { ok: true } });
  expect(first.servers).toMatchObject([{ id: 'srv_1', tools: [{ name: 'echo' }] }]);
  expect(server.requests.filter(({ message }) => message['method'] === 'tools/list')).toHaveLength(
    1,
  );
});

test('the surface is the same whichever server comes first', async () => {
  const one = at('srv_1', (await fake({})).url);
  const two = at('srv_2', (await fake({ 'tools/list': { tools: [] } })).url);
  const forth = await deskFor(mcp, [one, two]).open(never);
  const back = await deskFor(mcp, [two, one]).open(never);
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
  const desk = deskFor(mcp, [at('srv_1', url)]);
  expect(await desk.open(never)).toMatchObject({
    toolsList: { ok: false, attribution: 'theirs', egressVerified: true },
    surface: null,
    servers: [{ failure: 'The server answered with HTTP 503.' }],
  });
  isDown = false;
  expect(await desk.open(never)).toMatchObject({ connect: { ok: true }, toolsList: { ok: true } });
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
  const opened = await deskFor(
    mcp,
    urls.map((url, index) => at(`srv_${index}`, url)),
  ).open(never);
  expect({ connect: opened.connect, toolsList: opened.toolsList }).toEqual({ connect, toolsList });
});

test('our own way out is asked once, and only for what seems to be the failure of a server', async () => {
  let asked = 0;
  const verifyEgress = async () => {
    asked += 1;
    return false;
  };
  const ours = deskFor(mcp, [at('srv_1', await stage(unauthorized))], { verifyEgress });
  await ours.open(never);
  expect(asked).toBe(0);
  const theirsDesk = deskFor(mcp, [at('srv_1', await stage(refused))], { verifyEgress });
  await theirsDesk.open(never);
  expect((await theirsDesk.open(never)).connect).toEqual(theirs(false));
  expect(asked).toBe(1);
});

test('a target that cannot be made is our own trouble, and any other error is thrown', async () => {
  const refusing = (error: Error) =>
    deskFor(mcp, [], {
      targets: [{ id: 'srv_1', name: 'One', target: () => Promise.reject(error) }],
    });
  const refusal = new Refused({ code: 'SERVER_UNREACHABLE', message: 'Nobody named this server.' });
  const opened = await refusing(refusal).open(never);
  expect(opened).toMatchObject({
    connect: { ok: false, attribution: 'ours' },
    servers: [{ failure: 'Nobody named this server.' }],
  });
  const broken = new Error('The database is away.');
  await expect(refusing(broken).open(never)).rejects.toBe(broken);
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
  const desk = deskFor(mcp, [at('srv_1', url)]);
  const controller = new AbortController();
  const leaving = desk.open(controller.signal);
  const staying = desk.open(never);
  await asked;
  const reason = new Error('cancelled');
  controller.abort(reason);
  await expect(leaving).rejects.toBe(reason);
  release?.();
  expect(await staying).toMatchObject({ connect: { ok: true }, toolsList: { ok: true } });
});

test('calls of one server at once are bounded over all desks, and a waiting one can leave', async () => {
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
  const desks = [1, 2].map(() => deskFor(mcp, [at('srv_b', url)], { callsPerServer: 2 }));
  await Promise.all(desks.map((desk) => desk.open(never)));
  const controller = new AbortController();
  const running = desks.flatMap((desk) =>
    [1, 2, 3].map(() => desk.callTool('srv_b', 'echo', {}, never)),
  );
  const leaving = desks[0]?.callTool('srv_b', 'echo', {}, controller.signal);
  controller.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  await Promise.all(running);
  expect({ most, calls }).toEqual({ most: 2, calls: 6 });
});

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
