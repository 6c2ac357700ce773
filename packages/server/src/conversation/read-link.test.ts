import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcError,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  again,
  ask,
  called,
  callWeather,
  type Definition,
  expectWeather,
  messagesOf,
  spansOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, expect, test } from 'vitest';
import type { ModelRequest } from '../outside/model/model-gateway.ts';

const player = trialPlayer();
afterAll(() => player.close());

const client = { mcpProfile: { profileVersion: 1, resourceLinks: 'read' } } as const;
const linkTo = (uri: string) => ({ type: 'resource_link', uri, name: 'Report' });
const linking = {
  'tools/call': { content: [{ type: 'text', text: 'See there.' }, linkTo('file:///report')] },
  'resources/read': { contents: [{ uri: 'file:///report', text: 'Rome is hot.' }] },
};
const read = (input: object): ModelLine => ({ calls: [{ tool: 'readResourceLink', input }] });
const readReport = read({ uri: 'file:///report' });

const play = (
  definition: Definition,
  lines: readonly ModelLine[],
  answers: Readonly<Record<string, FakeAnswer>> = linking,
) => player.play(definition, lines, { answers, plan: { client } });

const toolsOf = (requests: readonly ModelRequest[]) =>
  requests.map(({ tools = [] }) => tools.map(({ name }) => name));
const urisRead = ({ requests }: FakeMcpServer) =>
  requests
    .filter(({ message }) => message['method'] === 'resources/read')
    .map(({ message }) => (message['params'] as { uri: string }).uri);
const lastMessage = (requests: readonly ModelRequest[]) => requests.at(-1)?.messages.at(-1);
const messageWith = (output: object) => ({
  content: [expect.objectContaining({ toolName: 'readResourceLink', output })],
});

test('from the first link on the model is offered to read it, and is told its text', async () => {
  const { record, server, models } = await play({ steps: [ask, expectWeather('asked'), again] }, [
    ...[callWeather, readReport, sunny, readReport, sunny],
  ]);
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  const before = ['weather', 'clock'];
  const after = [...before, 'readResourceLink'];
  expect(toolsOf(models.requests)).toEqual([before, after, after, after, after]);
  expect(lastMessage(models.requests.slice(0, 3))).toMatchObject(
    messageWith({ type: 'json', value: { content: [{ type: 'text', text: 'Rome is hot.' }] } }),
  );
  expect(urisRead(server)).toEqual(['file:///report', 'file:///report']);
  const sessions = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(sessions).toHaveLength(1);
});

test('a read is no call: nobody counts it, and it has a span of its own', async () => {
  const { record, server } = await play(
    {
      steps: [ask, expectWeather('asked')],
      matchOptions: { extraToolCalls: 0 },
      checks: { mode: 'replace', list: [{ type: 'toolCallCountUnder', count: 2 }] },
    },
    [callWeather, readReport, sunny],
  );
  expect(record).toMatchObject({
    result: 'passed',
    actualToolCalls: [{ toolName: 'weather' }],
    trace: { prompts: [{ actualToolCalls: [{ toolName: 'weather' }], unexpected: [] }] },
  });
  expect(record.actualToolCalls).toHaveLength(1);
  expect(called(server)).toEqual(['weather']);
  const spans = spansOf(record);
  expect(spans.filter(({ category }) => category === 'tool')).toHaveLength(1);
  expect(spans).toContainEqual(
    expect.objectContaining({
      name: 'resources/read file:///report',
      category: 'request',
      status: 'ok',
      serverId: 'srv_1',
      serverName: 'Weather',
      toolCallId: 'call-2',
      promptIndex: 0,
    }),
  );
  expect(JSON.stringify(messagesOf(record))).toContain('Rome is hot.');
});

test.each([
  ['another URI', { uri: 'file:///etc/passwd' }, 'No result of a tool links to this URI'],
  ['another server', { uri: 'file:///report', serverName: 'Wiki' }, 'No result of a tool links'],
  ['no URI', { url: 'file:///report' }, 'The arguments must be'],
])('%s than was linked to is not read', async (_, input, expected) => {
  const { record, server, models } = await play({ steps: [ask] }, [
    ...[callWeather, read(input), sunny],
  ]);
  expect(record.result).toBe('passed');
  expect(urisRead(server)).toEqual([]);
  const output = { type: 'error-text', value: expect.stringContaining(expected) };
  expect(lastMessage(models.requests)).toMatchObject(messageWith(output));
  expect(spansOf(record)).toContainEqual(
    expect.objectContaining({ category: 'request', status: 'error' }),
  );
});

test.each([
  [
    'an error of the server',
    ((response, request) =>
      sendJson(response, rpcError(request, -32002, 'It is gone'))) as FakeAnswer,
    'It is gone',
  ],
  [
    'refused credentials',
    ((response) => response.writeHead(403).end()) as FakeAnswer,
    'rejected the credentials',
  ],
])('%s goes back to the model and fails nothing', async (_, answer, expected) => {
  const { record, server, models } = await play(
    { steps: [ask], checks: { mode: 'replace', list: [{ type: 'noToolErrors' }] } },
    [callWeather, readReport, sunny],
    { ...linking, 'resources/read': answer },
  );
  expect(urisRead(server)).not.toEqual([]);
  expect(record).toMatchObject({ status: 'completed', result: 'passed', error: null });
  const output = { type: 'error-text', value: expect.stringContaining(expected) };
  expect(lastMessage(models.requests)).toMatchObject(messageWith(output));
  expect(spansOf(record)).toContainEqual(
    expect.objectContaining({ name: 'resources/read file:///report', status: 'error' }),
  );
});

