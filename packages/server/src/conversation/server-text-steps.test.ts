import { trialAdvice } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcError,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  ask,
  callWeather,
  expectWeather,
  messagesOf,
  type Step,
  spansOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

const greet: Step = {
  id: 'greet',
  kind: 'getPrompt',
  serverName: 'Weather',
  promptName: 'greeting',
  arguments: { city: 'Rome' },
};
const read: Step = { id: 'read', kind: 'readResource', serverName: 'Weather', uri: 'file:///a' };
const text = (content: string) => ({ type: 'text', text: content });

const offers = (capabilities: object) => ({
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, ...capabilities },
    serverInfo: { name: 'fake', version: '1' },
  },
});

const both = offers({ prompts: {}, resources: {} });

test('a prompt of the server opens a turn and asks the model with what it rendered', async () => {
  const messages = [
    { role: 'user', content: text('You help with the weather.') },
    { role: 'assistant', content: text('I do.') },
    { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
    { role: 'user', content: text('Rome?') },
  ];
  const { record, server, models } = await play(
    { steps: [greet, expectWeather('asked')] },
    // The scripted model picks its line by the number of assistant messages. The prompt already
    // contains one, so the first line is skipped.
    [sunny, callWeather, sunny],
    { answers: { ...both, 'prompts/get': { messages } } },
  );
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  const asked = server.requests.find(({ message }) => message['method'] === 'prompts/get');
  expect(asked?.message['params']).toMatchObject({ name: 'greeting', arguments: { city: 'Rome' } });
  expect(messagesOf(record).map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'user', 'user'],
    ...['assistant', 'tool', 'assistant'],
  ]);
  expect(messagesOf(record)[2]?.content).toBe(
    '[A part (image/png) is not included: it is not text.]',
  );
  expect(models.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'Rome?' });
  expect(record.trace['prompts']).toMatchObject([{ prompt: 'Prompt greeting of Weather' }]);
  expect(spansOf(record)).toContainEqual(
    expect.objectContaining({ name: 'prompts/get greeting', category: 'request', status: 'ok' }),
  );
});

test('a resource is told as a message of the user, without its blobs, and opens no turn', async () => {
  const contents = [
    { uri: 'file:///a', text: 'Rome is hot.' },
    { uri: 'file:///b', blob: 'AAAA', mimeType: 'image/png' },
  ];
  const { record, models } = await play(
    { steps: [ask, read, { ...ask, id: 'again' }] },
    [sunny, sunny],
    {
      answers: { ...both, 'resources/read': { contents } },
    },
  );
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  const expected = 'Rome is hot.\n\n[A part (image/png) is not included: it is not text.]';
  expect(messagesOf(record)[2]).toEqual({ role: 'user', content: expected });
  expect(record.trace['prompts']).toHaveLength(2);
  expect(record.trace['steps']).toMatchObject([
    { promptIndex: 0 },
    { stepId: 'read', promptIndex: 0, status: 'ok' },
    { promptIndex: 1 },
  ]);
  expect(JSON.stringify(models.requests[1]?.messages)).toContain('Rome is hot.');
});

test('a resource that is longer than is told is cut, and the step says so', async () => {
  const contents = [{ uri: 'file:///a', text: 'x'.repeat(200_000) }];
  const { record } = await play({ steps: [read] }, [], {
    answers: { ...both, 'resources/read': { contents } },
  });
  expect(String(messagesOf(record)[0]?.content)).toHaveLength(100_001);
  expect(record.trace['steps']).toMatchObject([{ note: expect.stringContaining('100,000') }]);
});

test.each([
  [
    'a prompt',
    greet,
    offers({}),
    'The prompt "greeting" could not be rendered: The server does not offer prompts.',
  ],
  [
    'a resource',
    read,
    offers({}),
    'The resource "file:///a" could not be read: The server does not offer resources.',
  ],
])('%s that the server does not offer is a failed step', async (_, step, answers, reason) => {
  const { record, models } = await play({ steps: [step, ask] }, [sunny], { answers });
  expect(models.requests).toEqual([]);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'failed',
    error: reason,
    chain: { firstFailedStage: 'call' },
  });
  expect(record.trace['steps']).toMatchObject([
    { status: 'fail', reason },
    { stepId: 'ask', status: 'skipped' },
  ]);
});

test('an error of the server fails the step as that of a call without a model does', async () => {
  const answers: Readonly<Record<string, FakeAnswer>> = {
    ...both,
    'prompts/get': (response, request) =>
      sendJson(response, rpcError(request, -32602, 'city is unknown')),
    'prompts/list': { prompts: [{ name: 'greeting' }] },
  };
  const { record } = await play({ steps: [greet] }, [sunny], { answers });
  expect(record).toMatchObject({
    result: 'failed',
    chain: { firstFailedStage: 'call' },
    error: expect.stringContaining('city is unknown'),
  });
  const forgiven = await play({ steps: [greet, ask], failOnToolError: false }, [sunny], {
    answers,
  });
  expect(forgiven.record.trace['steps']).toMatchObject([
    { status: 'ok', note: expect.stringContaining('city is unknown') },
    { status: 'ok' },
  ]);
});

test.each([
  [
    'does not list',
    [{ name: 'farewell' }],
    undefined,
    /^The server does not list the prompt "greeting"/,
  ],
  ['lists', [{ name: 'greeting' }], undefined, /^The prompt "greeting" could not be rendered/],
  ['may list on a later page', [], 'more', /^The prompt "greeting" could not be rendered/],
])('an error about a prompt that the server %s', async (_, prompts, nextCursor, says) => {
  const answers: Readonly<Record<string, FakeAnswer>> = {
    ...both,
    'prompts/get': (response, request) => sendJson(response, rpcError(request, -32602, 'unknown')),
    'prompts/list': { prompts, ...(nextCursor && { nextCursor }) },
  };
  const { record } = await play({ steps: [greet] }, [], { answers });
  expect(record.error).toMatch(says);
  expect(trialAdvice('serverData', [], { failure: String(record.error) })).toMatch(/prompt/);
});

test("a prompt whose last word is the assistant's asks no model", async () => {
  const messages = [{ role: 'assistant', content: text('I am ready.') }];
  const { record, models } = await play({ steps: [greet] }, [], {
    answers: { ...both, 'prompts/get': { messages } },
  });
  expect(models.requests).toEqual([]);
  expect(record.trace['steps']).toMatchObject([{ status: 'ok', note: expect.any(String) }]);
});

test('a prompt that rendered no text fails the trial, whatever else is asserted', async () => {
  const checks = {
    mode: 'replace' as const,
    list: [{ type: 'responseContains' as const, needle: 'Rome' }],
  };
  const { record, models } = await play({ steps: [greet], checks }, [sunny], {
    answers: { ...both, 'prompts/get': { messages: [] } },
  });
  expect(models.requests).toEqual([]);
  const error = 'The prompt "greeting" rendered no text, so no model was asked.';
  expect(record).toMatchObject({ status: 'completed', result: 'failed', error });
});
