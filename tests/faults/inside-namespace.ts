import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { addresses } from './egress-attempts.ts';

export interface Orders {
  readonly program: string;
  readonly folder: string;
  /** A socket file inside the namespace; connections to it reach the database outside. */
  readonly databaseSocket: string;
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly projectId: string;
  readonly apiKey: string;
}

/** Adds all addresses to the loopback device, and makes the test's name server the first one. */
export function prepareNetwork({ folder }: Orders): void {
  const ip = (...parameters: string[]) => execFileSync('ip', parameters);
  ip('link', 'set', 'lo', 'up');
  for (const address of [...addresses.canaries, addresses.service, addresses.attacker]) {
    if (address === '127.0.0.1') continue;
    if (address.includes(':')) ip('-6', 'addr', 'add', `${address}/128`, 'dev', 'lo', 'nodad');
    else ip('addr', 'add', `${address}/32`, 'dev', 'lo');
  }
  const file = `${folder}/resolv.conf`;
  writeFileSync(file, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n', { mode: 0o644 });
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
}

export async function bridgeDatabase(orders: Orders): Promise<string> {
  const bridge = createServer((socket) => {
    const far = connect(orders.databaseSocket);
    socket.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => socket.destroy()).pipe(socket);
  });
  bridge.listen(5432, '127.0.0.1');
  await once(bridge, 'listening');
  const url = new URL(orders.databaseUrl);
  url.host = '127.0.0.1:5432';
  return url.href;
}

export async function startProgram(
  orders: Orders,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [orders.program, ...parameters], {
    cwd: orders.folder,
    env: {
      PATH: process.env['PATH'],
      PROOFMARK_SECRET_KEY: orders.secretKey,
      PROOFMARK_RATE_LIMIT: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const isReady = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'close').then(() => false),
  ]);
  if (!isReady) throw new Error(`${parameters[0]} did not start.`);
  return child;
}
