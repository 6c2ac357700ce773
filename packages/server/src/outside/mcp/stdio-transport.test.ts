import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  failureOf,
  gatewayForTest,
  stdioTarget,
} from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { stdioProgram } from '@proofmark/harness/mcp-servers/stdio-program.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpTarget } from './mcp-target.ts';

let gateway: McpGateway;
let directory: string;

beforeEach(async () => {
  gateway = gatewayForTest({ callMs: 10_000, maxMessageBytes: 100_000 });
  directory = await mkdtemp(join(tmpdir(), 'stdio-'));
});

afterEach(async () => {
  await gateway.close();
  await rm(directory, { recursive: true });
});

test('the child sees the environment it was given and nothing of ours', async () => {
  const target = await program(`answer('tools/call', () => ({ content: [], env: process.env }));`, {
    GIVEN: 'yes',
  });
  const { result } = await gateway.use(target, (session) => session.callTool('any', {}));
  const ours = new Set(['GIVEN']);
  // macOS adds variables that begin with `__CF` to the environment of every process. They are
  // ignored.
  const seen = Object.keys(result['env'] as object).filter((name) => !name.startsWith('__CF'));
  expect(new Set(seen)).toEqual(ours);
});

test('no shell reads the arguments', async () => {
  const target = await program(
    `answer('tools/call', () => ({ content: [], args: process.argv.slice(2) }));`,
  );
  const { address } = target;
  if (address.kind !== 'stdio') throw new Error('It is a program.');
  const args = [...address.args, '$HOME; touch x', '`id`'];
  const odd = { ...target, address: { ...address, args } };
  const { result } = await gateway.use(odd, (session) => session.callTool('any', {}));
  expect(result['args']).toEqual(['$HOME; touch x', '`id`']);
});

test('notes that begin like JSON, and JSON that is no message, are passed over', async () => {
  const target = await program(
    `answer('tools/call', () => {
      for (const note of ['{nonsense}', '[info] working', '{"level":"info","msg":"working"}']) console.log(note);
      return { content: [] };
    });`,
  );
  expect((await gateway.use(target, (session) => session.callTool('any', {}))).result).toEqual({
    content: [],
  });
});

test('notes between messages are passed over', async () => {
  const target = await program(
    `console.log('starting…'); answer('tools/call', () => { console.log('[note'.slice(1)); return { content: [] }; });`,
  );
  expect((await gateway.use(target, (session) => session.callTool('any', {}))).result).toEqual({
    content: [],
  });
});

test.each([
  [
    'a line that is too long',
    `process.stdout.write('{' + 'x'.repeat(300000));`,
    'RESPONSE_TOO_LARGE',
  ],
  ['deep JSON', `process.stdout.write('['.repeat(20000) + '\\n');`, 'RESPONSE_TOO_LARGE'],
  [
    'a message that is none',
    `process.stdout.write('{"jsonrpc":nonsense}\\n');`,
    'INVALID_RESPONSE',
  ],
  ['an end instead of an answer', `process.exit(1);`, 'CONNECTION_CLOSED'],
])('%s is told', async (_title, deed, reason) => {
  const target = await program(`answer('tools/call', () => { ${deed} });`);
  const failure = await failureOf(gateway.use(target, (session) => session.callTool('any', {})));
  expect(failure.details['reason']).toBe(reason);
});

test('a child that ended is started anew for the next call', async () => {
  const target = await program(
    `answer('tools/call', () => process.exit(1)); answer('tools/list', () => ({ tools: [] }));`,
  );
  await failureOf(gateway.use(target, (session) => session.callTool('any', {})));
  expect(await gateway.use(target, (session) => session.listTools())).toEqual({ items: [] });
});

test('a server that ends when it is asked something new is asked the old way', async () => {
  const target = await program(
    `answer('server/discover', () => process.exit(1)); answer('tools/list', () => ({ tools: [] }));`,
  );
  expect(await gateway.use(target, (session) => session.listTools())).toEqual({ items: [] });
});

test('a program that does not exist, or is not named in full, is told', async () => {
  for (const command of ['/no/such/program', 'node']) {
    const failure = await failureOf(
      gateway.use(stdioTarget({ command, args: [] }), (session) => session.listTools()),
    );
    expect(failure.details['reason']).toBe('COMMAND_NOT_FOUND');
  }
});

test('no process is left, also of those that the child started and that ignore signals', async () => {
  const pids = join(directory, 'pids');
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const target = await program(
    `const { spawn } = await import('node:child_process');
     const child = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'ignore' });
     (await import('node:fs')).writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
     ${stubborn}
     answer('tools/list', () => ({ tools: [] }));`,
  );
  await gateway.use(target, (session) => session.listTools());
  const started = (await readFile(pids, 'utf8')).split(' ').map(Number);
  await gateway.close();
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
});

async function program(body: string, env: Record<string, string> = {}): Promise<McpTarget> {
  return stdioTarget({ ...(await stdioProgram(directory, body)), env });
}

/**
 * Returns whether a process runs. A process that has ended but has not been reaped yet does not
 * count.
 */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const state = existsSync('/proc/self/stat') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    return !/\) Z /.test(state);
  } catch {
    return false;
  }
}
