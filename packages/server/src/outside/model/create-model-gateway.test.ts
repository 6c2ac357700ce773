import type { ChosenModel } from '@proofmark/domain';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EgressLookup } from '../egress/name-lookup.ts';
import { createModelGateway } from './create-model-gateway.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelGateway, ModelRequest } from './model-gateway.ts';
import type { ModelLimits } from './model-limits.ts';

const operatorsKey = 'sk-operators-secret-key';
const callersKey = 'sk-callers-secret-key';
const never = new AbortController().signal;
const request: ModelRequest = {
  system: 'You help.',
  messages: [{ role: 'user', content: 'What is the weather in Bonn?' }],
  tools: [
    {
      name: 'weather',
      description: 'The weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
};

let server: OpenAiServer;
let gateways: ModelGateway[] = [];

beforeEach(async () => {
  server = await startOpenAiServer();
});

afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  gateways = [];
  await server.stop();
});

function gatewayFor(
  limits: Partial<ModelLimits> = {},
  requestsAtOnce = 8,
  { baseUrl = server.baseUrl, lookup }: { baseUrl?: string; lookup?: EgressLookup } = {},
): ModelGateway {
  const gateway = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [], ...(lookup && { lookup }) },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl,
        apiKey: operatorsKey,
        models: [{ name: 'm', inputPerMillion: 1, outputPerMillion: 2 }, { name: 'free' }],
        requestsAtOnce,
      },
    ],
    limits: { firstWaitMs: 2, longestWaitMs: 2_000, ...limits },
  });
  gateways.push(gateway);
  return gateway;
}

const hosted: ChosenModel = { hosted: true, id: 'local/m', provider: 'local', name: 'm' };
const own: ChosenModel = { hosted: false, provider: 'local', name: 'm' };

function script(does: ModelScript): void {
  server.scripts.set('m', does);
}

async function failureOf(answer: Promise<unknown>): Promise<ModelFailure> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

test('the lexical model, the configured models and the known providers are offered; prices only where stated', () => {
  const gateway = gatewayFor();
  expect(gateway.offer.hosted.map(({ id }) => id)).toEqual([
    'proofmark/lexical-1',
    'local/m',
    'local/free',
  ]);
  expect(gateway.offer.providers).toEqual(['openai', 'anthropic', 'google', 'openrouter', 'local']);
  expect(gateway.priceOf(hosted)).toEqual({ inputPerMillion: 1, outputPerMillion: 2 });
  expect(
    gateway.priceOf({ hosted: true, id: 'local/free', provider: 'local', name: 'free' }),
  ).toBeUndefined();
  expect(gateway.priceOf(own)).toBeUndefined();
});

test('a tool call and the answer to its result pass both ways, on the operator’s key for a hosted model', async () => {
  script((chat, count, authorization) => {
    expect(authorization).toBe(`Bearer ${operatorsKey}`);
    if (count === 1) {
      expect(chat.messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(chat.tools?.map((tool) => tool.function.name)).toEqual(['weather']);
      expect(chat.temperature).toBe(0.5);
      return {
        toolCalls: [{ name: 'weather', arguments: { city: 'Bonn' } }],
        finishReason: 'stop',
      };
    }
    expect(chat.messages[2]?.tool_calls?.[0]?.function.arguments).toBe('{"city":"Bonn"}');
    expect(JSON.parse(chat.messages[3]?.content)).toEqual({ sky: 'clear' });
    return { text: 'Clear.' };
  });
  const gateway = gatewayFor();
  const first = await gateway.generate(hosted, { ...request, temperature: 0.5 }, { signal: never });
  expect(first).toMatchObject({
    text: '',
    toolCalls: [{ toolName: 'weather', input: { city: 'Bonn' } }],
    finishReason: 'tool-calls',
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    responseId: 'chatcmpl-1',
    attempts: 1,
  });
  const [call] = first.toolCalls;
  if (call === undefined) throw new Error('no call');
  const second = await gateway.generate(
    hosted,
    {
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: [{ type: 'tool-call', ...call }] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: call.toolCallId,
              toolName: call.toolName,
              output: { type: 'json', value: { sky: 'clear' } },
            },
          ],
        },
      ],
    },
    { signal: never },
  );
  expect(second).toMatchObject({ text: 'Clear.', toolCalls: [], finishReason: 'stop' });
  expect(server.connections).toBeLessThanOrEqual(2);
});

