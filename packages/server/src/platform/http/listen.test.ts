import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sendRaw } from '../../../../../tests/journeys/send-raw.ts';
import { arrivalLimits, listen } from './listen.ts';
import { readBytes } from './read-json-body.ts';

test.each([
  ['headers', 'POST / HTTP/1.1\r\nHost: a\r\n', 'X-Slow: 1\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n', '1'],
])('whoever sends %s too slowly is cut off and told why', async (_, bytes, drip) => {
  const arrived: unknown[] = [];
  const listening = await listen(
    async (request) => {
      arrived.push(await readBytes(request, 10_000).catch(() => 'cut off'));
    },
    { host: '127.0.0.1', port: 0 },
    { headersMs: 200, requestMs: 300 },
  );
  const url = `http://127.0.0.1:${listening.port}`;
  const answer = await sendRaw(url, bytes, { drip, everyMs: 50, waitMs: 20_000 });
  await listening.stop(1000);
  expect(answer).toMatchObject({ closed: true, answers: 1 });
  expect(answer.text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"The request did not arrive in time\."/);
  expect(arrived.filter((one) => one !== 'cut off')).toEqual([]);
});

test('the guide tells how long a request may take', () => {
  const path = new URL('../../../../../docs/guides/network.md', import.meta.url);
  const guide = readFileSync(path, 'utf8').replace(/\s+/g, ' ');
  const [headers, request] = [arrivalLimits.headersMs, arrivalLimits.requestMs].map(
    (ms) => ms / 1000,
  );
  expect(guide).toContain(
    `headers must arrive within ${headers} seconds and the whole request within ${request}`,
  );
});
