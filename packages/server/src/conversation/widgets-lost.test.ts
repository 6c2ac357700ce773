import type { ServerResponse } from 'node:http';
import type { FakeWidget } from '@proofmark/harness/fake-widget-renderer.ts';
import {
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Step } from '@proofmark/harness/play-trial.ts';
import {
  act,
  callOf,
  namesOfTool,
  see,
  shop,
  widgetPlayer,
} from '@proofmark/harness/play-widgets.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { BrowserLost } from '../outside/browser/widget-renderer.ts';
import type { TrialRecord } from './trial-record.ts';

const { playWidgets, close } = widgetPlayer();
afterAll(close);

const steps = [callOf('form'), act(), see()];

const lose = (status?: 'screenshot_failed') => (): never => {
  throw new BrowserLost('The browser went away.', status);
};

/**
 * Expects that the set-up was lost: nothing is graded, and neither the server nor a widget is at
 * fault.
 */
function expectSetup(record: TrialRecord): void {
  expect(record).toMatchObject({
    status: 'setup_failed',
    result: null,
    evaluatorError: false,
    scores: null,
    chain: { failureCategory: 'setup' },
  });
  expect(record.chain.firstFailedStage).toBeUndefined();
  const blamed = record.chain.stageResults.filter(({ reason }) => reason === 'setupAborted');
  expect(blamed.map(({ stage }) => stage)).toEqual(['call', 'response', 'userValue']);
}

describe('a browser of ours that fails loses the set-up', () => {
  const calls = (second: () => never) => {
    let asked = 0;
    return () => {
      asked += 1;
      return asked === 1 ? undefined : second();
    };
  };
  const later = calls(lose());
  const dot = { png: new Uint8Array([1]), width: 1, height: 1 };
  const moments: [string, FakeWidget, string][] = [
    ['open', { rendering: lose() }, 'browser_unavailable'],
    ['open, as it says', { rendering: { status: 'browser_unavailable' } }, 'browser_unavailable'],
    [
      'open, as it says of pictures',
      { rendering: { status: 'screenshot_failed' } },
      'screenshot_failed',
    ],
    ['the first picture', { picture: lose('screenshot_failed') }, 'screenshot_failed'],
    ['act', { act: lose() }, 'browser_unavailable'],
    ['ask', { ask: lose() }, 'browser_unavailable'],
    ['the picture of a step', { picture: () => later() ?? dot }, 'browser_unavailable'],
    ['the trail', { activity: lose() }, 'browser_unavailable'],
    ['accessibility', { accessibility: lose() }, 'browser_unavailable'],
  ];
  test.concurrent.each(moments)('at %s', async (_moment, widget, status) => {
    const { record, renderer } = await playWidgets({ steps }, widget);
    expectSetup(record);
    expect(record.error).toMatch(
      /^The browser of the service failed while it showed the widget of "form": /,
    );
    expect(record.widgets?.observations).toMatchObject([{ status }]);
    expect(renderer.now.open).toBe(0);
  });

  test.concurrent('also after a step of the widget failed', async () => {
    const ask = () => ({ ok: false, reason: 'Not there.' }) as const;
    let asked = 0;
    const picture = () => {
      asked += 1;
      return asked < 3 ? { png: new Uint8Array([1]), width: 1, height: 1 } : lose()();
    };
    expectSetup((await playWidgets({ steps }, { ask, picture })).record);
  });
});