test('a model that is not hosted runs on the caller’s key and is not asked without one', async () => {
  let seen: string | undefined;
  script((_, __, authorization) => {
    seen = authorization;
    return { text: 'yes' };
  });
  const gateway = gatewayFor();
  await gateway.generate(own, request, { signal: never, apiKey: callersKey });
  expect(seen).toBe(`Bearer ${callersKey}`);
  const failure = await failureOf(gateway.generate(own, request, { signal: never }));
  expect(failure).toMatchObject({ reason: 'KEY_REFUSED', attempts: 0 });
  const broken = gateway.generate(own, request, { signal: never, apiKey: `${callersKey}\nx: y` });
  expect((await failureOf(broken)).message).not.toContain(callersKey);
  expect(server.count()).toBe(1);
});

const echo = (authorization: string | undefined, chat: object) =>
  JSON.stringify({ error: { message: `bad key ${authorization} in ${JSON.stringify(chat)}` } });

test.each([
  [401, 'KEY_REFUSED', 1],
  [402, 'KEY_REFUSED', 1],
  [403, 'KEY_REFUSED', 1],
  [400, 'REQUEST_REFUSED', 1],
  [404, 'REQUEST_REFUSED', 1],
  [422, 'REQUEST_REFUSED', 1],
  [429, 'RATE_LIMITED', 4],
  [408, 'PROVIDER_ERROR', 4],
  [500, 'PROVIDER_ERROR', 4],
  [529, 'PROVIDER_ERROR', 4],
] as const)(
  'status %i is %s after %i sends, and nothing the provider wrote is told',
  async (status, reason, sends) => {
    script((chat, _, authorization) => ({ status, body: echo(authorization, chat) }));
    const failure = await failureOf(
      gatewayFor().generate(own, request, { signal: never, apiKey: callersKey }),
    );
    expect(failure).toMatchObject({ reason, attempts: sends });
    expect(server.count('m')).toBe(sends);
    expect(failure.cause).toBeUndefined();
    const errorText = `${failure.message} ${failure.stack} ${JSON.stringify(failure)}`;
    for (const secret of [callersKey, 'bad key', 'Bonn']) expect(errorText).not.toContain(secret);
  },
);

test.each([
  ['not JSON', 'garbage'],
  ['of another shape', { status: 200, body: '{"choices":[]}' }],
  ['empty', { status: 200, body: '' }],
  ['a foreign redirect', { status: 302, headers: { location: 'https://example.com/' } }],
  ['a success without content', { status: 204, body: '' }],
] as const)(
  'an answer that is %s is not sent again and has its own reason',
  async (what, outcome) => {
    script(() => outcome);
    const failure = await failureOf(gatewayFor().generate(hosted, request, { signal: never }));
    const isRedirect = what === 'a foreign redirect';
    expect(failure.reason).toBe(isRedirect ? 'PROVIDER_UNREACHABLE' : 'INVALID_RESPONSE');
    expect(failure.attempts).toBe(1);
  },
);

test('an answer beyond the limit is given up', async () => {
  script(() => ({ text: 'x'.repeat(3000) }));
  const failure = await failureOf(
    gatewayFor({ maxAnswerBytes: 2000 }).generate(hosted, request, { signal: never }),
  );
  expect(failure).toMatchObject({ reason: 'INVALID_RESPONSE', attempts: 1 });
});

