/**
 * Tests that a trial's sessions end with the trial in every case, and that a server's processes end
 * with the run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest, stdioTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { stdioProgram } from '@proofmark/harness/mcp-servers/stdio-program.ts';
import type { Step } from '@proofmark/harness/play-trial.ts';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createScriptedModel } from '../outside/model/scripted-model.ts';

const mcp = gatewayForTest();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(() => mcp.close());

const hangs: FakeAnswer = () => undefined;
const withSession: FakeAnswer = (response, request) => {
  response.setHeader('mcp-session-id', `session-${Math.random()}`);
  const serverInfo = { name: 'fake', version: '1' };
  const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  sendJson(response, rpcResult(request, result));
};
const call: Step = {
  id: 'call',
  kind: 'toolCall',
  toolName: 'echo',
  arguments: {},
  serverName: 'Fake',
};

test.each(['played', 'timed out', 'cancelled'] as const)('when it was %s', async (how) => {
  const answer = how === 'played' ? { content: [] } : hangs;
  const server = await startFakeMcpServer({ initialize: withSession, 'tools/call': answer });
  stops.push(() => server.stop());
  const servers = [{ id: 'srv_1', name: 'Fake', url: server.url }];
  const trialTimeoutMs = how === 'timed out' ? 1500 : 20_000;
  const plan = planFor({ steps: [call] }, servers, {
    limits: { maxModelSteps: 2, trialTimeoutMs },
  });
  const controller = new AbortController();
  const dependencies = dependenciesFor(runServersFor(mcp, servers), createScriptedModel([]));
  const playing = firstTrial(dependencies, plan, controller.signal).catch(
    (error: Error) => error.message,
  );
  const asked = (method: string) =>
    server.requests.filter(({ message }) => message['method'] === method).length;
  await expect.poll(() => asked('tools/call'), { timeout: 5000 }).toBe(1);
  if (how === 'cancelled') controller.abort(new Error('cancelled'));
  const ended = await playing;
  if (how === 'cancelled') expect(ended).toBe('cancelled');
  const deletes = () => server.requests.filter(({ method }) => method === 'DELETE').length;
  await expect.poll(deletes, { timeout: 5000 }).toBe(1);
});

test('a program is begun ahead, serves one trial at most, and none is left when the run leaves', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ahead-'));
  stops.push(() => rm(directory, { recursive: true }));
  const says = `
    const { writeFileSync, appendFileSync } = await import('node:fs');
    const own = ${JSON.stringify(directory)} + '/pid-' + process.pid;
    writeFileSync(own, '');
    answer('tools/list', () => ({ tools: [] }));
    answer('initialize', () => { appendFileSync(own, 'met '); return ${JSON.stringify({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    })}; });`;
  const program = stdioTarget(await stdioProgram(directory, says));
  const runServers = runServersFor(mcp, [], {
    targets: [{ id: 'srv_1', name: 'One', target: async () => program }],
    trials: 5,
  });
  const pids = () => readdirSync(directory).filter((name) => name.startsWith('pid-'));
  const met = () => pids().map((name) => readFileSync(join(directory, name), 'utf8'));
  const never = new AbortController().signal;
  for (const _ of [1, 2, 3]) {
    const trial = await runServers.forTrial(never, { remainingMs: () => 20_000 });
    expect((await trial.open(never)).connect).toEqual({ ok: true });
    trial.close();
  }
  await expect.poll(() => met().sort(), { timeout: 5000 }).toEqual(['', 'met ', 'met ', 'met ']);
  await runServers.close();
  const running = () => pids().filter((name) => isRunning(Number(name.slice(4))));
  await expect.poll(running, { timeout: 5000 }).toEqual([]);
});

/** A zombie process, which has ended but is not reaped yet, does not count as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const state = existsSync('/proc/self/stat') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    return !/\) Z /.test(state);
  } catch {
    return false;
  }
}
