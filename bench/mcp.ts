/**
 * Measures the cost that our API adds to a tool call on an open session. The baseline is the same
 * call by the SDK's client. Both are measured twice, alternately, and the better result counts.
 */

import { fileURLToPath } from 'node:url';
import { startChild } from '@proofmark/harness/start-child.ts';
import { type CallFigure, measureCalls, toolCall } from './measure-calls.ts';
import { startService } from './processes.ts';

const rounds = 2;
const server = startChild(beside('./mcp-server.child.ts'), []);
const service = await startService();
try {
  const url = String((await server.first)['url']);
  const call = await savedCall(url);
  const figures = { bare: [] as CallFigure[], own: [] as CallFigure[] };
  for (let round = 0; round < rounds; round += 1) {
    const bare = startChild(beside('./bare-mcp-client.child.ts'), [url]);
    figures.bare.push((await bare.first) as unknown as CallFigure);
    await bare.closed;
    figures.own.push(await measureCalls(call, cpuSeconds));
  }
  const [bare, own] = [best(figures.bare), best(figures.own)];
  console.log(
    [
      `tools/call on a warm session, one at a time, best of ${rounds}, Node ${process.version}`,
      line('bare SDK client', bare),
      line('Proofmark', own),
      `ratio            ${(own.p50Ms / bare.p50Ms).toFixed(2)} times its p50, ${(own.cpuMicroseconds / bare.cpuMicroseconds).toFixed(2)} times its CPU`,
    ].join('\n'),
  );
} finally {
  await service.stop();
  server.kill('SIGTERM');
  await server.closed;
}

async function savedCall(url: string): Promise<() => Promise<void>> {
  const servers = `${service.url}/api/v1/projects/${service.projectId}/servers`;
  const fields = { name: 'Bench', enabled: true, transportType: 'http', url };
  const { id } = (await (await post(servers, fields)).json()) as { id: string };
  return async () => {
    const answer = await post(`${servers}/${id}/tools/call`, toolCall);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
  };
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function cpuSeconds(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^proofmark_process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

function best(figures: readonly CallFigure[]): CallFigure {
  return figures.reduce((one, other) => (other.p50Ms < one.p50Ms ? other : one));
}

function line(name: string, { p50Ms, p99Ms, cpuMicroseconds }: CallFigure): string {
  const times = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
  return `${name.padEnd(17)}${times}  ${cpuMicroseconds.toFixed(0)} µs CPU each`;
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
