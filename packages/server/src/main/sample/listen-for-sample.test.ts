import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listenForSample, type SampleListener, samplePortOf } from './listen-for-sample.ts';

const listeners: SampleListener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop();
});

async function start(port?: number): Promise<SampleListener> {
  const listener = await listenForSample(port);
  listeners.push(listener);
  return listener;
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

function ask(url: string, headers: Record<string, string>, body = list): Promise<number> {
  return new Promise((resolve, reject) => {
    const given = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const sent = request(url, { method: 'POST', headers: given, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each([
  ['its own name', {}, 200],
  ['localhost', { host: 'localhost:1' }, 200],
  ['its own page', { origin: 'http://127.0.0.1:9' }, 200],
  ['another name', { host: 'rebound.example' }, 403],
  ['a name that begins like it', { host: '127.0.0.1.example' }, 403],
  ['a page elsewhere', { origin: 'https://evil.example' }, 403],
  ['a page without origin', { origin: 'null' }, 403],
])('asked by %s: %j gives %i', async (_, headers, status) => {
  expect(await ask((await start()).url, headers)).toBe(status);
});

test('a body beyond its bound is refused', async () => {
  expect(await ask((await start()).url, {}, 'x'.repeat(1_000_001))).toBe(413);
});

test('it listens on the port it had, and on another where that is taken', async () => {
  const first = await start();
  const port = samplePortOf(first.url) as number;
  const second = await start(port);
  expect(samplePortOf(second.url)).not.toBe(port);
  await listeners.shift()?.stop();
  expect((await start(port)).url).toBe(first.url);
});

test.each([
  undefined,
  'https://127.0.0.1:80/mcp',
  'http://127.0.0.1:80/other',
  'http://mcp.example:80/mcp',
  'http://127.0.0.1/mcp',
])('%s is no address of the sample', (url) => {
  expect(samplePortOf(url)).toBeUndefined();
});