test('only text is told, at most as much as a step reads', async () => {
  const contents = [
    { uri: 'file:///a', blob: 'AAAA', mimeType: 'image/png' },
    { uri: 'file:///report', text: 'x'.repeat(200_000) },
  ];
  const { models } = await play({ steps: [ask] }, [callWeather, readReport, sunny], {
    ...linking,
    'resources/read': { contents },
  });
  const lastText = JSON.stringify(lastMessage(models.requests));
  expect(lastText).toContain('A part (image/png) is not included');
  expect(lastText).toContain('The text was cut at 100,000 characters.');
  expect(lastText).not.toContain('AAAA');
  expect(lastText.length).toBeLessThan(101_000);
});

test('reads count among the most that one turn may ask for', async () => {
  const calls = Array.from({ length: 120 }, () => ({
    tool: 'readResourceLink',
    input: { uri: 'file:///report' },
  }));
  const { record, server } = await play({ steps: [ask] }, [callWeather, { calls }, sunny]);
  expect(urisRead(server)).toHaveLength(99);
  expect(record.actualToolCalls).toHaveLength(1);
});

test.each([
  ['says nothing of links', {}],
  ['ignores them', { mcpProfile: { profileVersion: 1, resourceLinks: 'ignore' } }],
] as const)('a client that %s offers nothing to read them', async (_, config) => {
  const { record, server, models } = await player.play(
    { steps: [ask] },
    [callWeather, readReport, sunny],
    { answers: linking, plan: { client: config } },
  );
  expect(toolsOf(models.requests).flat()).not.toContain('readResourceLink');
  expect(urisRead(server)).toEqual([]);
  expect(record.actualToolCalls).toMatchObject([{}, { notMade: 'notOffered' }]);
});

test('without a link there is no such tool, and one of a server gets another name', async () => {
  const tools = ['weather', 'readResourceLink'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
  }));
  const { record, models } = await play({ steps: [ask] }, [readReport, sunny], {
    'tools/list': { tools },
  });
  expect(toolsOf(models.requests)[1]).toEqual(['weather', 'Weather_readResourceLink']);
  expect(record.actualToolCalls).toMatchObject([{ notMade: 'notOffered' }]);
});

test('of two servers that link to one URI the model says which, and that one is read', async () => {
  const started = await Promise.all(
    ['Shop', 'Wiki'].map(async (name, index) => {
      const contents = [{ uri: 'file:///report', text: `Of ${name}.` }];
      const server = await player.start({ ...linking, 'resources/read': { contents } });
      return { id: `srv_${index + 1}`, name, url: server.url, server };
    }),
  );
  const call = (tool: string): ModelLine => ({ calls: [{ tool, input: { city: 'Rome' } }] });
  const models = modelOfLines([
    ...[call('Shop_weather'), readReport, call('Wiki_weather'), readReport],
    ...[read({ uri: 'file:///report', serverName: 'Wiki' }), sunny],
  ]);
  const servers = runServersFor(player.mcp, started);
  const plan = planFor({ steps: [ask] }, started, {
    client,
    limits: { maxModelSteps: 10, trialTimeoutMs: 20_000 },
  });
  try {
    const record = await firstTrial(dependenciesFor(servers, models), plan);
    expect(record.result).toBe('passed');
  } finally {
    await servers.close();
  }
  expect(started.map(({ server }) => urisRead(server).length)).toEqual([1, 1]);
  const lastMessages = models.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(lastMessages[2]).toContain('Of Shop.');
  expect(lastMessages[4]).toContain('Send one of them as serverName.');
  expect(lastMessages[5]).toContain('Of Wiki.');
});

test('two links of calls that were made at once are read at once, each with its own text and in its order', async () => {
  const waiting: (() => void)[] = [];
  const answers: Record<string, FakeAnswer> = {
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      sendJson(response, rpcResult(request, { content: [linkTo(`file:///${name}`)] }));
    },
    // The first read is answered only after the second read.
    'resources/read': (response, request) => {
      const { uri } = request.message['params'] as { uri: string };
      const answer = () =>
        sendJson(response, rpcResult(request, { contents: [{ uri, text: `Text of ${uri}` }] }));
      waiting.unshift(answer);
      if (waiting.length === 2) for (const one of waiting) one();
    },
  };
  const call = (tool: string, input: object) => ({ tool, input });
  const uris = ['file:///weather', 'file:///clock'];
  const { record, server, models } = await player.play(
    { steps: [ask] },
    [
      { calls: [call('weather', { city: 'Rome' }), call('clock', { zone: 'UTC' })] },
      { calls: uris.map((uri) => call('readResourceLink', { uri })) },
      sunny,
    ],
    {
      answers,
      serverId: 'srv_links_at_once',
      plan: { client: { ...client, parallelToolCalls: true } },
    },
  );
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(urisRead(server).sort()).toEqual([...uris].sort());
  expect(lastMessage(models.requests)).toMatchObject({
    content: uris.map((uri) => ({
      toolName: 'readResourceLink',
      output: { value: { content: [{ text: `Text of ${uri}` }] } },
    })),
  });
  expect(record.actualToolCalls.map(({ toolName }) => toolName)).toEqual(['weather', 'clock']);
});
