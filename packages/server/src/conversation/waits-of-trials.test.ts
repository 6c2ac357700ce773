/**
 * Tests trials that wait before a request is sent, for example for credits. Neither the server nor
 * the provider is at fault, and the trace contains no call.
 */

import { setTimeout as after } from 'node:timers/promises';
import type { Places } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { ask, callWeather, spansOf, sunny } from '@proofmark/harness/play-trial.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelGateway } from '../outside/model/model-gateway.ts';

const mcp = gatewayForTest();
const clock = { ms: 0 };
const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
let server: Awaited<ReturnType<typeof startFakeMcpServer>>;
beforeAll(async () => {
  server = await startFakeMcpServer({ 'tools/list': { tools } });
});
afterAll(async () => {
  await server.stop();
  await mcp.close();
});

function forEver(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function trialWith(models: ModelGateway, places?: Places, { url } = server) {
  const servers = [{ id: 'srv_1', name: 'shop', url }];
  const elapsedMs = () => clock.ms;
  const runServers = runServersFor(mcp, servers, { elapsedMs, ...(places && { places }) });
  const limits = { maxModelSteps: 5, trialTimeoutMs: 1500 };
  return firstTrial(
    dependenciesFor(runServers, models, { elapsedMs }),
    planFor({ steps: [ask] }, servers, { limits }),
  );
}

test('a call of a model that found no place is no call, and the trial says what it waited for', async () => {
  const crowded: ModelGateway = {
    ...modelOfLines([]),
    generate: (_model, _request, { signal }) => forEver(signal),
  };
  const record = await trialWith(crowded);
  expect(record).toMatchObject({ status: 'setup_failed', result: null });
  expect(record.error).toContain('while a call of scripted waited for other calls to end');
  expect(spansOf(record).filter(({ id }) => id.startsWith('llm-'))).toEqual([]);
});

test('a call of a tool that found no place is no call either', async () => {
  let asked = 0;
  const places: Places = {
    run: (_target, _bound, signal, work) => {
      asked += 1;
      return asked === 1 ? work() : forEver(signal);
    },
  };
  const record = await trialWith(modelOfLines([callWeather, sunny]), places);
  expect(record).toMatchObject({ status: 'setup_failed', actualToolCalls: [] });
  expect(record.error).toContain('while other trials used all calls that "shop" may receive');
  expect(spansOf(record).filter(({ id }) => id.startsWith('tool-'))).toEqual([]);
});

test('the wait for a place is no time of the connection', async () => {
  const places: Places = {
    run: (_target, _bound, _signal, work) => {
      clock.ms += 1_000_000;
      return work();
    },
  };
  const record = await trialWith(modelOfLines([sunny]), places);
  const [connection] = spansOf(record).filter(({ id }) => id.startsWith('run-connect-'));
  expect(Number(connection?.endMs) - Number(connection?.startMs)).toBe(1);
});

/** Returns a model whose first request waits for credits longer than the trial may take. */
function waitingForCredits(answering: ModelGateway): ModelGateway {
  let isFirst = true;
  return {
    ...answering,
    generate: async (model, request, options) => {
      options.onHeld?.(true);
      if (isFirst) await after(1700);
      isFirst = false;
      options.onHeld?.(false);
      return answering.generate(model, request, options);
    },
  };
}

test('the wait for credits is no time of the trial', async () => {
  const waiting = waitingForCredits(modelOfLines([sunny]));
  expect(await trialWith(waiting)).toMatchObject({ status: 'completed' });
});

test('a server may still ask to wait when the trial has waited for credits', async () => {
  let calls = 0;
  const busy = await startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': (response, request) => {
      calls += 1;
      if (calls === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else sendJson(response, rpcResult(request, { content: [] }));
    },
  });
  const waiting = waitingForCredits(modelOfLines([callWeather, sunny]));
  const record = await trialWith(waiting, undefined, busy).finally(() => busy.stop());
  expect([record.status, record.error, calls]).toEqual(['completed', null, 2]);
});
