import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite } from './run-suite.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-run-suite-'));
const program = path.join(folder, 'program.mjs');
const servers = [0, 1].map(() => createServer((_, response) => response.end('here')));
let ports: number[];
beforeAll(async () => {
  ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

function run(source: string, timeoutMs = 60_000, signal?: AbortSignal) {
  writeFileSync(program, source);
  const [port = 0] = ports;
  return runSuite({ program }, [], { timeoutMs, port, folder, ...(signal && { signal }) });
}

test('the suite gets no variable of this process', async () => {
  process.env['PROOFMARK_TEST_SECRET'] = 'a secret';
  try {
    const { stdout } = await run('console.log(JSON.stringify(process.env));');
    const given = Object.keys(JSON.parse(stdout));
    expect(given.filter((name) => !['HOME', 'TMPDIR', 'LANG', 'NO_COLOR'].includes(name))).toEqual(
      [],
    );
  } finally {
    delete process.env['PROOFMARK_TEST_SECRET'];
  }
});

test('the suite reaches one port of this machine, and nothing else', async () => {
  const { stdout, stderr } = await run(`
import http from 'node:http';
import net from 'node:net';
const asked = async (url) => fetch(url).then((answer) => answer.text(), () => 'refused');
const byHttp = (url) => new Promise((resolve) =>
  http.get(url, (answer) => answer.on('data', String).on('end', () => resolve('here'))).on('error', () => resolve('refused')));
const bySocket = (...words) => new Promise((resolve) => {
  const socket = net.connect(...words).on('error', () => resolve('refused')).on('connect', () => { socket.destroy(); resolve('here'); });
});
const [own, other] = ${JSON.stringify(ports)};
console.log(JSON.stringify([
  await asked('http://127.0.0.1:' + own), await asked('http://localhost:' + own), await byHttp('http://127.0.0.1:' + own),
  await bySocket(own, '127.0.0.1'), await bySocket({ port: own }),
  await asked('http://127.0.0.1:' + other), await byHttp('http://127.0.0.1:' + other), await bySocket(other, '127.0.0.1'),
  await bySocket({ port: own, host: '127.0.0.2' }), await bySocket({ path: '/tmp/socket' }),
]));`);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    ...Array.from({ length: 5 }, () => 'here'),
    ...Array.from({ length: 5 }, () => 'refused'),
  ]);
});

test('a suite that takes too long is ended with the processes that it started', async () => {
  const ended = await run(
    `import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
console.log(child.pid);
setInterval(() => undefined, 1000);`,
    1_500,
  );
  expect(ended).toMatchObject({ code: null, isOvertime: true });
  const started = Number(ended.stdout);
  await expect.poll(() => isAlive(started)).toBe(false);
});

test('a caller that leaves ends the suite', async () => {
  const left = new AbortController();
  const running = run('setInterval(() => undefined, 1000);', 60_000, left.signal);
  left.abort(new Error('left'));
  await expect(running).rejects.toThrow('left');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
