import { expect, test } from 'vitest';
import { EgressRefused } from '../egress/egress-refused.ts';
import { piecesOf } from './provider-fetch.ts';
import { SendFailure } from './send-failure.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('pieces are handed on one by one, and an end is an end', async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of ['It ', 'is']) controller.enqueue(bytes(text));
      controller.close();
    },
  });
  expect(await new Response(piecesOf(body)).text()).toBe('It is');
});

test('who stops listening while nothing comes ends the request', async () => {
  const why: unknown[] = [];
  const silent = new ReadableStream<Uint8Array>({
    pull: () => new Promise<void>(() => undefined),
    cancel: (reason) => void why.push(reason),
  });
  const reader = piecesOf(silent).getReader();
  const reading = reader.read();
  await reader.cancel('gone');
  expect(await reading).toEqual({ value: undefined, done: true });
  expect(why).toEqual(['gone']);
});

test('a bound that is broken in the middle is told as a failure of the provider', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new EgressRefused('TIMEOUT')),
  });
  const reader = piecesOf(body).getReader();
  await expect(reader.read()).rejects.toBeInstanceOf(SendFailure);
});