test.concurrent('what only advises loses nothing with the browser', async () => {
  const assertion = { type: 'widgetRendered', role: 'advisory' } as const;
  const advised: Step[] = [callOf('form'), { id: 'hint', kind: 'assert', assertion }];
  const lost = await playWidgets({ steps: advised }, { rendering: lose() });
  expect(lost.record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(lost.record.widgets?.observations).toMatchObject([{ status: 'browser_unavailable' }]);
  const shown = await playWidgets({ steps: advised });
  expect(shown.record.trace['steps']).toMatchObject([{}, { status: 'ok' }]);
  expect(shown.record.evidence.assertions).toMatchObject([{ passed: true, advisory: true }]);
  // Without a renderer, an advisory assertion about widgets does not affect the trial.
  const without = await playWidgets(
    { steps: advised },
    {},
    { dependencies: { widgets: { missing: 'There is none.' } } },
  );
  expect(without.record).toMatchObject({ result: 'passed', widgets: null });
});

test.concurrent('without a renderer a case that needs one is not run, and says how to get one', async () => {
  const widgets = { missing: 'Name a Chromium in PROOFMARK_CHROMIUM.' };
  const { record, server } = await playWidgets({ steps }, {}, { dependencies: { widgets } });
  expect(record).toMatchObject({
    status: 'setup_failed',
    result: null,
    widgets: null,
    chain: { failureCategory: 'setup' },
    error: expect.stringMatching(/cannot be rendered here\. Name a Chromium in/),
  });
  expect(server.requests).toEqual([]);
});

test.concurrent('a renderer that breaks otherwise is our own failure', async () => {
  const rendering = (): never => {
    throw new TypeError('Odd');
  };
  await expect(playWidgets({ steps }, { rendering })).rejects.toThrow('Odd');
});

describe('a page that our own side could not read is no failure of the widget', () => {
  const refusals: [string, (response: ServerResponse, request: FakeRequest) => unknown][] = [
    ['refused credentials', (response) => sendJson(response, {}, 403)],
    ['a lost connection', (response) => response.socket?.destroy()],
  ];
  test.concurrent.each(refusals)('%s', async (_title, answer) => {
    const answers = shop({ 'resources/read': answer });
    const { record, renderer } = await playWidgets({ steps }, {}, { answers });
    expectSetup(record);
    expect(record.error).toMatch(/^The resource "ui:\/\/shop\/form" of the widget of "form" could/);
    expect(renderer.events).toEqual([]);
  });
});

test.concurrent('a widget that never comes to an end is closed with its trial', async () => {
  const plan = { limits: { maxModelSteps: 5, trialTimeoutMs: 2000 } };
  const hangs = () => new Promise<never>(() => undefined);
  const { record, renderer } = await playWidgets({ steps }, { act: hangs }, { plan });
  expect(record).toMatchObject({ status: 'timed_out', result: null });
  expect(renderer.events).toEqual(['open form', 'act click', 'close form']);
  const opening = await playWidgets({ steps }, { starts: hangs }, { plan });
  expect(opening.record).toMatchObject({
    status: 'timed_out',
    result: null,
    widgets: { observations: [{ status: 'browser_unavailable' }] },
  });
});

test.concurrent('a server that does not give its page in the time of the step is late', async () => {
  const timed = [callOf('form', { timeoutMs: 900 }), see()];
  const answers = shop({ 'resources/read': () => undefined });
  const { record } = await playWidgets({ steps: timed }, {}, { answers });
  expect(record).toMatchObject({
    status: 'completed',
    result: 'failed',
    chain: { firstFailedStage: 'response', failureCategory: 'serverData' },
  });
  expect(record.error).toMatch(/^The step got no result: the step "call-form" allows 0.9 seconds/);
  expect(record.widgets?.observations).toMatchObject([{ status: 'resource_read_failed' }]);
});

test.concurrent('the time that a step states for its server does not run while its widget is shown', async () => {
  const starts = () => new Promise((resolve) => setTimeout(resolve, 2500));
  const timed = [callOf('form', { timeoutMs: 2000 }), see()];
  const { record } = await playWidgets({ steps: timed }, { starts });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
});

describe('what a widget asks of its server, when our own side loses it', () => {
  const broken = (answer: (response: ServerResponse, request: FakeRequest) => unknown) =>
    shop({
      'tools/call': (response: ServerResponse, request: FakeRequest) =>
        namesOfTool(request) === 'save'
          ? answer(response, request)
          : sendJson(response, rpcResult(request, { content: [] })),
    });
  const saves: FakeWidget = {
    act: async (_action, host) => {
      await host.callTool('save', {}).catch(() => undefined);
      return { ok: false, reason: 'It shows an error.' };
    },
  };
  test.concurrent('loses the set-up', async () => {
    const answers = broken((response) => sendJson(response, {}, 401));
    expectSetup((await playWidgets({ steps }, saves, { answers })).record);
  });

  test.concurrent('but what the server answers is for the widget', async () => {
    const answers = broken((response, request) =>
      sendJson(response, rpcError(request, -32000, 'No stock')),
    );
    const { record } = await playWidgets({ steps }, saves, { answers });
    expect(record).toMatchObject({
      status: 'completed',
      result: 'failed',
      error: 'It shows an error.',
      chain: { failureCategory: 'userValue' },
    });
    expect(record.widgets?.observations).toMatchObject([
      {
        trail: {
          calls: [
            { toolName: 'save', outcome: 'error', message: expect.stringMatching(/No stock/) },
          ],
        },
      },
    ]);
  });
});
