import type { ServerResponse } from 'node:http';
import { refusedOrigin } from '@proofmark/domain';
import type { FakeWidget } from '@proofmark/harness/fake-widget-renderer.ts';
import {
  type FakeRequest,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { called, spansOf } from '@proofmark/harness/play-trial.ts';
import {
  act,
  callOf,
  namesOfTool,
  see,
  shop,
  widgetPlayer,
} from '@proofmark/harness/play-widgets.ts';
import { afterAll, describe, expect, test } from 'vitest';

const { playWidgets, close } = widgetPlayer();
afterAll(close);

const saved = see({ kind: 'widgetToolCalled', toolName: 'form', calledToolName: 'save' }, 'saved');

const saves = (input = {}): FakeWidget => ({
  act: async (_action, host) => {
    await host.callTool('save', input).catch(() => undefined);
    return { ok: true };
  },
});

test('a call of a widget reaches its server, and is none of the model', async () => {
  const checks = {
    mode: 'replace',
    list: [
      { type: 'onlyToolsCalled', toolNames: ['form'] },
      { type: 'toolCallCountUnder', count: 2 },
      { type: 'noToolErrors' },
    ],
  } as never;
  const failing = (response: ServerResponse, request: FakeRequest) => {
    const isError = namesOfTool(request) === 'save';
    const content = [{ type: 'text', text: isError ? 'Sold out' : 'done' }];
    sendJson(response, rpcResult(request, { content, isError }));
  };
  const answers = shop({ 'tools/call': failing });
  const asks = { id: 'ask', kind: 'prompt', prompt: 'Order Emma' } as const;
  const lines = [{ calls: [{ tool: 'form', input: {} }] }, { text: 'Here is the form.' }];
  const { record, server } = await playWidgets(
    { steps: [asks, act(), saved], checks },
    saves({ copies: 2 }),
    { lines, answers },
  );
  expect(called(server)).toEqual(['form', 'save']);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'passed',
    actualToolCalls: [{ toolName: 'form' }],
    evidence: { toolErrors: [], spans: [{ toolName: 'form' }] },
  });
  expect(record.widgets?.observations).toMatchObject([
    {
      trail: {
        calls: [
          {
            toolName: 'save',
            arguments: { copies: 2 },
            outcome: 'error',
            message: 'Sold out',
          },
        ],
      },
    },
  ]);
  const [act1] = spansOf(record).filter(
    (span) => 'authoredStepId' in span && span['authoredStepId'] === 'act',
  );
  expect(spansOf(record)).toContainEqual(
    expect.objectContaining({
      name: 'tools/call save',
      category: 'request',
      ofWidget: 'form',
      parentId: act1?.id,
    }),
  );
});

test('whether a widget called a tool is waited for, and told', async () => {
  const later: FakeWidget = {
    starts: (host) =>
      void setTimeout(() => void host.callTool('save', {}).catch(() => undefined), 60),
  };
  const waited = await playWidgets({ steps: [callOf('form'), saved] }, later);
  expect(waited.record).toMatchObject({ result: 'passed' });
  const quick = callOf('form', { renderTimeoutMs: 50 });
  const never = await playWidgets({ steps: [quick, saved] });
  expect(never.record).toMatchObject({
    result: 'failed',
    error: 'The widget of "form" did not call "save"; it called nothing.',
    chain: { failureCategory: 'userValue' },
  });
});

test('a tool that is for the model alone is not called for a widget', async () => {
  const tools = [
    ...(shop()['tools/list'] as { tools: { name: string }[] }).tools.filter(
      ({ name }) => name !== 'save',
    ),
    {
      name: 'save',
      inputSchema: { type: 'object' },
      _meta: { ui: { visibility: ['model'] } },
    },
  ];
  const quick = callOf('form', { renderTimeoutMs: 50 });
  const { record, server } = await playWidgets({ steps: [quick, act(), saved] }, saves(), {
    answers: shop({ 'tools/list': { tools } }),
  });
  expect(called(server)).toEqual(['form']);
  expect(record).toMatchObject({ status: 'completed', result: 'failed' });
  expect(record.error).toMatch(/did not call "save": The tool "save" is not available to widgets/);
});

