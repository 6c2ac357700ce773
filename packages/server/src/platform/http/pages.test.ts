import { mkdirSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, expect, test } from 'vitest';
import { loadPages, pageAnswer } from './pages.ts';
import type { RequestExchange } from './request-exchange.ts';

const large = `/* ${'a line of code '.repeat(500)} */`;
const folder = temporaryDirectory();
mkdirSync(`${folder.path}/assets`);
writeFileSync(`${folder.path}/index.html`, '<h1>Small</h1>');
writeFileSync(`${folder.path}/assets/index.js`, large);
const pages = loadPages(folder.path);
afterAll(() => folder.remove());

function ask(path: string, headers: Record<string, string> = {}) {
  const exchange = { method: 'GET', path, header: (name: string) => headers[name] };
  return pageAnswer(exchange as unknown as RequestExchange, pages);
}

test('a large file comes compressed to whoever takes it so, each time the same', () => {
  const first = ask('/assets/index.js', { 'accept-encoding': 'br, gzip' });
  expect(first?.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(first?.body as Buffer).toString()).toBe(large);
  expect(ask('/assets/index.js', { 'accept-encoding': 'gzip' })?.body).toBe(first?.body);
});

test('what programs ask is no page, also where there is nothing for them', () => {
  for (const path of ['/api/v1/anything', '/sdk/v1/info', '/sdk'])
    expect(ask(path)).toBeUndefined();
  expect(ask('/evals/suite/ste_1/runs/run_1')).toBeDefined();
});

test('it comes as it is to everybody else, and a small one to all', () => {
  const plain = ask('/assets/index.js');
  expect(String(plain?.body)).toBe(large);
  expect(plain?.headers).not.toHaveProperty('content-encoding');
  const small = ask('/anywhere', { 'accept-encoding': 'gzip' });
  expect(String(small?.body)).toBe('<h1>Small</h1>');
  expect(small?.headers).not.toHaveProperty('content-encoding');
});
