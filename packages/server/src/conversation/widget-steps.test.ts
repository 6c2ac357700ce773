import type { RenderStatus } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcError,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { ask as prompt, type Step, sunny } from '@proofmark/harness/play-trial.ts';
import { act, callOf, page, see, shop, widgetPlayer } from '@proofmark/harness/play-widgets.ts';
import { afterAll, describe, expect, test } from 'vitest';

const { playWidgets, close } = widgetPlayer();
afterAll(close);

const form = callOf('form');
const row = (chain: { stageResults: readonly { stage: string }[] }, stage: string) =>
  chain.stageResults.find((one) => one.stage === stage);

test('steps are played in the widget of a pinned call, with a picture after each', async () => {
  const steps = [form, act(), see()];
  const more = { client: { hostContext: { theme: 'dark' } } };
  const { record, renderer } = await playWidgets({ steps }, {}, { plan: more });
  expect(record).toMatchObject({ status: 'completed', result: 'passed', error: null });
  expect(record.trace['steps']).toMatchObject([{}, { status: 'ok' }, { status: 'ok' }]);
  expect(renderer.opened).toMatchObject([
    {
      html: '<p>An order</p>',
      dialect: 'mcpApps',
      tool: { name: 'form' },
      input: { title: 'Emma' },
      result: { content: [{ type: 'text', text: 'done' }] },
      hostContext: { theme: 'dark' },
      withinMs: 10_000,
    },
  ]);
  expect(renderer.events).toEqual(['open form', 'act click', 'ask textVisible', 'close form']);
  const [observation] = record.widgets?.observations ?? [];
  expect(observation).toMatchObject({
    toolName: 'form',
    serverName: 'Weather',
    toolCallId: 'pinned-call-form',
    promptIndex: 0,
    status: 'rendered',
  });
  expect(observation?.elapsedMs).toBeGreaterThanOrEqual(40);
  expect(observation?.pictures.map(({ stepId }) => stepId)).toEqual([undefined, 'act', 'see']);
  expect(record.widgets?.pictures).toHaveLength(1);
  expect(record.chain.failureCategory).toBeUndefined();
  for (const stage of ['response', 'userValue']) {
    expect(row(record.chain, stage)).toMatchObject({ state: 'passed', reason: 'observed' });
  }
});

test('a call by the model shows its widget', async () => {
  const lines = [{ calls: [{ tool: 'form', input: { title: 'Emma' } }] }, sunny];
  const { record, renderer } = await playWidgets({ steps: [prompt, see()] }, {}, { lines });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(renderer.opened).toMatchObject([{ input: { title: 'Emma' } }]);
});

test('the time of the tool call is that of its widget', async () => {
  const steps = [callOf('form', { renderTimeoutMs: 700 }), see()];
  const { renderer } = await playWidgets({ steps });
  expect(renderer.opened).toMatchObject([{ withinMs: 700 }]);
});

test('a case that concerns no widget shows none and has none in its record', async () => {
  const { record, renderer } = await playWidgets({ steps: [form] });
  expect(record).toMatchObject({ result: 'passed', widgets: null });
  expect(renderer.events).toEqual([]);
});

test('only widgets that the case names are shown, or all where it names none', async () => {
  const steps = [form, callOf('list'), callOf('price')];
  const named = await playWidgets({ steps: [...steps, see()] });
  expect(named.renderer.opened).toMatchObject([{ tool: { name: 'form' } }]);
  const check = { mode: 'replace', list: [{ type: 'widgetRendered' }] } as const;
  const checks = { ...check, list: [...check.list] };
  const all = await playWidgets({ steps, checks });
  expect(all.renderer.opened).toMatchObject([
    { tool: { name: 'form' } },
    { tool: { name: 'list' } },
  ]);
  expect(all.record).toMatchObject({ result: 'passed' });
});

describe('a step that fails stops the trial', () => {
  test.each<[string, Step, object]>([
    [
      'an action',
      act(),
      { act: () => ({ ok: false, reason: 'No element has the text "Order".' }) },
    ],
    [
      'an assertion',
      see(),
      { ask: () => ({ ok: false, reason: 'The text "Emma" is not there.' }) },
    ],
  ])('%s', async (_title, step, widget) => {
    const steps = [form, step, act('form', { kind: 'wait', ms: 1 }, 'later')];
    const { record, renderer } = await playWidgets({ steps }, widget);
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
    expect(record.error).toMatch(/^(No element|The text)/);
    expect(record.trace['steps']).toMatchObject([
      { status: 'ok' },
      { status: 'fail', reason: record.error },
      { status: 'skipped', reason: `Not run, because step "${step.id}" stopped the trial.` },
    ]);
    expect(renderer.events.at(-1)).toBe('close form');
    expect(record.chain).toMatchObject({
      firstFailedStage: 'userValue',
      failureCategory: 'userValue',
    });
    expect(row(record.chain, 'response')).toMatchObject({ state: 'passed' });
    expect(row(record.chain, 'userValue')).toMatchObject({
      reason: 'predicateFailed',
      evidence: { predicateReasons: [record.error] },
    });
    expect(record.widgets?.observations[0]?.pictures.at(-1)).toMatchObject({ stepId: step.id });
    expect(record.scores).toMatchObject([{ scorerId: 'legacy:test', passed: false }, {}]);
  });
});

