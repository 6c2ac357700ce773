import { expect, test } from 'vitest';
import { EgressRefused } from '../egress/egress-refused.ts';
import { mostOfNetwork } from './browser-messages.ts';
import { widgetNetwork } from './widget-network.ts';
import { WidgetRecord } from './widget-record.ts';

const never = new AbortController().signal;
const origins = { connect: ['https://api.example.com'], resource: [] };
const request = {
  url: 'https://api.example.com/a',
  resourceType: 'fetch',
  method: 'GET',
  headers: {},
};

test('a widget gets so many answers of the network at a time, and so many in all', async () => {
  let [now, most, asked] = [0, 0, 0];
  const network = widgetNetwork(
    origins,
    async () => {
      now += 1;
      asked += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now -= 1;
      return new Response('told');
    },
    never,
  );
  const requests = Array.from({ length: mostOfNetwork.requests + 5 }, () => network(request));
  const answers = await Promise.allSettled(requests);
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect({ most, asked }).toEqual({ most: 6, asked: mostOfNetwork.requests });
});

test('an origin that is declared and that we may not reach is told, and nothing else is', async () => {
  const sentences: string[] = [];
  const failing = (error: Error) =>
    widgetNetwork(
      origins,
      () => Promise.reject(error),
      never,
      (sentence) => sentences.push(sentence),
    )(request);
  await expect(failing(new EgressRefused('UNREACHABLE'))).rejects.toThrow();
  const redirected = new EgressRefused('EGRESS_BLOCKED', 'The server redirected the call.');
  await expect(failing(redirected)).rejects.toThrow();
  expect(sentences).toEqual([]);
  await expect(failing(new EgressRefused('EGRESS_BLOCKED'))).rejects.toThrow();
  expect(sentences).toEqual([
    'The widget requested https://api.example.com, which this service may not reach. This address is not allowed as a target; use a public address or ask the operator to allow it.',
  ]);
});

test('what a widget asks and is answered is kept within bounds', async () => {
  const text = 'x'.repeat(5 * 1024 * 1024);
  let calls = 0;
  const host = {
    callTool: async () => {
      calls += 1;
      return { content: [{ type: 'text', text }] };
    },
    readResource: async () => ({}),
  };
  const record = new WidgetRecord(host, () => Promise.reject(new Error('No network.')));
  const call = { kind: 'callTool', name: 'get', input: {} } as const;
  for (let n = 0; n < 10; n += 1) await record.serve(call);
  expect(calls).toBe(7);
  expect(await record.serve(call)).toEqual({ refusal: expect.stringContaining('32 MiB in all') });
});
