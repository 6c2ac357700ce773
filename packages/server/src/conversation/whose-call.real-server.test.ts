/**
 * Tests that wrong arguments of a model are found by the tool's schema. The server's error text
 * cannot be used, because servers word it differently.
 */

import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const mcp = gatewayForTest();
let server: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  server = await startEverythingServer('streamableHttp');
});
afterAll(async () => {
  await mcp.close();
  await server.stop();
});

async function play(tool: string, input: object) {
  const servers = [{ id: 'srv_1', name: 'Everything', url: server.url }];
  const steps = [
    { id: 'ask', kind: 'prompt', prompt: 'Please.' },
    { id: 'calls', kind: 'assert', assertion: { type: 'toolCalledAtLeastOnce', toolName: tool } },
  ] as const;
  const model = modelOfLines([{ calls: [{ tool, input }] }, { text: 'Done.' }]);
  const dependencies = dependenciesFor(runServersFor(mcp, servers), model);
  const { chain, result, error } = await firstTrial(
    dependencies,
    planFor({ steps: [...steps] }, servers),
  );
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  return { result, error, blame: [failed?.reason, chain.failureCategory] };
}

test.each<[string, object]>([
  ['echo', {}],
  ['echo', { text: 'hello' }],
  ['get-sum', { a: 'two', b: 3 }],
  ['get-sum', { a: 2 }],
  ['get-structured-content', { location: 'Atlantis' }],
  ['get-annotated-message', { messageType: 'unknown' }],
])('%s with %j: the arguments are wrong', async (tool, input) => {
  const { result, error, blame } = await play(tool, input);
  expect([result, ...blame]).toEqual(['failed', 'argumentMismatch', 'arguments']);
  expect(error).toContain('break its input schema');
});

test.each<[string, object]>([
  ['echo', { message: 'hello' }],
  ['get-sum', { a: 2, b: 3 }],
  ['get-structured-content', { location: 'Chicago' }],
])('%s with %j: nothing is wrong', async (tool, input) => {
  const { result, blame } = await play(tool, input);
  expect([result, ...blame]).toEqual(['passed', undefined, undefined]);
});