test('a provider that never answers ends by the deadline', async () => {
  script(() => 'hang');
  const failure = await failureOf(
    gatewayFor({ requestMs: 50 }).generate(hosted, request, { signal: never }),
  );
  expect(failure).toMatchObject({ reason: 'TIMEOUT', attempts: 1 });
});

test('lost connections and failures that pass are overcome, and the sends are counted', async () => {
  const outcomes = ['cut', { status: 503 }, { status: 429 }, { text: 'at last' }] as const;
  script((_, count) => outcomes[count - 1] ?? 'hang');
  const reply = await gatewayFor().generate(hosted, request, { signal: never });
  expect(reply).toMatchObject({ text: 'at last', attempts: 4 });
});

test('a provider that is away is unreachable after the bounded sends', async () => {
  const gateway = gatewayFor();
  await server.stop();
  const failure = await failureOf(gateway.generate(hosted, request, { signal: never }));
  expect(failure).toMatchObject({ reason: 'PROVIDER_UNREACHABLE', attempts: 4 });
  server = await startOpenAiServer();
});

test('what the provider asks to wait is honoured up to the bound, and no send follows after the total time', async () => {
  script((_, count) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { text: 'in time' },
  );
  const patient = await failureOf(
    gatewayFor({ totalMs: 900 }).generate(hosted, request, { signal: never }),
  );
  expect(patient).toMatchObject({ reason: 'RATE_LIMITED', attempts: 1 });
  script((_, count) =>
    count === 2 ? { status: 429, headers: { 'retry-after': '9999' } } : { text: 'in time' },
  );
  const bounded = gatewayFor({ longestWaitMs: 20 });
  expect(await bounded.generate(hosted, request, { signal: never })).toMatchObject({ attempts: 2 });
});

test('a provider that asks to wait for longer than there is time is given up at once', async () => {
  script(() => ({ status: 429, headers: { 'retry-after': '20' } }));
  const gateway = gatewayFor({ longestWaitMs: 5 });
  const asked = (leftMs: number) =>
    failureOf(gateway.generate(hosted, request, { signal: never, remainingMs: () => leftMs }));
  expect(await asked(19_000)).toMatchObject({ reason: 'RATE_LIMITED', attempts: 1 });
  expect((await asked(21_000)).attempts).toBeGreaterThan(1);
});

test('an abort ends the wait for the next send, the request itself and the wait for a slot', async () => {
  const reason = new Error('cancelled by the test');
  const abortedWhen = async (gateway: ModelGateway, isReady: () => boolean) => {
    const controller = new AbortController();
    const answer = gateway.generate(hosted, request, { signal: controller.signal });
    const outcome = answer.catch((error: unknown) => error);
    while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  };
  script(() => ({ status: 429, headers: { 'retry-after': '30' } }));
  await abortedWhen(gatewayFor({ longestWaitMs: 30_000 }), () => server.count() === 1);
  script(() => 'hang');
  await abortedWhen(gatewayFor(), () => server.count() === 2);
  const narrow = gatewayFor({}, 1);
  const blocker = new AbortController();
  const blocked = narrow.generate(hosted, request, { signal: blocker.signal });
  const blockedOutcome = blocked.catch((error: unknown) => error);
  await abortedWhen(narrow, () => server.count() === 3);
  expect(server.count()).toBe(3);
  blocker.abort(reason);
  expect(await blockedOutcome).toBe(reason);
  script(() => ({ text: 'free again' }));
  expect((await narrow.generate(hosted, request, { signal: never })).text).toBe('free again');
});

test('no more requests than allowed are at a provider at a time, in the order they came', async () => {
  const order: string[] = [];
  script(async (chat) => {
    order.push(JSON.stringify(chat.messages));
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { text: 'done' };
  });
  const gateway = gatewayFor({}, 2);
  const asked = Array.from({ length: 9 }, (_, index) => `request ${index}`);
  await Promise.all(
    asked.map((content) =>
      gateway.generate(
        hosted,
        { messages: [{ role: 'user', content }], tools: [] },
        { signal: never },
      ),
    ),
  );
  expect(server.mostAtOnce).toBe(2);
  // At most two requests are sent at once, and those two may overtake each other; otherwise the
  // order is kept.
  order.forEach((messages, index) => {
    const place = asked.findIndex((content) => messages.includes(content));
    expect(Math.abs(place - index)).toBeLessThanOrEqual(1);
  });
});

