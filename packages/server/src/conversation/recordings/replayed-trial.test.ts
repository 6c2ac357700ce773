import { readIgnore } from '@proofmark/domain';
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type CaseToReplay,
  callsAmong,
  type RecordedTrial,
  recordTrial,
  replayTrial,
  type TrialToReplay,
} from '@proofmark/harness/replayed-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, describe, expect, test } from 'vitest';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

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
  name,
  description: `Tells of ${name}.`,
  inputSchema: { type: 'object' },
}));
const sunny = (text = 'Sunny at 2026-01-02T03:04:05Z.') => ({
  content: [{ type: 'text', text }],
  structuredContent: { at: text.length, token: 'a-secret-token' },
});
const answers: Readonly<Record<string, FakeAnswer>> = {
  'tools/list': { tools },
  'tools/call': sunny(),
};

function record(checks?: object) {
  const own = { ...definition(), ...(checks && { checks }) } as CaseToReplay;
  return recordTrial(mcp, { definition: own, lines, answers });
}

type ReplayOptions = Omit<TrialToReplay, 'definition'> & {
  readonly needle?: string;
  readonly checks?: object;
};

function replay(recorded: RecordedTrial, { needle, checks, ...options }: ReplayOptions = {}) {
  const own = { ...definition(needle), ...(checks && { checks }) } as CaseToReplay;
  return replayTrial(mcp, recorded, { definition: own, ...options });
}

const live = (more: Readonly<Record<string, FakeAnswer>> = {}) => ({ ...answers, ...more });

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
    async (_, kind, fragment, taken) => {
      const recorded = await record();
      const exchanges = recorded.recording.exchanges.map((one) => {
        if (one.kind !== kind || !JSON.stringify(one).includes(fragment)) return one;
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
      // The replay does not wait for the trial's time limit of 20 seconds.
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
          type: 'toolResultPath',
          toolName: 'weather',
          pointer: '/token',
          equals: 'a-secret-token',
        },
      ],
    };
    const recorded = await record(checks);
    expect(recorded.record.result).toBe('passed');
    const { again } = await replay(recorded, { checks });
    expect(again).toMatchObject({ result: null, evaluatorError: true, status: 'completed' });
    expect(again.error).toContain('redacted in the recording');
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
      side: 'model',
      kind: 'request',
      turn: 0,
      path: '/messages/0/content',
      before: 'What else?',
      after: 'What is the weather?',
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
    const options = { terms, answers: live() };
    const { again, played, models } = await replay(recorded, options);
    expect(played.divergence).toBeUndefined();
    expect(again.result).toBe('passed');
    expect(models.requests).toHaveLength(0);
  });

  test('that differs only by what may differ gives the recorded result', async () => {
    const later = live({ 'tools/call': sunny('Sunny at 2025-11-12T13:14:15Z.') });
    const options = { terms: { ...terms, ignore: readIgnore(['timestamp']) }, answers: later };
    const { again, played } = await replay(await record(), options);
    expect(played.divergence).toBeUndefined();
    expect(JSON.stringify(again.trace['messages'])).toContain('2026-01-02');
    expect(JSON.stringify(again.trace['messages'])).not.toContain('2025-11-12');
  });

  test.each<[string, Readonly<Record<string, FakeAnswer>>, object]>([
    [
      'one word of a description',
      { 'tools/list': { tools: [{ ...tools[0], description: 'Tells of climate.' }, tools[1]] } },
      {
        kind: 'listing',
        toolName: 'weather',
        path: '/description',
        before: 'Tells of weather.',
        after: 'Tells of climate.',
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
    const { again, played } = await replay(await record(), { terms, answers: live(more) });
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

  test('that lists the same in another order gives the same', async () => {
    const turned = live({ 'tools/list': { tools: [...tools].reverse() } });
    const { again, played } = await replay(await record(), { terms, answers: turned });
    expect(played.divergence).toBeUndefined();
    expect(again.result).toBe('passed');
  });

  test('goes on with a live model where that is asked for', async () => {
    const rainy = live({ 'tools/call': sunny('Rainy.') });
    const options = { terms: { ...terms, onDivergence: 'live' } as const, answers: rainy, lines };
    const { again, played, models } = await replay(await record(), options);
    expect(played.isContinuedLive).toBe(true);
    expect(played.divergence?.kind).toBe('result');
    expect(again.result).toBe('passed');
    // The first of three answers came from the recording, the other two from the live model.
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
      side: 'server',
      kind: 'call',
      toolName: 'weather',
      path: '/city',
      before: 'Rome',
      after: 'Bern',
    });
    expect(again.status).toBe('skipped');
  });

  test('are asked for real from there on, where that is asked for', async () => {
    const other = [{ calls: [{ tool: 'weather', input: { city: 'Bern' } }] }, ...lines.slice(1)];
    const options = {
      terms: { ...terms, onDivergence: 'live' } as const,
      answers: live(),
      lines: other as readonly ModelLine[],
    };
    const { again, played, requests } = await replay(await record(), options);
    expect(again.result).toBe('passed');
    expect(played.isContinuedLive).toBe(true);
    expect(callsAmong(requests)).toHaveLength(2);
  });
});
