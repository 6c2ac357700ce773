import { messagesOf, ask as prompt, sunny } from '@proofmark/harness/play-trial.ts';
import { callOf, shop, uiTool, widgetPlayer } from '@proofmark/harness/play-widgets.ts';
import { afterAll, expect, test } from 'vitest';
import { toolResultContent } from '../outside/model/tool-result-content.ts';

const { playWidgets, close } = widgetPlayer();
afterAll(close);

const html = '<!doctype html><h1>Order Emma</h1>';
const embedded = (mimeType: string) => ({
  type: 'resource',
  resource: { uri: 'ui://shop/form', mimeType, text: html },
});

test('a model is given results without the pages of widgets and what is said to hosts', async () => {
  const content = [
    { type: 'text', text: 'One copy' },
    embedded('text/html;profile=mcp-app'),
    embedded('text/html+skybridge'),
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/html', text: '<p>kept' } },
  ];
  const result = { content, structuredContent: { copies: 1 }, _meta: { 'shop/token': 'abc' } };
  const lines = [{ calls: [{ tool: 'form', input: {} }] }, sunny];
  const { record, models, renderer } = await playWidgets(
    { steps: [prompt, { id: 'shown', kind: 'assert', assertion: { type: 'widgetRendered' } }] },
    {},
    { lines, answers: shop({ 'tools/call': result }) },
  );
  expect(record).toMatchObject({ result: 'passed' });
  const asked = JSON.stringify(models.requests[1]?.messages);
  expect(asked).not.toContain('Order Emma');
  expect(asked).not.toContain('shop/token');
  expect(asked).toContain('One copy');
  expect(asked).toContain('<p>kept');
  // The widget and the trace get the whole result; only the model's copy is reduced.
  expect(renderer.opened).toMatchObject([{ result }]);
  expect(JSON.stringify(messagesOf(record))).toContain('Order Emma');
});

test('in words, a page is told to be there, and structured content goes with it', () => {
  const value = { content: [embedded('text/html')], structuredContent: { copies: 1 } };
  expect(toolResultContent(value)).toMatchObject({
    text: '[user interface ui://shop/form, shown to the user]\n{"copies":1}',
  });
});

test('a tool for widgets alone is not offered to a model, unless the client says so', async () => {
  const tools = [uiTool('form'), uiTool('save', { visibility: ['app'] })];
  const answers = shop({ 'tools/list': { tools } });
  for (const [client, names] of [
    [{}, ['form']],
    [{ respectToolVisibility: true }, ['form']],
    [{ respectToolVisibility: false }, ['form', 'save']],
  ] as const) {
    const options = { lines: [sunny], answers, plan: { client } };
    const { models } = await playWidgets({ steps: [prompt] }, {}, options);
    expect(models.requests[0]?.tools.map(({ name }) => name)).toEqual(names);
  }
  // A step of a case may call a tool that is only for widgets, although the model may not.
  const { record } = await playWidgets({ steps: [callOf('save')] }, {}, { answers });
  expect(record).toMatchObject({ result: 'passed' });
});
