import type { Mutant, Transcript } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { ask, called, expectWeather, trialPlayer } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { mutatedServers, seenServers } from './mutated-servers.ts';

const player = trialPlayer();
afterAll(() => player.close());

const properties = { city: { type: 'string' }, unit: { type: 'string' } };
const inputSchema = { type: 'object', properties, required: ['city'] };
const tools = [
  { name: 'weather', description: 'Tells the weather.', inputSchema },
  { name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } },
];
const answer = { content: [{ type: 'text', text: '{"degrees":21,"sky":"clear"}' }] };

async function play(mutant: Partial<Mutant> | undefined, input: object = { city: 'Rome' }) {
  const server = await player.start({ 'tools/list': { tools }, 'tools/call': answer });
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const before = [
    { id: 'set-up', toolName: 'weather', serverName: 'Weather', arguments: { city: 'Oslo' } },
  ];
  const definition = { steps: [ask, expectWeather('check')], before };
  const lines = [{ calls: [{ tool: 'weather', input }] }, { text: 'Fine.' }];
  const models = modelOfLines(lines);
  const runServers = runServersFor(player.mcp, servers);
  const seen = seenServers();
  const own = { operator: 'error', serverName: 'Weather', toolName: 'weather' } as const;
  let transcript: Transcript = { toolCalls: [] };
  const mutated = mutatedServers({
    servers: runServers,
    named: servers,
    seen,
    timeoutMsOf: () => 3_600_000,
    ...(mutant && { mutant: { ...own, ...mutant } }),
  });
  const onSeen = (seenTranscript: Transcript) => {
    transcript = seenTranscript;
  };
  try {
    const dependencies = dependenciesFor(mutated, models, { onSeen });
    const record = await firstTrial(dependencies, planFor(definition as never, servers));
    return { record, seen, transcript, models, server };
  } finally {
    await runServers.close();
  }
}

test('without a mutant the trial is the ordinary one, and what servers said is known', async () => {
  const { record, seen, transcript } = await play(undefined);
  expect([record.result, seen.wasMet]).toEqual(['passed', false]);
  expect(seen.listed[0]).toMatchObject({ serverName: 'Weather', tools });
  const result = expect.objectContaining(answer);
  expect(seen.answers).toEqual([{ serverName: 'Weather', toolName: 'weather', result }]);
  expect(transcript.toolCalls[0]?.result?.text).toBe('{"degrees":21,"sky":"clear"}');
});

test('an answer is changed on its way, and the set-up is not', async () => {
  const { record, seen, transcript, server } = await play({
    operator: 'number-off-by-one',
    path: '/degrees',
  });
  expect([record.result, seen.wasMet]).toEqual(['passed', true]);
  expect(transcript.toolCalls[0]?.result?.text).toBe('{"degrees":22,"sky":"clear"}');
  expect(record.trace['before']).toMatchObject([{ status: 'ok' }]);
  expect(called(server)).toEqual(['weather', 'weather']);
});

test('a late answer is a call whose time is over, and nobody waits for it', async () => {
  const { record, transcript } = await play({ operator: 'slow' });
  expect(record.result).toBe('failed');
  expect(record.error).toContain('did not answer within 3600 s');
  expect(transcript.toolCalls[0]?.result).toBeUndefined();
});

test('a renamed parameter is what the model is offered, and the server gets its own name', async () => {
  const path = '/inputSchema/properties/city';
  const renamed = { operator: 'parameter-renamed', path } as const;
  const { seen, models, server, transcript } = await play(renamed, { city_renamed: 'Rome' });
  expect(seen.wasMet).toBe(true);
  expect(JSON.stringify(models.requests[0]?.tools)).toContain('city_renamed');
  const sent = server.requests.map(({ message }) => message['params'] as { arguments?: object });
  expect(sent.filter((one) => one?.arguments).at(-1)?.arguments).toEqual({ city: 'Rome' });
  expect(transcript.toolCalls[0]?.arguments).toEqual({ city_renamed: 'Rome' });
});

test('a tool that is missing is not listed, and a call of it is refused without its server', async () => {
  const { record, models, server } = await play({ operator: 'tool-missing' });
  expect(JSON.stringify(models.requests[0]?.tools)).not.toContain('"weather"');
  expect(record.result).toBe('failed');
  expect(called(server)).toEqual(['weather']);
});