test('a wait says nothing of what a user gets', async () => {
  const wait = act('form', { kind: 'wait', ms: 1 });
  const { record } = await playWidgets({ steps: [form, wait] });
  expect(record).toMatchObject({ result: 'passed' });
  expect(row(record.chain, 'userValue')).toMatchObject({ state: 'notMeasured' });
});

test('a step has no widget where its tool was not called, or its call failed', async () => {
  const never = await playWidgets({ steps: [callOf('list'), see()] });
  expect(never.record).toMatchObject({
    result: 'failed',
    error: 'The tool "form" was not called, so there is no widget of it.',
    chain: { failureCategory: 'userValue' },
  });
  const failing = { content: [{ type: 'text', text: 'Sold out' }], isError: true };
  const steps = [form, see()];
  const failed = await playWidgets(
    { steps, failOnToolError: false },
    {},
    { answers: shop({ 'tools/call': failing }) },
  );
  expect(failed.record).toMatchObject({
    result: 'failed',
    error: 'No call of "form" got a result, so there is no widget of it.',
    chain: { firstFailedStage: 'response', failureCategory: 'serverData' },
    widgets: { observations: [] },
  });
  expect(row(failed.record.chain, 'response')).toMatchObject({ reason: 'toolError' });
});

describe('a widget that is not rendered is the failure of its server', () => {
  const failing: [RenderStatus, RegExp, Record<string, FakeAnswer>][] = [
    ['mount_failed', /rendered\. It is odd\.$/, {}],
    ['bridge_timeout', /rendered\. It is odd\.$/, {}],
    ['render_error', /rendered\. It is odd\.$/, {}],
    ['blank_screenshot', /rendered\. It is odd\.$/, {}],
    [
      'resource_read_failed',
      /instead of "text\/html/,
      {
        'resources/read': {
          contents: [{ uri: 'ui://shop/form', mimeType: 'text/plain', text: 'x' }],
        },
      },
    ],
    [
      'resource_read_failed',
      /No such resource/,
      {
        'resources/read': (response, request) =>
          sendJson(response, rpcError(request, -32002, 'No such resource')),
      },
    ],
  ];
  test.each(failing)('%s', async (status, expected, answers) => {
    const isShown = status !== 'resource_read_failed';
    const widget = { rendering: { status, message: 'It is odd.' } };
    const { record, renderer } = await playWidgets({ steps: [form, see()] }, widget, {
      answers: shop(answers),
    });
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
    expect(record.error).toMatch(/^The widget of "form" was not rendered[.:] /);
    expect(record.error).toMatch(expected);
    expect(record.chain).toMatchObject({
      firstFailedStage: 'response',
      failureCategory: 'serverData',
    });
    expect(row(record.chain, 'response')).toMatchObject({
      reason: 'renderFailed',
      evidence: { predicateReasons: [record.error] },
    });
    expect(record.widgets?.observations).toMatchObject([{ status, pictures: [] }]);
    expect(renderer.events).toEqual(isShown ? ['open form', 'close form'] : []);
  });

  test('no_ui_resource', async () => {
    const steps = [callOf('price'), see({ kind: 'textVisible', toolName: 'price', text: '5' })];
    const { record, renderer } = await playWidgets({ steps });
    expect(record.widgets?.observations).toMatchObject([{ status: 'no_ui_resource' }]);
    expect(record.chain).toMatchObject({ failureCategory: 'serverData' });
    expect(renderer.events).toEqual([]);
  });

  test('one that breaks in a step', async () => {
    const broken = { ok: false, reason: 'The page of the widget crashed.', broken: true } as const;
    const { record, renderer } = await playWidgets({ steps: [form, act()] }, { act: () => broken });
    expect(record).toMatchObject({ result: 'failed', error: 'The page of the widget crashed.' });
    expect(record.widgets?.observations).toMatchObject([
      { status: 'render_error', message: 'The page of the widget crashed.' },
    ]);
    expect(row(record.chain, 'response')).toMatchObject({ reason: 'renderFailed' });
    expect(renderer.events.at(-1)).toBe('close form');
  });

  test('one that has no page left for its picture', async () => {
    let pictures = 0;
    const picture = () => {
      pictures += 1;
      return pictures === 1 ? { png: new Uint8Array([1]), width: 1, height: 1 } : undefined;
    };
    const { record } = await playWidgets({ steps: [form, act()] }, { picture });
    expect(record).toMatchObject({ result: 'failed', chain: { firstFailedStage: 'response' } });
    expect(record.widgets?.observations).toMatchObject([{ status: 'render_error' }]);
  });
});