test('closing the gateway ends what is under way', async () => {
  script(() => 'hang');
  const gateway = gatewayFor();
  const outcome = gateway.generate(hosted, request, { signal: never }).catch((error) => error);
  while (server.count() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await gateway.close();
  expect(await outcome).toMatchObject({ message: 'The service is stopping.' });
});

test.each([
  ['{"city": ', '{"city": '],
  ['["Bonn"]', '["Bonn"]'],
  ['"Bonn"', '"Bonn"'],
  ['null', 'null'],
])('arguments %s are a mistake of the model, kept with the call', async (written, kept) => {
  script(() => ({ toolCalls: [{ name: 'weather', arguments: written }] }));
  const reply = await gatewayFor().generate(hosted, request, { signal: never });
  expect(reply.toolCalls).toMatchObject([{ toolName: 'weather', input: {}, invalidInput: kept }]);
});

test('no arguments at all are an empty object', async () => {
  script(() => ({ toolCalls: [{ name: 'weather', arguments: '' }] }));
  const reply = await gatewayFor().generate(hosted, request, { signal: never });
  expect(reply.toolCalls[0]?.input).toEqual({});
  expect(reply.toolCalls[0]?.invalidInput).toBeUndefined();
});

test('tools are offered with the choice that was asked for', async () => {
  const seen: unknown[] = [];
  script((chat) => {
    seen.push([chat.tools?.length, chat.tool_choice]);
    return { text: 'ok' };
  });
  const gateway = gatewayFor();
  for (const toolChoice of ['auto', 'required', 'none'] as const) {
    await gateway.generate(hosted, { ...request, toolChoice }, { signal: never });
  }
  await gateway.generate(hosted, { ...request, tools: [] }, { signal: never });
  expect(seen).toEqual([
    [1, 'auto'],
    [1, 'required'],
    [1, 'none'],
    [undefined, undefined],
  ]);
});

test('when a request goes out is told: not while it waits for a place, nor before it is sent again', async () => {
  const sentFlags: boolean[] = [];
  const onSent = (isSent: boolean) => void sentFlags.push(isSent);
  const leaving = new AbortController();
  const full = { run: () => new Promise<never>(() => undefined) };
  const gateway = gatewayFor();
  void gateway.generate(hosted, request, { signal: leaving.signal, places: full, onSent });
  script((_, count) => (count === 1 ? { status: 429 } : { text: 'at last' }));
  await gateway.generate(hosted, request, { signal: never, onSent });
  expect(sentFlags).toEqual([true, false, true]);
});

test('a request that is given up before anything of it left was not sent; one that left was', async () => {
  const sentFlags: boolean[] = [];
  const onSent = (isSent: boolean) => void sentFlags.push(isSent);
  const reason = new Error('no longer wanted');
  const giveUp = async (gateway: ModelGateway, when: () => boolean) => {
    const leaving = new AbortController();
    const asked = gateway.generate(hosted, request, { signal: leaving.signal, onSent });
    const refused = expect(asked).rejects.toBe(reason);
    await expect.poll(when).toBe(true);
    leaving.abort(reason);
    await refused;
    return sentFlags.splice(0);
  };
  let lookups = 0;
  const lookup = () => {
    lookups += 1;
    return new Promise<never>(() => undefined);
  };
  const unopened = gatewayFor({}, 8, { baseUrl: 'http://slow.test/v1', lookup });
  expect(await giveUp(unopened, () => lookups === 1)).toEqual([true, false]);
  script(() => 'hang');
  expect(await giveUp(gatewayFor(), () => server.count() === 1)).toEqual([true]);
});
