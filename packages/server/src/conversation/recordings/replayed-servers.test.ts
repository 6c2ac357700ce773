import { readIgnore } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcError,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type CaseToReplay,
  callsAmong,
  recordTrial,
  replayTrial,
} from '@proofmark/harness/replayed-trial.ts';
import { afterAll, describe, expect, test } from 'vitest';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const terms = { servers: 'live', asksModel: false } as const;
const call = { id: 'call', kind: 'toolCall' as const, serverName: 'Weather', arguments: {} };
const calling: CaseToReplay = {
  steps: [{ ...call, toolName: 'echo' }],
  failOnToolError: false,
};
const text = (content: string) => ({ content: [{ type: 'text', text: content }] });
const broken =
  (message: string): FakeAnswer =>
  (response, request) =>
    sendJson(response, rpcError(request, -32000, message));

describe('a call', () => {
  test.each<[string, FakeAnswer, FakeAnswer, object]>([
    [
      'that fails where a result was recorded',
      text('done'),
      broken('No more.'),
      { kind: 'error', before: '', message: expect.stringContaining('but a result was') },
    ],
    [
      'that fails otherwise',
      broken('Not yet.'),
      broken('No more.'),
      { kind: 'error', path: '/message', before: expect.stringContaining('Not yet') },
    ],
    [
      'that gets a result where an error was recorded',
      broken('Not yet.'),
      text('done'),
      { kind: 'error', after: '', message: expect.stringContaining('but an error was') },
    ],
  ])('%s diverges', async (_, then, now, expected) => {
    const recorded = await recordTrial(mcp, {
      definition: calling,
      answers: { 'tools/call': then },
    });
    const options = { definition: calling, terms };
    const again = await replayTrial(mcp, recorded, { ...options, answers: { 'tools/call': now } });
    expect(again.played.divergence).toMatchObject({ side: 'server', call: 1, ...expected });
    expect(again.again).toMatchObject({ status: 'skipped', result: null });
    const same = await replayTrial(mcp, recorded, { ...options, answers: { 'tools/call': then } });
    expect(same.played.divergence).toBeUndefined();
    expect(same.again.chain).toEqual(recorded.record.chain);
  });

  test('whose arguments were taken out is not made with a word in their place', async () => {
    const definition: CaseToReplay = { steps: [{ id: 'ask', kind: 'prompt', prompt: 'Log in.' }] };
    const lines = [{ calls: [{ tool: 'echo', input: { token: 'tok-123456' } }] }, { text: 'ok' }];
    const recorded = await recordTrial(mcp, { definition, lines, answers: {} });
    const { again, played, requests } = await replayTrial(mcp, recorded, {
      definition,
      answers: {},
      terms: { servers: 'live' },
    });
    expect(played.divergence).toMatchObject({
      side: 'server',
      kind: 'call',
      message: expect.stringContaining('cannot be repeated'),
    });
    expect(again.status).toBe('skipped');
    expect(callsAmong(requests)).toEqual([]);
  });
});

test('what is listed is nobody’s matter where no model is asked', async () => {
  const recorded = await recordTrial(mcp, { definition: calling, answers: {} });
  const tools = [{ name: 'echo', description: 'Other.', inputSchema: { type: 'object' } }];
  const { again, played } = await replayTrial(mcp, recorded, {
    definition: calling,
    terms,
    answers: { 'tools/list': { tools } },
  });
  expect(played.divergence).toBeUndefined();
  expect(again.result).toBe('passed');
});

describe('a model', () => {
  const ask = (id: string, prompt: string) => ({ id, kind: 'prompt' as const, prompt });
  const definition: CaseToReplay = { steps: [ask('one', 'Say one.'), ask('two', 'Say two.')] };
  const lines = [{ text: 'One.' }, { text: 'Two.' }];

  test('that is to be asked once more than recorded diverges there', async () => {
    const recorded = await recordTrial(mcp, { definition, lines, answers: {} });
    const steps = [...definition.steps, ask('three', 'Say three.')];
    const { again, played } = await replayTrial(mcp, recorded, { definition: { steps } });
    expect(played.divergence).toMatchObject({ side: 'model', kind: 'missing', turn: 2 });
    expect(again).toMatchObject({ status: 'skipped', result: null });
  });

  test('that is asked otherwise in a later turn diverges in that turn', async () => {
    const recorded = await recordTrial(mcp, { definition, lines, answers: {} });
    const steps = [ask('one', 'Say one.'), ask('two', 'Say 2.')];
    const { played } = await replayTrial(mcp, recorded, { definition: { steps } });
    expect(played.divergence).toMatchObject({ kind: 'request', turn: 1, after: 'Say 2.' });
  });

  test('whose provider failed fails again, and is none of the server', async () => {
    const failing = [{ text: 'One.' }, 'fails' as const];
    const recorded = await recordTrial(mcp, { definition, lines: failing, answers: {} });
    const { again, played } = await replayTrial(mcp, recorded, { definition });
    expect(played.divergence).toBeUndefined();
    const { status, result, error, chain } = recorded.record;
    expect(status).toBe('failed');
    expect(again).toMatchObject({ status, result, error });
    expect(again.chain).toEqual(chain);
  });
});

