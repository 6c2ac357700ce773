/**
 * Tests servers that are child processes of Proofmark. No network can fail, so a process that ends
 * by itself is the server's fault. If the process was killed, the cause is unknown.
 */

import { trialAdvice } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { gatewayForTest, stdioTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import type { Step } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { createScriptedModel } from '../outside/model/scripted-model.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

/** A stdio server. The name of the called tool selects how its process ends. */
const program = `
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const tools = ['fine', 'exit', 'killed', 'leave', 'abort', 'goes'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const calls = {
  fine: () => true,
  // These answer first: what the process does next is between two calls.
  leave: () => setTimeout(() => process.exit(4), 5),
  abort: () => setTimeout(() => process.abort(), 5),
  goes: () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5),
  exit: () => process.exit(3),
  killed: () => process.kill(process.pid, 'SIGKILL') && false,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    say(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  } else if (method === 'tools/list') say(id, { tools });
  else if (method === 'tools/call') { if (calls[params.name]()) say(id, { content: [{ type: 'text', text: String(process.pid) }] }); }
  else if (id !== undefined) {
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
  }
});`;

const pin = (id: string, toolName: string): Step => ({
  id,
  kind: 'toolCall',
  serverName: 'Weather',
  toolName,
  arguments: {},
});

const asks: Step[] = [{ id: 'ask', kind: 'prompt', prompt: 'Call both.' }];

/**
 * Returns a model that calls these tools one after another. Before each call it waits until the
 * process that answered the previous call has ended.
 */
function callsOf(...names: readonly string[]): ModelGateway {
  return createScriptedModel(async ({ messages }) => {
    const toolName = names[messages.filter(({ role }) => role === 'assistant').length];
    const pid = /"text":"(\d+)"/.exec(JSON.stringify(messages.at(-1)))?.[1];
    if (pid !== undefined && toolName !== undefined) await gone(Number(pid));
    if (toolName === undefined) return { text: 'Done.', toolCalls: [] };
    return { text: '', toolCalls: [{ toolCallId: `call-${toolName}`, toolName, input: {} }] };
  });
}

async function gone(pid: number): Promise<void> {
  for (let looks = 0; looks < 1000 && isThere(pid); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // The service notices the end of the process a moment later.
  await new Promise((resolve) => setTimeout(resolve, 300));
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function play(
  code: string,
  steps: Step[],
  file = process.execPath,
  models: ModelGateway = modelOfLines([]),
) {
  const servers = [{ id: 'srv_1', name: 'Weather', url: '' }];
  const command = { command: file, args: ['-e', code] };
  let asked = 0;
  const runServers = runServersFor(mcp, servers, {
    targets: [{ id: 'srv_1', name: 'Weather', target: async () => stdioTarget(command) }],
    verifyEgress: async () => {
      asked += 1;
      return false;
    },
  });
  const plan = planFor({ steps }, servers);
  const record = await firstTrial(dependenciesFor(runServers, models), plan);
  await runServers.close();
  const { chain, error, result, warnings, trace } = record;
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  const evidence = failed?.evidence?.spanIds ?? [];
  const evidenceOfFailure = { failure: String(error) };
  const next = trialAdvice(chain.failureCategory, chain.stageResults, evidenceOfFailure);
  const { sessionsReopened } = trace;
  return {
    error,
    asked,
    evidence,
    next,
    result,
    warnings,
    sessionsReopened,
    blame: [failed?.reason, chain.failureCategory],
  };
}

test('a process that ends during a call is the server, and the sentence says how it ended', async () => {
  const { error, blame, evidence } = await play(program, [pin('a', 'fine'), pin('b', 'exit')]);
  expect(blame).toEqual(['protocolError', 'serverData']);
  expect(error).toContain('exit code 3');
  expect(evidence).toHaveLength(1);
});

test.each([
  ['leave', 'exit code 4', 'serverData'],
  ['abort', 'SIGABRT', 'serverData'],
  // Neither the server nor Proofmark sends SIGKILL here, so the sender is unknown.
  ['goes', 'SIGKILL', 'setup'],
])(
  'a process that ends after it answered %s fails the next call by %s',
  async (tool, end, category) => {
    const models = callsOf(tool, 'fine');
    const { error, blame, result, evidence } = await play(program, asks, process.execPath, models);
    expect(result).toBe('failed');
    expect(blame).toEqual(['protocolError', category]);
    expect(error).toMatch(/^The call of "fine" got no result: The process of the server ended/);
    expect(error).toContain(`(${end}) after its last answer, before it was asked again.`);
    expect(evidence).toHaveLength(1);
  },
);

test('only the next call fails by it; a session that is opened after that is told', async () => {
  const models = callsOf('leave', 'fine', 'exit');
  const { error, warnings, sessionsReopened } = await play(
    program,
    [
      ...asks,
      { id: 'lost', kind: 'assert', assertion: { type: 'toolCallFails', toolName: 'fine' } },
    ],
    process.execPath,
    models,
  );
  const lost = 'The process of the server ended (exit code 4) after its last answer';
  expect(sessionsReopened).toEqual([
    { serverName: 'Weather', atMs: expect.any(Number), reason: expect.stringContaining(lost) },
  ]);
  expect(warnings).toEqual([
    {
      path: 'servers[0]',
      code: 'SESSION_REOPENED',
      message: expect.stringContaining(`opened anew, so the server may not remember`),
    },
  ]);
  // A call without a response never counts as an expected failure, so the trial's error reports it.
  expect(error).toMatch(/^The call of "fine" got no result: .*exit code 4/);
});

test('a process that ends after the last call of a trial is no failure of the trial', async () => {
  const models = callsOf('leave');
  const { error, result, warnings } = await play(program, asks, process.execPath, models);
  expect({ error, result, warnings }).toEqual({ error: null, result: 'passed', warnings: [] });
});

test('a process that was killed is nobody the chain could name', async () => {
  const { error, blame } = await play(program, [pin('a', 'killed')]);
  expect(blame).toEqual(['protocolError', 'setup']);
  expect(error).toContain('SIGKILL');
});

test('a process that ends at once is a server that cannot be connected to', async () => {
  const { error, blame, asked, next } = await play('process.exit(7)', [pin('a', 'fine')]);
  expect(blame).toEqual(['connectFailed', 'setup']);
  expect(error).toContain('exit code 7');
  expect(next).toMatch(/^Find out why the program of the server ended/);
  expect(asked).toBe(0);
});

test('a command that is not there is our own environment', async () => {
  const servers = [{ id: 'srv_1', name: 'Weather', url: '' }];
  const target = async () => stdioTarget({ command: '/nowhere/at/all', args: [] });
  const runServers = runServersFor(mcp, servers, {
    targets: [{ id: 'srv_1', name: 'Weather', target }],
  });
  const { signal } = new AbortController();
  const own = await runServers.forTrial(signal, { remainingMs: () => 10_000 });
  const { connect } = await own.open(signal);
  own.close();
  expect(connect).toEqual({ ok: false, attribution: 'ours', egressVerified: false });
  const { next } = await play('', [pin('a', 'fine')], '/nowhere/at/all');
  expect(next).toMatch(/^Correct the command/);
});
