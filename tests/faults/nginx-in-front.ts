import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSignedCertificate } from '@proofmark/harness/mcp-servers/self-signed-certificate.ts';
import { addresses } from './egress-attempts.ts';

/**
 * Relative to the repository's root, since this module is bundled into a program that starts in
 * that folder.
 */
const example = path.resolve('deploy/nginx.conf');

/** nginx runs as one process, since a namespace has no user except root. */
export async function startNginx(program: string, folder: string) {
  const { key, cert } = selfSignedCertificate();
  mkdirSync(`${folder}/proofmark`);
  writeFileSync(`${folder}/proofmark/fullchain.pem`, cert);
  writeFileSync(`${folder}/proofmark/privkey.pem`, key, { mode: 0o600 });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const lines = [
    ...[
      'user root;',
      'daemon off;',
      'master_process off;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr;',
    ],
    ...['events {}', 'http {', 'access_log off;', ...temporary, `include ${example};`, '}'],
  ];
  const file = `${folder}/nginx.conf`;
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'close').then(() => 'gone');
  while (!(await isListening())) {
    if ((await Promise.race([gone, sleep(50)])) === 'gone') throw new Error('nginx did not start.');
  }
  return child;
}

async function isListening(): Promise<boolean> {
  const socket = connect(443, addresses.service);
  const [name] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]).catch(() => ['error']);
  socket.destroy();
  return name === 'connect';
}

export interface ProxyAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const agent = new Agent({ keepAlive: true });

export async function askProxy(
  method: string,
  path: string,
  options: {
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly from?: string;
    readonly onPart?: () => void;
  } = {},
): Promise<ProxyAnswer> {
  const text = options.body === undefined ? '' : JSON.stringify(options.body);
  const sent = request({
    host: addresses.service,
    port: 443,
    method,
    path,
    agent,
    servername: 'proofmark.example',
    rejectUnauthorized: false,
    localAddress: options.from ?? addresses.attacker,
    headers: {
      host: 'proofmark.example',
      ...(text !== '' && { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(text),
      ...options.headers,
    },
  });
  sent.end(text);
  const [response] = await once(sent, 'response');
  let answered = '';
  for await (const part of response.setEncoding('utf8')) {
    answered += part;
    options.onPart?.();
  }
  return { status: response.statusCode, body: parsed(answered) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