test('a policy holds for widgets, and what fails after it refused one is blocked, not failed', async () => {
  const quick = callOf('form', { renderTimeoutMs: 50 });
  const plan = { toolPolicy: { mode: 'default' as const, deny: ['save'] } };
  const { record, server } = await playWidgets({ steps: [quick, act(), saved] }, saves(), { plan });
  expect(called(server)).toEqual(['form']);
  expect(record).toMatchObject({ status: 'failed', result: null });
  expect(record.error).toMatch(/^The tool policy of the suite denies "save"/);
  expect(record.chain.failureCategory).toBeUndefined();
  expect(record.trace['steps']).toMatchObject([{}, { status: 'ok' }, { status: 'fail' }]);
  // The widget can work without the rejected call, so the trial passes.
  const well = await playWidgets({ steps: [quick, act()] }, saves(), { plan });
  expect(well.record).toMatchObject({ status: 'completed', result: 'passed' });
  const unshown = await playWidgets(
    { steps: [quick, see()] },
    {
      starts: (host) => host.callTool('save', {}).catch(() => undefined),
      rendering: { status: 'blank_screenshot' },
    },
    { plan },
  );
  expect(unshown.record).toMatchObject({ status: 'failed', result: null });
});

test('a widget that fails after we refused a request it declares is blocked, not failed', async () => {
  const sentence = refusedOrigin('https://cdn.example.com', 'This address is not allowed.');
  const steps = [callOf('form', { renderTimeoutMs: 50 }), see()];
  const starts: FakeWidget['starts'] = (host) => host.requestRefused?.(sentence);
  const blank = { rendering: { status: 'blank_screenshot' } } as const;
  const refused = await playWidgets({ steps }, { starts, ...blank });
  expect(refused.record).toMatchObject({ status: 'failed', result: null, error: sentence });
  expect(refused.record.chain.failureCategory).toBeUndefined();
  const own = await playWidgets({ steps }, blank);
  expect(own.record).toMatchObject({ status: 'completed', result: 'failed' });
  const well = await playWidgets({ steps }, { starts });
  expect(well.record).toMatchObject({ status: 'completed', result: 'passed' });
});

describe('what a widget writes to its console after our policy refused it is not held against it', () => {
  const quiet = { type: 'widgetNoConsoleErrors', toolName: 'form' } as const;
  const plan = { toolPolicy: { mode: 'default' as const, deny: ['save'] } };
  const complaining: FakeWidget = {
    ...saves(),
    activity: () => ({ consoleLines: [{ level: 'error', text: 'Not saved', atMs: 1 }] }),
  };
  const asserted = { id: 'quiet', kind: 'assert', assertion: quiet } as const;
  test.each([
    ['a step', { steps: [callOf('form'), act(), asserted] }],
    [
      'the case',
      { steps: [callOf('form'), act()], checks: { mode: 'replace' as const, list: [quiet] } },
    ],
  ])('by %s', async (_, one) => {
    const refused = await playWidgets(one, complaining, { plan });
    expect(refused.record).toMatchObject({ status: 'failed', result: null });
    expect(refused.record.error).toMatch(/^The tool policy of the suite denies "save"/);
    const allowed = await playWidgets(one, complaining);
    expect(allowed.record).toMatchObject({ status: 'completed', result: 'failed' });
  });
});

test('a widget asks its server a hundred times, and no more', async () => {
  const greedy: FakeWidget = {
    act: async (_action, host) => {
      const asked = Array.from({ length: 130 }, () => host.callTool('price', {}));
      const ends = await Promise.allSettled(asked);
      const refused = ends.filter(({ status }) => status === 'rejected').length;
      const read = await host.readResource('ui://shop/form').catch((error: Error) => error.message);
      return { ok: false, reason: `${refused} refused, and ${read}` };
    },
  };
  const { record, server } = await playWidgets({ steps: [callOf('form'), act()] }, greedy);
  expect(called(server)).toHaveLength(101);
  expect(record.error).toBe(
    '30 refused, and A widget may send its server at most 100 requests, so this request was not sent.',
  );
  const [observation] = record.widgets?.observations ?? [];
  expect(observation?.trail.calls).toHaveLength(100);
  expect(observation?.trail.dropped).toEqual({ calls: 30 });
});

test('a widget reads resources of its server', async () => {
  let read: unknown;
  const reads: FakeWidget = {
    act: async (_action, host) => {
      read = await host.readResource('ui://shop/form');
      return { ok: true };
    },
  };
  const { record } = await playWidgets({ steps: [callOf('form'), act()] }, reads);
  expect(record).toMatchObject({ result: 'passed' });
  expect(read).toMatchObject({ contents: [{ text: '<p>An order</p>' }] });
});
