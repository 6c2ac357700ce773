/** A client that sends too much gets an answer with the reason, whichever way it sends the body. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerError } from './answer.ts';
import { endAfterRest } from './end-after-rest.ts';
import { type Listening, listen } from './listen.ts';
import { readJsonBody } from './read-json-body.ts';
import { RequestExchange } from './request-exchange.ts';
import { sendAnswer } from './send-answer.ts';

const limitBytes = 1_000_000;
const log = { error: () => undefined } as unknown as Parameters<typeof answerError>[2];
let listening: Listening;
let url: string;
beforeAll(async () => {
  listening = await listen(
    async (incoming, outgoing) => {
      const exchange = new RequestExchange(incoming, outgoing);
      await readJsonBody(incoming, limitBytes).catch((error: unknown) =>
        sendAnswer(exchange, answerError(exchange, error, log), {}),
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
  url = `http://127.0.0.1:${listening.port}`;
});
afterAll(() => listening.stop(1000));

const refusal = {
  code: 'VALIDATION_ERROR',
  message: `The body is larger than ${limitBytes} bytes.`,
  details: { path: 'body', limitBytes },
};
const headers = { 'content-type': 'application/json' };
const large = Buffer.alloc(24 * 1024 * 1024, ' ');

test('a client of fetch, with the length stated and without', async () => {
  const whole = await fetch(url, { method: 'POST', headers, body: large });
  expect([whole.status, await whole.json()]).toEqual([400, refusal]);
  const body = new Blob([large]).stream();
  const streamed = await fetch(url, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
  expect([streamed.status, await streamed.json()]).toEqual([400, refusal]);
});

const chunk = Buffer.concat([
  Buffer.from('100000\r\n'),
  Buffer.alloc(0x100000, ' '),
  Buffer.from('\r\n'),
]);
const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

test.each<[string, string, readonly Buffer[]]>([
  ['states the length', `Content-Length: ${large.length}`, [large]],
  [
    'states a length and asks first',
    `Content-Length: ${large.length}\r\nExpect: 100-continue`,
    [large],
  ],
  [
    'sends chunks',
    'Transfer-Encoding: chunked',
    [...Array(24).fill(chunk), Buffer.from('0\r\n\r\n')],
  ],
])('a client that %s and reads nothing before it has written all', async (_, framing, parts) => {
  const socket = connect(listening.port, '127.0.0.1');
  const failures: unknown[] = [];
  socket.on('error', (error) => failures.push(error));
  await once(socket, 'connect');
  socket.pause();
  for (const part of [Buffer.from(`${head}${framing}\r\n\r\n`), ...parts]) {
    await new Promise<void>((done) => socket.write(part, () => done()));
  }
  const read: Buffer[] = [];
  for await (const bytes of socket) read.push(bytes as Buffer);
  const text = Buffer.concat(read).toString();
  expect(failures).toEqual([]);
  expect(text).toContain('HTTP/1.1 400 Bad Request');
  expect(JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n')))).toEqual(refusal);
});

test('who never stops sending is cut off beyond the bounds', async () => {
  const other = await listen(
    async (incoming, outgoing) => {
      outgoing.writeHead(400, { connection: 'close', 'content-length': 2 });
      endAfterRest({ incoming, outgoing }, 'no', { bytes: 100_000, ms: 60_000 });
    },
    { host: '127.0.0.1', port: 0 },
  );
  const socket = connect(other.port, '127.0.0.1');
  const closed = new Promise((done) => socket.once('close', done));
  socket.on('error', () => undefined).write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  await closed;
  await other.stop(1000);
});
