/**
 * A server that is a process of its own: nothing lies between it and us, so where it ends by itself, that is its doing.
 * Where somebody killed it, nobody knows whose it is.
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

const mcp = gatewayForTest();
afterAll(() => mcp.close());

/** Ends as the tool says that is called. */
const program = `
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const tools = ['fine', 'exit', 'killed'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const calls = {
  fine: () => true,
  exit: () => process.exit(3),
  killed: () => process.kill(process.pid, 'SIGKILL') && false,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    say(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  } else if (method === 'tools/list') say(id, { tools });
  else if (method === 'tools/call') { if (calls[params.name]()) say(id, { content: [] }); }
  else if (id !== undefined) {
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
  }
});`;

const pin = (id: string, toolName: string): Step => ({
  ...{ id, kind: 'toolCall', serverName: 'Weather', toolName, arguments: {} },
});

async function play(code: string, steps: Step[], file = process.execPath) {
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
  const record = await firstTrial(dependenciesFor(runServers, modelOfLines([])), plan);
  const { chain, error } = record;
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  const evidence = failed?.evidence?.spanIds ?? [];
  const told = { failure: String(error) };
  const next = trialAdvice(chain.failureCategory, chain.stageResults, told);
  return { error, asked, evidence, next, blame: [failed?.reason, chain.failureCategory] };
}

test('a process that ends during a call is the server, and the sentence says how it ended', async () => {
  const { error, blame, evidence } = await play(program, [pin('a', 'fine'), pin('b', 'exit')]);
  expect(blame).toEqual(['protocolError', 'serverData']);
  expect(error).toContain('exit code 3');
  expect(evidence).toHaveLength(1);
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
