/**
 * What the door costs: `GET /api/v1/me` with a real key, its bucket and its look-up in PostgreSQL,
 * beside a bare node:http server that answers the same bytes. Both run as processes of their own,
 * in turn, in one run; the figure is the ratio.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
const connections = 20;
const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
// As root the database runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);

interface Figure {
  readonly name: string;
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p99Ms: number;
}

try {
  const service = await start(
    ['packages/cli/bin/proofmark.js', 'serve', '--port', '0', '--json', '--data-dir', folder],
    {
      PROOFMARK_RATE_LIMIT: '999999/999999',
      PROOFMARK_LOG_LEVEL: 'warn',
    },
  );
  const { apiKey } = JSON.parse(
    await output([
      'packages/cli/bin/proofmark.js',
      'admin',
      'bootstrap',
      '--email',
      'bench@example.com',
      '--organization',
      'Bench',
      '--json',
      '--data-dir',
      folder,
    ]),
  ) as { apiKey: string };
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${service.url}/api/v1/me`, { headers });
  const body = await answer.text();
  const bare = await start(['--import', 'tsx', 'bench/bare-server.ts', body], {});
  const figures: Figure[] = [];
  // Twice, in turn, and the better of each: a busy machine then hurts both alike.
  for (let round = 0; round < 2; round += 1) {
    figures.push(await measure('bare node:http', bare.url, '/', headers));
    figures.push(await measure('the door', service.url, '/api/v1/me', headers));
  }
  report(best(figures, 'bare node:http'), best(figures, 'the door'), body.length);
  await service.stop();
  await bare.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(
  name: string,
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<Figure> {
  await autocannon({ url: url + path, headers, connections, duration: 2 });
  const before = await cpuSeconds(url);
  const result = await autocannon({ url: url + path, headers, connections, duration: seconds });
  const cpu = (await cpuSeconds(url)) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: not every answer was a success.`);
  return {
    name,
    perSecond: result.requests.average,
    cpuMicroseconds: (cpu * 1e6) / result.requests.total,
    p99Ms: result.latency.p99,
  };
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^proofmark_process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

function best(figures: readonly Figure[], name: string): Figure {
  const own = figures.filter((figure) => figure.name === name);
  return own.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
}

function report(bare: Figure, door: Figure, bytes: number): void {
  console.log(
    `GET /api/v1/me, ${bytes} bytes, ${connections} connections, ${seconds} s, Node ${process.version}`,
  );
  for (const figure of [bare, door]) {
    const name = figure.name.padEnd(16);
    const rate = figure.perSecond.toFixed(0).padStart(7);
    console.log(
      `${name}${rate} requests/s  ${figure.cpuMicroseconds.toFixed(0).padStart(5)} µs CPU each  p99 ${figure.p99Ms} ms`,
    );
  }
  console.log(
    `ratio            ${(door.perSecond / bare.perSecond).toFixed(2)} of its rate, ${(door.cpuMicroseconds / bare.cpuMicroseconds).toFixed(1)} times its CPU`,
  );
}

async function start(argv: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${argv[0]} ended before it was ready.`)));
    child.stdout.once('data', (line) =>
      resolve((JSON.parse(String(line).split('\n')[0] ?? '') as { url: string }).url),
    );
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function output(argv: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}
