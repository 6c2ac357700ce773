/**
 * Tests responses that are larger, deeper or longer than Proofmark reads. Such a trial is not
 * graded and not attributed to the server.
 */
import { trialAdvice } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  ask,
  callWeather,
  type Definition,
  expectWeather,
  type PlayOptions,
  pinned,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { callOf, see, shop, widgetPlayer } from '@proofmark/harness/play-widgets.ts';
import { afterAll, expect, test } from 'vitest';
import type { TrialRecord } from './trial-record.ts';

const player = trialPlayer();
const { playWidgets, close } = widgetPlayer();
afterAll(async () => {
  await player.close();
  await close();
});

const mib = 1024 * 1024;
const large = 'x'.repeat(4.3 * mib);
const chosen: Definition = { steps: [ask, expectWeather('expect')] };
const called: Definition = { steps: [pinned('call', { serverName: 'Weather' })] };
const read: Definition = {
  steps: [{ id: 'read', kind: 'readResource', serverName: 'Weather', uri: 'a:b' }],
};
const rendered: Definition = {
  steps: [{ id: 'get', kind: 'getPrompt', serverName: 'Weather', promptName: 'one' }],
};
const content = [{ type: 'text', text: large }];
let deep: unknown = 'down here';
for (let level = 0; level < 200; level += 1) deep = [deep];
const many = Array.from({ length: 130_000 }, () => 1);

const play = (definition: Definition, answers: Readonly<Record<string, FakeAnswer>>, more = {}) =>
  player.play(definition, [callWeather, sunny], { answers, ...more } as PlayOptions);

function expectUngraded({ status, result, error, chain }: TrialRecord, says: RegExp) {
  expect({ status, result, category: chain.failureCategory }).toEqual({
    status: 'setup_failed',
    result: null,
    category: 'setup',
  });
  expect(chain.stageResults.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(error).toMatch(says);
  const advice = trialAdvice(chain.failureCategory, chain.stageResults, { failure: String(error) });
  expect(advice).toMatch(/says nothing about the server/);
  return advice;
}

test.each<[string, Definition, Record<string, FakeAnswer>]>([
  ['a call that the model chose', chosen, { 'tools/call': { content } }],
  ['a call of the case', called, { 'tools/call': { content } }],
  ['a resource', read, { 'resources/read': { contents: [{ uri: 'a:b', text: large }] } }],
  ['a prompt', rendered, { 'prompts/get': { messages: [{ role: 'user', content: content[0] }] } }],
  ['the list of tools', called, { 'tools/list': { tools: [], _meta: { large } } }],
])('%s with more bytes than are read of one message', async (_, definition, answers) => {
  const { record } = await play(definition, answers);
  const advice = expectUngraded(
    record,
    /more than 4\.0 MiB in one message, the limit of Proofmark/,
  );
  expect(record.error).toContain('`maxMessageMiB` of the server raises this limit, to at most 32');
  expect(advice).toContain('Raise `maxMessageMiB` of the saved server');
});

test.each<[string, unknown, RegExp]>([
  ['deeper', deep, /nested more than 128 levels deep, the limit of Proofmark/],
  ['in more pieces', many, /more than 125,000 values, the limit of Proofmark/],
])('a result %s than is read', async (_, structuredContent, says) => {
  const { record } = await play(chosen, { 'tools/call': { content: [], structuredContent } });
  expectUngraded(record, says);
});

test('all that comes back during one call may be no more than is read of a call', async () => {
  const noise = JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { x: 'x'.repeat(mib) } });
  const answer: FakeAnswer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < 18; sent += 1) response.write(`data: ${noise}\n\n`);
  };
  const { record } = await play(called, { 'tools/call': answer });
  expectUngraded(record, /more than 16\.0 MiB, the limit of Proofmark for one answer/);
});

test('a server that may send larger messages is read, and what is larger still is not', async () => {
  const target = { maxMessageBytes: 8 * mib };
  const fits = await play(chosen, { 'tools/call': { content } }, { target });
  expect(fits.record).toMatchObject({ status: 'completed', result: 'passed' });
  const tooLarge: FakeAnswer = (response, request) =>
    sendJson(response, rpcResult(request, { content: [...content, ...content] }));
  const { record } = await play(chosen, { 'tools/call': tooLarge }, { target });
  expectUngraded(record, /more than 8\.0 MiB in one message/);
});

test('the page of a widget may be as large as a message', async () => {
  const contents = [{ uri: 'ui://shop/form', mimeType: 'text/html;profile=mcp-app', text: large }];
  const definition = { steps: [callOf('form'), see()] };
  const answers = shop({ 'resources/read': { contents } });
  const { record } = await playWidgets(definition, {}, { answers });
  expectUngraded(record, /could not be read: The server sent more than 4\.0 MiB in one message/);
  const raised = await playWidgets(
    definition,
    {},
    { answers, target: { maxMessageBytes: 8 * mib } },
  );
  expect(raised.record).toMatchObject({ status: 'completed', result: 'passed' });
});
