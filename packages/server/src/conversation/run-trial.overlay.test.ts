import type { OverlayTool } from '@proofmark/domain';
import {
  ask,
  called,
  callWeather,
  expectWeather,
  messagesOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

const city = { type: 'string' };
const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { city }, required: ['city'] },
};
const clock = { name: 'clock', inputSchema: { type: 'object' } };
const answers = { 'tools/list': { tools: [weather, clock] } };
const under = (...tools: OverlayTool[]) => ({
  overlay: { servers: [{ serverName: 'Weather', tools }] },
  overlayHash: 'hash of the overlay',
});
const callTown = { calls: [{ tool: 'weather', input: { town: 'Rome' } }] };
const steps = [ask, expectWeather('call')];

test('the model is shown the overlay; the server, the record and assertions have the names of the server', async () => {
  const plan = under(
    { name: 'weather', description: 'Says it.', rename: { city: 'town' } },
    { name: 'clock', hidden: true },
  );
  const { record, server, models } = await play({ steps }, [callTown, sunny], { answers, plan });
  expect(models.requests[0]?.tools).toEqual([
    {
      name: 'weather',
      description: 'Says it.',
      inputSchema: { type: 'object', properties: { town: city }, required: ['town'] },
    },
  ]);
  expect(
    server.requests.find(({ message }) => message['method'] === 'tools/call')?.message['params'],
  ).toMatchObject({
    name: 'weather',
    arguments: { city: 'Rome' },
  });
  expect(record).toMatchObject({
    result: 'passed',
    actualToolCalls: [{ arguments: { city: 'Rome' } }],
  });
  // The trace contains the arguments sent to the server. In the conversation the model sees its own
  // arguments.
  expect(JSON.stringify(messagesOf(record))).not.toContain('town');
  expect(JSON.stringify(models.requests[1]?.messages)).toContain('{"town":"Rome"}');
});

test('a hidden tool is no tool that could be called', async () => {
  const plan = under({ name: 'clock', hidden: true });
  const lines = [{ calls: [{ tool: 'clock', input: {} }] }, callWeather, sunny];
  const { record, server } = await play({ steps: [ask] }, lines, { answers, plan });
  expect(called(server)).toEqual(['weather']);
  expect(record.actualToolCalls[0]).toMatchObject({ toolName: 'clock', notMade: 'notOffered' });
});

test('the surface has what the server lists, and a hash of its own for each overlay', async () => {
  const surfaceUnder = async (plan: object) =>
    (await play({ steps }, [callWeather, sunny], { answers, plan })).record.toolSurface;
  const bare = await surfaceUnder({});
  const one = await surfaceUnder(under({ name: 'weather' }));
  const other = await surfaceUnder({ ...under({ name: 'weather' }), overlayHash: 'another' });
  expect(new Set([bare?.hash, one?.hash, other?.hash]).size).toBe(3);
  expect(one?.text).toBe(bare?.text);
  expect((await surfaceUnder(under({ name: 'weather' })))?.hash).toBe(one?.hash);
});

test('an overlay of what the servers do not list is a set-up failure, and no model is asked', async () => {
  const plan = under({ name: 'forecast' });
  const { record, models } = await play({ steps }, [callWeather, sunny], { answers, plan });
  expect(record).toMatchObject({
    status: 'setup_failed',
    result: null,
    error: expect.stringContaining(
      'The overlay does not match the tools that the servers list: The server "Weather" lists no tool "forecast"',
    ),
  });
  expect(models.requests).toEqual([]);
});
