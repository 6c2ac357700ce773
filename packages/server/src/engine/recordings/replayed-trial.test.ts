/** A trial is recorded once, and played again with one side or both answered from what was kept. */
import { type Recording, readIgnore } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { finishRecording } from './finish-recording.ts';
import { OpenedRecordingOfTrial } from './opened-recording.ts';
import { replayedDependencies } from './replayed-dependencies.ts';
import { TrialRecorder } from './trial-recorder.ts';
import { type ReplayTerms, TrialReplay } from './trial-replay.ts';

const mcp = gatewayForTest();
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
  await mcp.close();
});

const steps = [
  { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' },
  { id: 'pin', kind: 'toolCall', serverName: 'Weather', toolName: 'clock', arguments: { at: 1 } },
  { id: 'again', kind: 'prompt', prompt: 'And the time?' },
] as const;
const asserted = { type: 'responseContains', needle: 'noon' } as const;
const definition = (needle = 'noon') => ({
  steps: [...steps, { id: 'says', kind: 'assert' as const, assertion: { ...asserted, needle } }],
});
const lines: readonly ModelLine[] = [
  {
    calls: [
      { tool: 'weather', input: { city: 'Rome' } },
      { tool: 'weather', input: { city: 'Oslo' } },
    ],
  },
  { text: 'It is sunny.' },
  { text: 'It is noon.' },
];
const tools = ['weather', 'clock'].map((name) => ({
  ...{ name, description: `Tells of ${name}.`, inputSchema: { type: 'object' } },
}));
const sunny = (text = 'Sunny at 2026-01-02T03:04:05Z.') => ({
  content: [{ type: 'text', text }],
  structuredContent: { at: text.length, token: 'a-secret-token' },
});
const answers: Readonly<Record<string, FakeAnswer>> = {
  'tools/list': { tools },
  'tools/call': sunny(),
};

async function start(more: Readonly<Record<string, FakeAnswer>> = {}) {
  const server = await startFakeMcpServer({ ...answers, ...more });
  stops.push(() => server.stop());
  return server;
}

async function record(checks?: object) {
  const server = await start();
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const runServers = runServersFor(mcp, servers);
  const recorder = new TrialRecorder(servers, () => performance.now());
  const dependencies = recorder.around(dependenciesFor(runServers, modelOfLines(lines)));
  const record = await firstTrial(
    dependencies,
    planFor({ ...definition(), ...(checks && { checks }) } as never, servers),
  );
  await runServers.close();
  const finished = finishRecording(recorder, [], record.durationMs);
  if (finished.state !== 'kept') throw new Error('It is too large.');
  return { record, finished, recording: JSON.parse(finished.content) as Recording };
}

interface Wish {
  readonly terms?: Partial<ReplayTerms>;
  readonly url?: string;
  readonly lines?: readonly ModelLine[];
  readonly needle?: string;
  readonly checks?: object;
  readonly id?: string;
}

async function replay(
  { recording, finished }: Awaited<ReturnType<typeof record>>,
  wish: Wish = {},
) {
  const { url = 'http://127.0.0.1:9/mcp', id = 'srv_2' } = wish;
  const servers = [{ id, name: 'Weather', url }];
  const runServers = runServersFor(mcp, servers);
  const models = modelOfLines(wish.lines ?? []);
  const opened = new OpenedRecordingOfTrial(recording, finished.durations);
  const terms = {
    ...({ model: 'recorded', servers: 'recorded', onDivergence: 'stop', asksModel: true } as const),
    ...{ ignore: readIgnore(), ...wish.terms },
  };
  const played = new TrialReplay(opened, terms, servers, () => []);
  const dependencies = replayedDependencies(played, dependenciesFor(runServers, models));
  try {
    const again = await firstTrial(
      dependencies,
      planFor(
        { ...definition(wish.needle), ...(wish.checks && { checks: wish.checks }) } as never,
        servers,
      ),
    );
    return { again, played, models };
  } finally {
    await runServers.close();
  }
}

describe('both sides recorded, and both gone', () => {
  test('give the same trial', async () => {
    const recorded = await record();
    expect(recorded.record.result).toBe('passed');
    const { again, played } = await replay(recorded);
    expect(played.divergence).toBeUndefined();
    const { result, status, chain, usage, scores, error, actualToolCalls } = recorded.record;
    expect(again).toMatchObject({ result, status, usage, scores, error });
    expect(again.chain).toEqual(chain);
    expect(again.actualToolCalls.map(({ serverId: _, ...call }) => call)).toEqual(
      actualToolCalls.map(({ serverId: _, ...call }) => call),
    );
  });

  test('are graded anew by what is asserted now', async () => {
    const { again, played } = await replay(await record(), { needle: 'midnight' });
    expect(again.result).toBe('failed');
    expect(played.divergence).toBeUndefined();
  });

  test('say of a time that nobody kept that it is not known', async () => {
    const checks = { list: [{ type: 'toolLatencyUnder', ms: 60_000 }] };
    const recorded = await record(checks);
    expect((await replay(recorded, { checks })).again.result).toBe('passed');
    const finished = { ...recorded.finished, durations: { servers: [], exchanges: [] } };
    const { again } = await replay({ ...recorded, finished }, { checks });
    expect(again).toMatchObject({ result: null, evaluatorError: true });
    expect(JSON.stringify(again.evidence)).toContain('was not timed');
  });

  test.each([
    ['a model', 'model', 'It is noon.', 6],
    ['a server', 'call', 'Rome', 2],
  ])(
    'end in no time where the time was over while %s was awaited',
    async (_, kind, told, taken) => {
      const recorded = await record();
      const exchanges = recorded.recording.exchanges.map((one) => {
        if (one.kind !== kind || !JSON.stringify(one).includes(told)) return one;
        const {
          answer: __,
          result: ___,
          ...asked
        } = one as typeof one & {
          readonly answer?: unknown;
          readonly result?: unknown;
        };
        return asked as typeof one;
      });
      const begunMs = performance.now();
      const { again, played } = await replay({
        ...recorded,
        recording: { ...recorded.recording, exchanges },
      });
      // The trial allows 20 seconds.
      expect(performance.now() - begunMs).toBeLessThan(10_000);
      expect(again).toMatchObject({ status: 'timed_out', result: null });
      expect(again.error).toContain('took longer than 20 seconds');
      expect(played.divergence).toBeUndefined();
      expect(played.recorded.taken).toBe(taken);
    },
  );

  test('have no answer to what was taken out', async () => {
    const checks = {
      list: [
        {
          ...{ type: 'toolResultPath', toolName: 'weather' },
          ...{ pointer: '/token', equals: 'a-secret-token' },
        },
      ],
    };
    const recorded = await record(checks);
    expect(recorded.record.result).toBe('passed');
    const { again } = await replay(recorded, { checks });
    expect(again).toMatchObject({ result: null, evaluatorError: true, status: 'completed' });
    expect(again.error).toContain('taken out of the recording');
  });

  test('a changed prompt is named, and the trial is no verdict', async () => {
    const recorded = await record();
    const { exchanges } = recorded.recording;
    const [first, ...others] = exchanges;
    if (first?.kind !== 'model') throw new Error('The first is a request to the model.');
    const messages = [{ role: 'user', content: 'What else?' }];
    const changed = { ...first, hash: 'other', request: { ...first.request, messages } };
    const recording = { ...recorded.recording, exchanges: [changed, ...others] };
    const { again, played } = await replay({ ...recorded, recording });
    expect(played.divergence).toMatchObject({
      ...{ side: 'model', kind: 'request', turn: 0, path: '/messages/0/content' },
      ...{ before: 'What else?', after: 'What is the weather?' },
    });
    expect(again).toMatchObject({ status: 'skipped', result: null });
    expect(again.chain.failureCategory).toBeUndefined();
    const rows = again.chain.stageResults.map(({ state, reason }) => `${state} ${reason}`);
    expect(new Set(rows)).toEqual(new Set(['notMeasured lifecycleStopped']));
  });
});

describe('a live server beside the recorded model', () => {
  const terms = { servers: 'live' } as const;

  test('that answers the same gives the same, and no model is asked', async () => {
    const recorded = await record();
    const { url } = await start();
    const { again, played, models } = await replay(recorded, { terms, url });
    expect(played.divergence).toBeUndefined();
    expect(again.result).toBe('passed');
    expect(models.requests).toHaveLength(0);
  });

  test('that differs only by what may differ gives the recorded result', async () => {
    const { url } = await start({ 'tools/call': sunny('Sunny at 2025-11-12T13:14:15Z.') });
    const wish = { terms: { ...terms, ignore: readIgnore(['timestamp']) }, url };
    const { again, played } = await replay(await record(), wish);
    expect(played.divergence).toBeUndefined();
    expect(JSON.stringify(again.trace['messages'])).toContain('2026-01-02');
    expect(JSON.stringify(again.trace['messages'])).not.toContain('2025-11-12');
  });

  test.each<[string, Readonly<Record<string, FakeAnswer>>, object]>([
    [
      'one word of a description',
      { 'tools/list': { tools: [{ ...tools[0], description: 'Tells of climate.' }, tools[1]] } },
      {
        ...{ kind: 'listing', toolName: 'weather', path: '/description' },
        ...{ before: 'Tells of weather.', after: 'Tells of climate.' },
      },
    ],
    [
      'one tool',
      { 'tools/list': { tools: [tools[1]] } },
      { kind: 'listing', toolName: 'weather', path: '' },
    ],
    [
      'one result',
      { 'tools/call': sunny('Rainy at 2026-01-02T03:04:05Z.') },
      { kind: 'result', toolName: 'weather', path: '/content/0/text', call: 1 },
    ],
  ])('%s that changed is exactly what is named', async (_, more, expected) => {
    const { url } = await start(more);
    const { again, played } = await replay(await record(), { terms, url });
    expect(played.divergence).toMatchObject({
      side: 'server',
      serverName: 'Weather',
      turn: 0,
      ...expected,
    });
    expect(again).toMatchObject({
      status: 'skipped',
      result: null,
      error: played.divergence?.message,
    });
  });

  test('goes on with a live model where that is asked for', async () => {
    const { url } = await start({ 'tools/call': sunny('Rainy.') });
    const wish = { terms: { ...terms, onDivergence: 'live' } as const, url, lines };
    const { again, played, models } = await replay(await record(), wish);
    expect(played.isContinuedLive).toBe(true);
    expect(played.divergence?.kind).toBe('result');
    expect(again.result).toBe('passed');
    // The first answer was recorded; the other two were asked for.
    expect(models.requests).toHaveLength(2);
  });
});

describe('recorded servers beside a live model', () => {
  const terms = { model: 'live' } as const;

  test('answer the same calls in any order, with a word for what was redacted', async () => {
    const [first] = lines as [{ calls: { tool: string; input: object }[] }];
    const turned = [
      { calls: [...first.calls].reverse() },
      ...lines.slice(1),
    ] as readonly ModelLine[];
    const { again, played, models } = await replay(await record(), { terms, lines: turned });
    expect(played.divergence).toBeUndefined();
    expect(again.result).toBe('passed');
    expect(JSON.stringify(models.requests)).toContain('[redacted]');
    expect(JSON.stringify(models.requests)).not.toContain('a-secret-token');
  });

  test('have no answer to another call, which is named', async () => {
    const other = [{ calls: [{ tool: 'weather', input: { city: 'Bern' } }] }, ...lines.slice(1)];
    const { again, played } = await replay(await record(), {
      terms,
      lines: other as readonly ModelLine[],
    });
    expect(played.divergence).toMatchObject({
      ...{
        side: 'server',
        kind: 'call',
        toolName: 'weather',
        path: '/city',
        before: 'Rome',
        after: 'Bern',
      },
    });
    expect(again.status).toBe('skipped');
  });

  test('are asked for real from there on, where that is asked for', async () => {
    const other = [{ calls: [{ tool: 'weather', input: { city: 'Bern' } }] }, ...lines.slice(1)];
    const { url, requests } = await start();
    const wish = {
      terms: { ...terms, onDivergence: 'live' } as const,
      url,
      lines: other as readonly ModelLine[],
    };
    const { again, played } = await replay(await record(), wish);
    expect(again.result).toBe('passed');
    expect(played.isContinuedLive).toBe(true);
    expect(requests.filter(({ message }) => message['method'] === 'tools/call')).toHaveLength(2);
  });
});
