/** A streamed answer gives the same result as an unstreamed one, and fails for the same reasons. */
import { setTimeout as after } from 'node:timers/promises';
import type { ChosenModel } from '@proofmark/domain';
import {
  type ChatOutcome,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import type { ModelGateway, ModelRequest } from './model-gateway.ts';

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'What is the weather in Bonn?' }],
  tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
};
const model: ChosenModel = { hosted: true, id: 'local/m', provider: 'local', name: 'm' };

let server: OpenAiServer;
let gateway: ModelGateway;
beforeAll(async () => {
  server = await startOpenAiServer();
});
// Every test gets a new gateway, since a gateway remembers that a provider does not stream.
beforeEach(() => {
  gateway = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: server.baseUrl,
        apiKey: 'sk-key',
        models: [{ name: 'm' }],
      },
    ],
    limits: { firstWaitMs: 2, requestMs: 1_000 },
  });
});
afterEach(() => gateway.close());
afterAll(() => server.stop());

const ask = (onText?: (soFar: string) => void) =>
  gateway.generate(model, request, {
    signal: new AbortController().signal,
    ...(onText && { onText }),
  });

/** The ids in answers differ for every request, so they are replaced before the comparison. */
async function comparable(asked: Promise<unknown>): Promise<string> {
  const outcome = await asked.catch((error: unknown) => `${error}`);
  return JSON.stringify(outcome).replace(/call_\d+|chatcmpl-\d+/g, '#');
}

const outcomes: Readonly<Record<string, ChatOutcome>> = {
  'a text': { text: 'It is  warm\nin Bonn. ' },
  'nothing at all': {},
  'calls beside a text': {
    text: 'I look.',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Bonn' } },
      { name: 'weather', arguments: {} },
    ],
  },
  'a call whose arguments are no JSON': { toolCalls: [{ name: 'weather', arguments: '{"city' }] },
  'thoughts before a text': { reasoning: 'Hm. Bonn.', text: 'Warm.' },
  'an answer that was cut': { text: 'It is', finishReason: 'length' },
  'no count of tokens': { text: 'Warm.', usage: null },
  'a refusal': { status: 400, body: '{"error":{"message":"temperature"}}' },
  'a key that is refused': { status: 401 },
  garbage: 'garbage',
};

describe('heard in pieces', () => {
  test.each(Object.entries(outcomes))('%s is the same', async (_, outcome) => {
    server.scripts.set('m', () => outcome);
    const whole = await comparable(ask());
    expect(await comparable(ask(() => undefined))).toBe(whole);
  });

  test('a text is there while it is said, longer each time', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const beforePiece = (piece: number) => (piece === 2 ? held : undefined);
    server.scripts.set('m', () => ({ text: 'It is warm.', beforePiece }));
    const texts: string[] = [];
    const asked = ask((soFar) => texts.push(soFar));
    await expect.poll(() => texts.at(-1)).toBe('It is ');
    goOn();
    expect(await asked).toMatchObject({ text: 'It is warm.', usage: { totalTokens: 15 } });
    expect(texts).toEqual(['It ', 'It is ', 'It is warm.']);
  });

  test('a failure before the first piece is tried again', async () => {
    server.scripts.set('m', (_, count) => (count % 2 === 0 ? { text: 'Warm.' } : { status: 503 }));
    while (server.count('m') % 2 !== 0) await ask();
    const texts: string[] = [];
    expect(await ask((soFar) => texts.push(soFar))).toMatchObject({ text: 'Warm.', attempts: 2 });
    expect(texts).toEqual(['Warm.']);
  });

  test('an answer that stands still in the middle is late', async () => {
    const beforePiece = (piece: number) => (piece === 1 ? after(5_000) : undefined);
    server.scripts.set('m', () => ({ text: 'It is warm.', beforePiece }));
    await expect(ask(() => undefined)).rejects.toThrow('did not answer in time');
  });

  test('an answer that breaks off has failed, and is no answer', async () => {
    const beforePiece = (piece: number) => {
      if (piece === 1) throw new Error('The connection is cut.');
    };
    server.scripts.set('m', () => ({ text: 'It is warm.', beforePiece }));
    await expect(ask(() => undefined)).rejects.toThrow('The model provider local');
  });

  test('a provider that does not speak in pieces is asked for the whole', async () => {
    server.scripts.set('m', () => ({ text: 'Warm.', isWhole: true }));
    const texts: string[] = [];
    expect(await ask((soFar) => texts.push(soFar))).toMatchObject({ text: 'Warm.', attempts: 1 });
    expect(texts).toEqual([]);
    const asked = server.count('m');
    await ask((soFar) => texts.push(soFar));
    expect(server.count('m') - asked, 'from then on it is asked once').toBe(1);
  });
});
