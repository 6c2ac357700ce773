/**
 * Nobody outside makes the service connect inward: not by the spelling of an address, nor by a name that changes its
 * mind, nor by a redirect, nor by anything a server or its authorization server points at. The canaries and the whole
 * service live in a network namespace of this test, where the metadata address is real and harmless. Which PostgreSQL
 * is underneath does not matter, so one is enough.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOperator } from '../../packages/server/src/main/operator.ts';
import { openDatabase } from '../../packages/server/src/storage/database/database.ts';
import { createVault } from '../../packages/server/src/vault/vault.ts';
import { addresses, pointers, spellings } from './egress-attempts.ts';
import type { Attempt } from './egress-namespace.child.ts';

const child = fileURLToPath(new URL('./egress-namespace.child.ts', import.meta.url));
const program = fileURLToPath(new URL('../../packages/cli/bin/proofmark.js', import.meta.url));
// Everything in it dies with the first process, and it is root only inside.
const namespaces = ['-rmnp', '--kill-child'];
const isOther = process.env['PROOFMARK_TEST_CLUSTER'] === 'system';
const why = isOther || hasNamespaces() ? '' : ' (skipped: no network namespaces of our own here)';

describe.skipIf(isOther || why !== '')(`egress, in a network namespace${why}`, () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await runInNamespace();
  }, 180_000);

  test('the canaries can be reached, and looking before calling does not help', () => {
    for (const address of addresses.canaries) expect(outcome.control[address]).toBeGreaterThan(0);
    expect(outcome.control['169.254.169.254']).toBeGreaterThan(1);
  });

  test('no canary was reached by the service', () => {
    expect(outcome.attempts.length).toBeGreaterThan(spellings.length + pointers.length * 8);
    expect(outcome.hits).toEqual({});
  });

  test('an address is refused when it is saved, in every spelling', () => {
    const saved = outcome.attempts.filter(({ what }) => what.startsWith('spelling '));
    expect(
      saved.filter(({ status, code }) => status !== 400 || code !== 'VALIDATION_ERROR'),
    ).toEqual([]);
    const blocked = saved.filter(({ reason }) => reason === 'EGRESS_BLOCKED');
    expect(blocked.length).toBeGreaterThan(spellings.length - 8);
  });

  test('a name that leads inward is refused when it is used, and what it stands for is not told', () => {
    const used = outcome.attempts.filter(({ what }) => /^name .*: validate$/.test(what));
    const inward = used.filter(({ what }) => !/honest|rebinding/.test(what));
    expect(inward).not.toEqual([]);
    for (const attempt of inward) {
      expect(attempt).toMatchObject({
        status: 502,
        code: 'SERVER_UNREACHABLE',
        reason: 'EGRESS_BLOCKED',
        toldAddress: false,
      });
    }
    const rebinding = used.filter(({ what }) => what.includes('rebinding'));
    const reasons = new Set(rebinding.map(({ reason, code }) => reason ?? code));
    expect(reasons).toEqual(new Set(['EGRESS_BLOCKED', 'OAUTH_REQUIRED']));
  });

  test('a redirect inward is refused, and nothing a server points at is our failure', () => {
    const redirected = outcome.attempts.filter(({ what }) => /^redirect-.*: validate$/.test(what));
    expect(redirected).toHaveLength(40);
    expect(redirected.filter(({ reason }) => reason !== 'EGRESS_BLOCKED')).toEqual([]);
    expect(outcome.attempts.filter(({ status }) => status === 500)).toEqual([]);
  });
});

interface Outcome {
  readonly control: Readonly<Record<string, number>>;
  readonly attempts: readonly Attempt[];
  readonly hits: Readonly<Record<string, number>>;
}

async function runInNamespace(): Promise<Outcome> {
  const testDatabase = await createTestDatabase();
  const directory = temporaryDirectory(0o755);
  const databaseSocket = `${directory.path}/database`;
  const bridge = await bridgeTo(testDatabase, databaseSocket);
  try {
    const secretKey = randomBytes(32);
    const tenant = await makeTenant(testDatabase, secretKey);
    const orders = {
      ...{ program, folder: directory.path, databaseSocket, databaseUrl: testDatabase.url },
      ...{ secretKey: secretKey.toString('hex'), ...tenant },
    };
    const started = spawn(
      'unshare',
      [...namespaces, process.execPath, '--import', 'tsx', child, JSON.stringify(orders)],
      {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 150_000,
        killSignal: 'SIGKILL',
      },
    );
    let said = '';
    let complained = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    const [code] = await once(started, 'close');
    if (code !== 0) throw new Error(`It ended with ${code}: ${complained}`);
    return JSON.parse(said) as Outcome;
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

/** A socket file is the one thing that both sides of the namespace can see. */
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

function hasNamespaces(): boolean {
  const command = ['ip', '-6', 'addr', 'add', 'fd00:ec2::254/128', 'dev', 'lo'];
  return spawnSync('unshare', [...namespaces, ...command]).status === 0;
}