test('steps act in the last widget of a tool; the one before is looked at and closed', async () => {
  const again = { ...form, id: 'again' } as Step;
  const { record, renderer } = await playWidgets({ steps: [form, again, see()] });
  expect(renderer.events).toEqual([
    'open form',
    'close form',
    'open form',
    'ask textVisible',
    'close form',
  ]);
  expect(record.widgets?.observations.map(({ pictures }) => pictures.length)).toEqual([1, 2]);
});

test('at most four widgets are open, and a step in one that had to go says so', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const tools = names.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    _meta: { ui: { resourceUri: `ui://shop/${name}` } },
  }));
  const steps = [
    ...names.map((name) => callOf(name)),
    ...['e', 'a'].map((toolName) => see({ kind: 'textVisible', toolName, text: 'x' }, toolName)),
    ...['b', 'c', 'd'].map((toolName) => act(toolName, { kind: 'wait', ms: 1 }, `in-${toolName}`)),
  ];
  const answers = shop({ 'tools/list': { tools }, 'resources/read': page });
  const { record, renderer } = await playWidgets({ steps }, {}, { answers });
  expect(renderer.now).toEqual({ open: 0, most: 4 });
  expect(record.error).toBe(
    'The widget of "a" is not open any more: a trial has at most 4 open at a time.',
  );
});

describe('assertions on the transcript see what widgets came to', () => {
  const line = (level: 'error' | 'info', text: string) => ({ level, text, atMs: 1 });
  const cases: [string, object, object, RegExp | null][] = [
    ['widgetRendered', {}, {}, null],
    ['widgetRendered', {}, { rendering: { status: 'mount_failed' } }, /mount_failed/],
    ['widgetRenderLatencyUnder', { ms: 5000 }, {}, null],
    ['widgetRenderLatencyUnder', { ms: 40 }, {}, /the time must be below 40 ms/],
    [
      'widgetNoConsoleErrors',
      {},
      { activity: () => ({ consoleLines: [line('info', 'x')] }) },
      null,
    ],
    [
      'widgetNoConsoleErrors',
      {},
      { activity: () => ({ consoleLines: [line('error', 'Odd')] }) },
      /Console errors: 1 \("?Odd/,
    ],
    // The dropped lines may contain an error, so the assertion cannot be answered.
    [
      'widgetNoConsoleErrors',
      {},
      { activity: () => ({ dropped: { consoleLines: 3 } }) },
      /not recorded/,
    ],
  ];
  test.each(cases)('%s %j', async (type, fields, widget, fails) => {
    for (const toolName of ['form', undefined]) {
      const assertion = { type, ...fields, ...(toolName && { toolName }) } as never;
      const ofStep: Step = { id: 'check', kind: 'assert', assertion };
      const checks = { mode: 'replace', list: [assertion] } as never;
      for (const definition of [{ steps: [form, ofStep] }, { steps: [form], checks }]) {
        const { record } = await playWidgets(definition, widget);
        expect(record).toMatchObject({ status: 'completed', result: fails ? 'failed' : 'passed' });
        const [seen] = record.evidence.assertions;
        if (fails) expect(seen?.reason).toMatch(fails);
      }
    }
  });

  test('of a page that was never there no console is known', async () => {
    const steps = [
      form,
      { id: 'check', kind: 'assert', assertion: { type: 'widgetNoConsoleErrors' } } as const,
    ];
    const answers = shop({ 'resources/read': { contents: [] } });
    const { record } = await playWidgets({ steps }, {}, { answers });
    expect(record).toMatchObject({ result: 'failed' });
    expect(record.evidence.assertions[0]?.reason).toMatch(/not recorded/);
  });
});

test('what was seen is kept within bounds, and says nothing that was sent as a secret', async () => {
  let count = 0;
  const picture = () => {
    count += 1;
    return { png: new Uint8Array([count]), width: 1, height: 1 };
  };
  const activity = () => ({ messages: ['the token is s3cret'] });
  const accessibility = () => [
    { rule: 'label', impact: 'serious', help: 'Name the field', elements: 2 } as const,
  ];
  const steps = [form, ...Array.from({ length: 30 }, (_, at) => act('form', undefined, `a${at}`))];
  const redact = <Kept>(kept: Kept) =>
    JSON.parse(JSON.stringify(kept).replaceAll('s3cret', '[hidden]')) as Kept;
  const { record } = await playWidgets(
    { steps },
    { picture, activity, accessibility },
    { dependencies: { redact } },
  );
  expect(record.widgets?.pictures).toHaveLength(24);
  expect(record.widgets?.observations).toMatchObject([
    {
      accessibility: [{ rule: 'label' }],
      trail: { messages: ['the token is [hidden]'], dropped: { pictures: 7 } },
    },
  ]);
});
