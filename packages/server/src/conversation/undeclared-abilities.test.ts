/**
 * Tests that a failing tool is not graded if Proofmark rejected its server's request for an ability
 * that the client had not declared.
 */
import { trialAdvice } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { pinned } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { createScriptedModel } from '../outside/model/scripted-model.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const pin = pinned('pin', { serverName: 'Asking' });

async function play(tool: AskingTool, target = {}) {
  const server = await startAskingServer({ weather: tool });
  const servers = [{ id: 'srv_1', name: 'Asking', url: server.url, target }];
  const runServers = runServersFor(mcp, servers);
  try {
    const plan = planFor({ steps: [pin] }, servers);
    const dependencies = dependenciesFor(runServers, createScriptedModel([]));
    return { record: await firstTrial(dependencies, plan) };
  } finally {
    await runServers.close();
    await server.stop();
  }
}

const roots: AskingTool = async (ask) => answerAsResult(await ask('roots/list', {}));
const url: AskingTool = async (ask) => {
  const address = { mode: 'url', url: 'https://one.example/?id=7', elicitationId: 'one' };
  return answerAsResult(
    await ask('elicitation/create', { message: 'Sign in, please.', ...address }),
  );
};

test.each<[string, AskingTool, RegExp, number, string]>([
  [
    'roots',
    roots,
    /^The tool "weather" needs roots of its client/,
    -32601,
    'Use a client with `clientCapabilities` that declare what the tool needs',
  ],
  [
    'elicitation by URL',
    url,
    /elicitation by URL\), which the client of this run does not/,
    -32602,
    'Add an answer with `mode: url` to `elicitations` of the case',
  ],
])(
  'a tool that fails after %s were refused is set-up, in a run without a client too',
  async (_, tool, says, code, advice) => {
    let answer: unknown;
    const { record } = await play((ask) =>
      tool(async (...request) => {
        const got = await ask(...request);
        answer = got['error'];
        return got;
      }),
    );
    expect(answer).toMatchObject({ code });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
    expect(record.error).toMatch(says);
    const { failureCategory, stageResults } = record.chain;
    expect(failureCategory).toBe('setup');
    expect(trialAdvice(failureCategory, stageResults, { failure: String(record.error) })).toContain(
      advice,
    );
    const { events = [], serverRequests = [] } = record.trace;
    expect(JSON.stringify([events, serverRequests])).toMatch(
      /roots\/list \(refused, because the client of this run does not declare roots\)|elicitation by URL/,
    );
  },
);

test('roots that a client declares are answered with none, and a failure after that is measured', async () => {
  const { record } = await play(
    async (ask) => {
      const { result } = await ask('roots/list', {});
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(result) }] };
    },
    { clientCapabilities: { roots: {} } },
  );
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.error).toContain('{"roots":[]}');
  expect(record.chain.failureCategory).toBe('serverData');
});

test('sampling with tools is declared by nobody', async () => {
  const { record } = await play(async () => ({
    isError: true,
    content: [{ type: 'text', text: 'Client does not support sampling tools capability.' }],
  }));
  expect(record).toMatchObject({ status: 'setup_failed', result: null });
});
