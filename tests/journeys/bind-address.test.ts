/**
 * Tests that an address open to every network is bound only on the operator's request, in every
 * notation.
 */
import { createServer } from 'node:net';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/platform/embedded/free-port.ts';
import { isOneSentence } from './one-sentence.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
afterAll(() => workspace.remove());

/** Other notations are covered by the tests of the parsing function. */
const wildcards = [
  ['0.0.0.0', 'run'],
  ['::', 'runHere'],
  [' ', 'runHere'],
] as const;

describe('as a flag', () => {
  test.each(wildcards)('%j does not start and does not listen', async (host, run) => {
    const port = String(await freePort());
    const flags = ['serve', '--port', port, '--data-dir', workspace.dataDir];
    const { code, stdout, stderr } = await workspace[run]([...flags, '--host', host]);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(isOneSentence(stderr), stderr).toBe(true);
    expect(stderr).toContain('--dangerously-bind-all');
    expect(await isFree(Number(port))).toBe(true);
  });
});

test('as PROOFMARK_HOST it does not start either, and no environment variable allows it', async () => {
  const done = await workspace.runHere(['serve', '--port', '0', '--data-dir', workspace.dataDir], {
    PROOFMARK_HOST: '0.0.0.0',
    PROOFMARK_DANGEROUSLY_BIND_ALL: 'on',
  });
  expect(done.code).toBe(3);
  expect(done.stderr).toContain('--dangerously-bind-all');
});

test('with the flag it starts', async () => {
  const service = await workspace.serve(['--host', '0.0.0.0', '--dangerously-bind-all']);
  expect((await call(`${service.url}/healthz`)).status).toBe(200);
  expect(service.stderr()).toContain('"address":"0.0.0.0"');
  expect((await service.stop()).code).toBe(0);
});

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: '0.0.0.0', port }, () => probe.close(() => resolve(true)));
  });
}
