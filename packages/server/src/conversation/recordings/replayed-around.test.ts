/**
 * Tests the calls before and after the steps of a replayed trial. Clean-up calls prove nothing
 * about the trial, but they are still made.
 */
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type CaseToReplay,
  callsAmong,
  recordTrial,
  replayTrial,
} from '@proofmark/harness/replayed-trial.ts';
import { afterAll, expect, test } from 'vitest';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const call = (toolName: string, input: Record<string, unknown> = {}) => ({
  id: toolName,
  kind: 'toolCall' as const,
  serverName: 'Weather',
  toolName,
  arguments: input,
});
const definition = (...after: ReturnType<typeof call>[]): CaseToReplay => ({
  steps: [call('use')],
  before: [call('make')],
  after,
});

const answering = (texts: Readonly<Record<string, string>> = {}) => {
  const answer: FakeAnswer = (response, request) => {
    const { name } = request.message['params'] as { readonly name: string };
    const content = [{ type: 'text', text: texts[name] ?? `${name} is done` }];
    sendJson(response, rpcResult(request, { content }));
  };
  const tools = ['make', 'use', 'remove', 'sweep'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
  }));
  return { 'tools/list': { tools }, 'tools/call': answer };
};
const record = () =>
  recordTrial(mcp, { definition: definition(call('remove')), answers: answering() });
const live = { servers: 'live', asksModel: false } as const;
const namesOf = (requests: Parameters<typeof callsAmong>[0]) =>
  callsAmong(requests).map(({ message }) => (message['params'] as { name: string }).name);

test('a clean-up that answers otherwise changes nothing of what was graded', async () => {
  const { again, played } = await replayTrial(mcp, await record(), {
    definition: definition(call('remove'), call('sweep')),
    terms: live,
    answers: answering({ remove: 'nothing was there' }),
  });
  expect(again).toMatchObject({ status: 'completed', result: 'passed', warnings: [] });
  expect(played.divergence).toBeUndefined();
});

test('what a trial that went another way has made is cleaned up', async () => {
  const { again, played, requests } = await replayTrial(mcp, await record(), {
    definition: definition(call('remove'), call('sweep')),
    terms: live,
    answers: answering({ use: 'other', remove: 'other' }),
  });
  expect(again).toMatchObject({ status: 'skipped', result: null, warnings: [] });
  expect(played.divergence).toMatchObject({ kind: 'result', toolName: 'use' });
  expect(namesOf(requests)).toEqual(['make', 'use', 'remove', 'sweep']);
});

test.each(['stop', 'live'] as const)(
  'a clean-up that was not recorded is told, and nobody is called for it (%s)',
  async (onDivergence) => {
    const { again, played, requests } = await replayTrial(mcp, await record(), {
      definition: definition(call('sweep'), call('remove')),
      terms: { onDivergence, asksModel: false },
      answers: answering(),
    });
    expect(again).toMatchObject({ status: 'completed', result: 'passed' });
    expect(again.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('was not recorded'),
    ]);
    expect(played.divergence).toBeUndefined();
    expect(requests).toEqual([]);
  },
);

test('what is prepared otherwise is a divergence', async () => {
  const { again, played } = await replayTrial(mcp, await record(), {
    definition: definition(call('remove')),
    terms: live,
    answers: answering({ make: 'other' }),
  });
  expect(again).toMatchObject({ status: 'skipped', result: null });
  expect(played.divergence).toMatchObject({ kind: 'result', toolName: 'make' });
});
