/**
 * Measures the cost of one request as a ratio to a bare node:http server that sends the same
 * headers and body. The two servers are separate processes and are measured alternately.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startBareServer } from './processes.ts';

export const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
const connections = 20;

export interface Figure {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Comparison {
  readonly bytes: number;
  readonly bare: Figure;
  readonly own: Figure;
}

export async function besideBareServer(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<Comparison> {
  const answer = await fetch(url + path, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(body);
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-bytes-'));
  // Node's server adds these headers to every response, so the bare server does not send them
  // itself.
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...sent
  } = Object.fromEntries(answer.headers);
  writeFileSync(join(folder, 'answer'), JSON.stringify({ headers: sent, body }));
  const bare = await startBareServer(join(folder, 'answer'));
  const figures: { bare: Figure[]; own: Figure[] } = { bare: [], own: [] };
  try {
    // The two servers are measured in turn, twice, so that other load on the machine affects both.
    // The better round of each server counts.
    for (let round = 0; round < 2; round += 1) {
      figures.bare.push(await measure(bare.url, '/', headers));
      figures.own.push(await measure(url, path, headers));
    }
  } finally {
    await bare.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { bytes: Buffer.byteLength(body), bare: best(figures.bare), own: best(figures.own) };
}

export function describe(title: string, { bytes, bare, own }: Comparison): string {
  return [
    `${title}, ${bytes} bytes, ${connections} connections, ${seconds} s, Node ${process.version}`,
    line('bare node:http', bare),
    line('Proofmark', own),
    `ratio            ${(own.perSecond / bare.perSecond).toFixed(2)} of its rate, ${(own.cpuMicroseconds / bare.cpuMicroseconds).toFixed(1)} times its CPU`,
  ].join('\n');
}

export async function measure(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<Figure> {
  // Warm up until V8 has compiled the hot code. Otherwise the server's CPU would include the
  // compilation.
  await autocannon({ url: url + path, headers, connections, duration: 6 });
  const before = await cpuSeconds(url);
  const result = await autocannon({ url: url + path, headers, connections, duration: seconds });
  const cpu = (await cpuSeconds(url)) - before;
  if (result.non2xx > 0 || result.errors > 0) throw new Error('Not every answer was a success.');
  return {
    perSecond: result.requests.average,
    cpuMicroseconds: (cpu * 1e6) / result.requests.total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^proofmark_process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

function best(figures: readonly Figure[]): Figure {
  return figures.reduce((one, other) =>
    other.cpuMicroseconds < one.cpuMicroseconds ? other : one,
  );
}

function line(name: string, figure: Figure): string {
  const rate = figure.perSecond.toFixed(0).padStart(7);
  const cpu = figure.cpuMicroseconds.toFixed(0).padStart(5);
  return `${name.padEnd(16)}${rate} requests/s  ${cpu} µs CPU each  p99 ${figure.p99Ms} ms`;
}
