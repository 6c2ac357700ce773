/**
 * Runs a test program in its own network namespace, where every address can be real and harmless.
 * The database stays outside; only a socket file connects the two sides.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundleChild } from '@proofmark/harness/bundle-child.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { createOperator } from '../../packages/server/src/main/operator.ts';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import type { Orders } from './inside-namespace.ts';

const program = fileURLToPath(new URL('../../packages/cli/bin/proofmark.js', import.meta.url));
// All processes inside the namespaces end with their first process, which has root rights only
// inside.
const namespaces = ['-rmnp', '--kill-child'];

export function hasNamespaces(): boolean {
  const command = ['ip', '-6', 'addr', 'add', 'fd00:ec2::254/128', 'dev', 'lo'];
  return spawnSync('unshare', [...namespaces, ...command]).status === 0;
}

export async function runInNamespace<Outcome>(child: URL, more: object = {}): Promise<Outcome> {
  const testDatabase = await createTestDatabase();
  const directory = temporaryDirectory(0o755);
  const databaseSocket = `${directory.path}/database`;
  const bridge = await bridgeTo(testDatabase, databaseSocket);
  try {
    const secretKey = randomBytes(32);
    const orders: Orders = {
      program,
      folder: directory.path,
      databaseSocket,
      databaseUrl: testDatabase.url,
      secretKey: secretKey.toString('hex'),
      ...(await makeTenant(testDatabase, secretKey)),
      ...more,
    };
    const command = [process.execPath, bundleChild(fileURLToPath(child)), JSON.stringify(orders)];
    const started = spawn('unshare', [...namespaces, ...command], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 150_000,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let complained = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    const [code] = await once(started, 'close');
    if (code !== 0) throw new Error(`It ended with ${code}: ${complained}`);
    return JSON.parse(output) as Outcome;
  } finally {
    bridge.close();
    await testDatabase.drop();
    directory.remove();
  }
}

async function makeTenant({ url }: TestDatabase, secretKey: Buffer) {
  const owner = openDatabase({
    url,
    vault: createVault(secretKey),
    as: 'owner',
    maxConnections: 1,
  });
  try {
    const operator = createOperator(owner, 'http://127.0.0.1');
    const made = await operator.bootstrap({
      email: 'owner@inward.example',
      organization: 'inward',
    });
    return { projectId: made.projectId, apiKey: made.apiKey };
  } finally {
    await owner.close();
  }
}

async function bridgeTo({ url }: TestDatabase, file: string) {
  const { hostname, port } = new URL(url);
  const bridge = createServer((socket) => {
    const far = connect(Number(port), hostname);
    socket.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => socket.destroy()).pipe(socket);
  });
  bridge.listen(file);
  await once(bridge, 'listening');
  return bridge;
}