describe('a recorded call', () => {
  const prompt = { id: 'ask', kind: 'prompt' as const, prompt: 'Do it.' };
  const tools = ['one', 'two'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const definition: CaseToReplay = { steps: [prompt] };
  const naming: FakeAnswer = (response, request) => {
    const { name } = request.message['params'] as { readonly name: string };
    sendJson(response, rpcResult(request, text(`from ${name}`)));
  };
  const answers = { 'tools/list': { tools }, 'tools/call': naming };
  const of = (...names: string[]) => [
    { calls: names.map((tool) => ({ tool, input: {} })) },
    { text: 'Done.' },
  ];

  test('is that of its tool', async () => {
    const recorded = await recordTrial(mcp, { definition, lines: of('one', 'two'), answers });
    const { again, played } = await replayTrial(mcp, recorded, {
      definition,
      lines: of('two', 'one'),
      terms: { model: 'live' },
    });
    expect(played.divergence).toBeUndefined();
    const results = again.actualToolCalls.map((one) => JSON.stringify(one));
    expect(results[0]).toContain('two');
    const messages = JSON.stringify(again.trace['messages']);
    expect(messages.indexOf('from two')).toBeLessThan(messages.indexOf('from one'));
  });

  test('is that of its server', async () => {
    const recorded = await recordTrial(mcp, { definition, lines: of('one'), answers });
    const exchanges = recorded.recording.exchanges.map((one) =>
      one.kind === 'call' ? { ...one, serverName: 'Another' } : one,
    );
    const recording = { ...recorded.recording, exchanges };
    const { again, played } = await replayTrial(mcp, { ...recorded, recording }, { definition });
    expect(played.divergence).toMatchObject({
      side: 'server',
      kind: 'call',
      serverName: 'Weather',
    });
    expect(again.status).toBe('skipped');
  });

  test('of a server that was not there then is told for the whole server', async () => {
    const recorded = await recordTrial(mcp, { definition, lines: of('one'), answers });
    const recording = { ...recorded.recording, servers: [] };
    const { again, played } = await replayTrial(mcp, { ...recorded, recording }, { definition });
    expect(played.divergence).toMatchObject({
      kind: 'missing',
      message: 'The server "Weather" was not recorded.',
    });
    expect(again).toMatchObject({ status: 'skipped', result: null });
  });
});

describe('a resource', () => {
  const definition: CaseToReplay = {
    steps: [
      { id: 'read', kind: 'readResource', serverName: 'Weather', uri: 'file:///a' },
      { id: 'ask', kind: 'prompt', prompt: 'What does it say?' },
    ],
  };
  const lines = [{ text: 'It says so.' }];
  const holding = (content: string) => ({
    'resources/read': { contents: [{ uri: 'file:///a', text: content }] },
  });

  test('that says otherwise diverges, and the recorded one is read where it may', async () => {
    const recorded = await recordTrial(mcp, {
      definition,
      lines,
      answers: holding('At 2026-01-02.'),
    });
    expect(recorded.record.result).toBe('passed');
    const options = { definition, answers: holding('At 2026-01-03.') };
    const { again, played } = await replayTrial(mcp, recorded, { ...options, terms });
    expect(played.divergence).toMatchObject({
      side: 'server',
      kind: 'result',
      toolName: 'resources/read',
      path: '/contents/0/text',
      before: 'At 2026-01-02.',
      after: 'At 2026-01-03.',
      message:
        'The method resources/read of "Weather" got an answer that differs from the recording at /contents/0/text.',
    });
    expect(again).toMatchObject({ status: 'skipped', result: null });
    const ignore = { ...terms, ignore: readIgnore(['timestamp']) };
    const same = await replayTrial(mcp, recorded, { ...options, terms: ignore });
    expect(same.played.divergence).toBeUndefined();
    expect(JSON.stringify(same.again.trace)).toContain('2026-01-02');
    expect(JSON.stringify(same.again.trace)).not.toContain('2026-01-03');
  });

  test('of a server that asks us to wait is compared once', async () => {
    const answers = holding('Here.');
    const recorded = await recordTrial(mcp, { definition, lines, answers });
    let asked = 0;
    const busy: FakeAnswer = (response, request) => {
      asked += 1;
      if (asked === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else sendJson(response, rpcResult(request, answers['resources/read']));
    };
    const { again, played } = await replayTrial(mcp, recorded, {
      definition,
      terms,
      answers: { 'resources/read': busy },
    });
    expect(asked).toBe(2);
    expect(played.divergence).toBeUndefined();
    expect(again.result).toBe('passed');
  });
});
