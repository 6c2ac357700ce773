import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Json, readWidgetResource, widgetOfTool } from '@proofmark/domain';
import { afterAll, describe, expect, test } from 'vitest';
import type {
  OpenWidget,
  WidgetHost,
} from '../../packages/server/src/outside/browser/widget-renderer.ts';
import { appDocument, showWidget, startRenderer } from './widget-stage.ts';

const renderer = startRenderer();
const toolName = 'show';
afterAll(() => renderer.close());

describe('published example servers', () => {
  test('basic-vanillajs: clicks, typing, keys, messages, links and calls', async () => {
    await withExample('basic-vanillajs', async (widget) => {
      expect(widget.rendering).toEqual({ status: 'rendered', elapsedMs: expect.any(Number) });
      const picture = await widget.picture();
      expect(picture).toMatchObject({ width: 800, height: expect.any(Number) });
      expect(Buffer.from(picture?.png ?? []).toString('latin1', 1, 4)).toBe('PNG');
      const button = (name: string) => ({ role: { role: 'button', name } });
      expect(await widget.act({ kind: 'click', target: { role: { role: 'button' } } })).toEqual({
        ok: false,
        reason:
          'The button is ambiguous; choose one with nth: 4 found: nth 0 <button> "Get Server Time", nth 1 <button> "Send Message", nth 2 <button> "Send Log", nth 3 <button> "Open Link".',
      });
      await does(widget, { kind: 'click', target: { role: { role: 'button' }, nth: 0 } });
      expect(
        await widget.ask({ kind: 'widgetToolCalled', toolName, calledToolName: 'get-time' }),
      ).toEqual({ ok: true });
      const message = { css: 'textarea' };
      await does(widget, { kind: 'type', target: message, text: 'Hello there' });
      await does(widget, { kind: 'key', key: 'End' });
      await does(widget, { kind: 'key', key: '!' });
      await holds(widget, {
        kind: 'inputValue',
        toolName,
        target: message,
        equals: 'Hello there!',
      });
      await does(widget, { kind: 'click', target: button('Send Message') });
      await does(widget, { kind: 'click', target: button('Open Link') });
      await expect.poll(async () => (await widget.activity()).links).toHaveLength(1);
      const { messages, calls, refused } = await widget.activity();
      expect(messages).toEqual(['Hello there!']);
      expect(calls).toEqual([{ toolName: 'get-time', arguments: {}, outcome: 'answered' }]);
      expect(refused).toEqual([]);
    });
  });

  test('budget-allocator: a choice, a slider, and what is shown of them', async () => {
    await withExample('budget-allocator', async (widget) => {
      await holds(widget, { kind: 'textVisible', toolName, text: 'budget allocator' });
      await does(widget, { kind: 'type', target: { css: 'select', nth: 0 }, text: '$250,000' });
      await holds(widget, { kind: 'textVisible', toolName, text: '/ $250,000' });
      const slider = { css: 'input[type=range]', nth: 0 };
      await does(widget, { kind: 'type', target: slider, text: '40' });
      await holds(widget, { kind: 'inputValue', toolName, target: slider, equals: '40' });
      await does(widget, { kind: 'scroll', direction: 'down' });
      await does(widget, { kind: 'wait', ms: 20 });
      await holds(widget, { kind: 'elementVisible', toolName, target: { css: 'canvas', nth: 0 } });
      expect(await widget.accessibility()).toContainEqual({
        rule: 'select-name',
        impact: 'critical',
        help: expect.any(String),
        elements: 1,
      });
    });
  });

  test('cohort-heatmap: a call of the widget with what was chosen', async () => {
    await withExample('cohort-heatmap', async (widget) => {
      await does(widget, { kind: 'type', target: { css: 'select', nth: 1 }, text: 'Weekly' });
      const chosen = { toolName: 'get-cohort-data', arguments: { periodType: 'weekly' } };
      await expect.poll(async () => (await widget.activity()).calls.at(-1)).toMatchObject(chosen);
    });
  });

  test('system-monitor: polls by a tool that the model is not shown', async () => {
    await withExample('system-monitor', async (widget) => {
      const calledToolName = 'poll-system-stats';
      await holds(widget, { kind: 'widgetToolCalled', toolName, calledToolName });
      await does(widget, { kind: 'click', target: { text: 'Stop' } });
      await holds(widget, { kind: 'elementVisible', toolName, target: { text: 'Start' } });
    });
  });
});

describe('a widget of our own', () => {
  const form = appDocument(
    `<h1 data-testid=title>Order</h1><button id=a>Save</button><button style="display:none">Save</button>
     <button data-testid=off disabled>Off</button><input aria-label=Name value=old>
     <input type=password aria-label=Secret value=hunter2><p id=said></p><div style="height:3000px"></div><p>Bottom</p>
     <p style="opacity:0">Faint</p><p style="position:absolute;left:-9999px">Afar</p>`,
    `const said = document.getElementById('said'); const say = (text) => { said.textContent += text + ';'; };
     const save = document.getElementById('a');
     save.onclick = () => say('click'); save.ondblclick = () => say('double'); save.oncontextmenu = () => say('right');
     addEventListener('keydown', (event) => say(event.key)); addEventListener('scroll', () => say('scrolled'), { once: true });
     setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<i data-testid=late>late</i>'); }, 600);`,
  );

  test('is used in every way there is, and waited for', async () => {
    const widget = await showWidget(renderer, { html: form, withinMs: 1500 });
    const save = { role: { role: 'button', name: 'save' } };
    await holds(widget, { kind: 'elementVisible', toolName, target: { testId: 'late' } });
    await does(widget, { kind: 'click', target: save });
    await does(widget, { kind: 'click', target: save, clickType: 'double' });
    await does(widget, { kind: 'click', target: save, clickType: 'right' });
    await does(widget, { kind: 'key', key: 'F2' });
    await does(widget, { kind: 'scroll', direction: 'down', amount: 300 });
    await does(widget, { kind: 'scroll', direction: 'up', amount: 300 });
    const expectedText = 'click;click;click;double;right;F2;scrolled;';
    await holds(widget, { kind: 'textVisible', toolName, text: expectedText });
    // In a target, the test id takes precedence over the role, and the role over the text.
    const both = { testId: 'title', role: { role: 'button', name: 'Save' }, text: 'Nothing' };
    await holds(widget, { kind: 'elementVisible', toolName, target: both });
    const gone = { css: 'button', nth: 1 };
    await holds(widget, { kind: 'elementHidden', toolName, target: gone });
    await widget.close();
  });

  test('says in a sentence why something does not hold or cannot be done', async () => {
    const widget = await showWidget(renderer, { html: form, withinMs: 2000 });
    const secret = { role: { role: 'textbox', name: 'Secret' } };
    const css = 'h1[';
    const rows = [
      [{ kind: 'textVisible', text: 'Refund' }, 'the widget shows "Order Save'],
      [{ kind: 'elementVisible', target: { testId: 'none' } }, 'test id "none" cannot be seen.'],
      [{ kind: 'elementVisible', target: { css: 'button', nth: 1 } }, '(3 found, none visible)'],
      [{ kind: 'elementVisible', target: { css: 'button', nth: 7 } }, '3 found, and nth counts'],
      [{ kind: 'elementVisible', target: { css: 'input' } }, 'is ambiguous; choose one with nth: '],
      [{ kind: 'textVisible', text: 'Faint' }, 'in the page but cannot be seen'],
      [{ kind: 'textVisible', text: 'Afar' }, 'in the page but cannot be seen'],
      [{ kind: 'elementHidden', target: { testId: 'title' } }, '1 found: nth 0 <h1> "Order"'],
      [{ kind: 'inputValue', target: { css: '[aria-label=Name]' }, equals: 'new' }, '"old", not'],
      [{ kind: 'inputValue', target: secret, equals: 'x' }, 'holds another value'],
      [{ kind: 'widgetToolCalled', calledToolName: 'buy' }, 'it called no tool'],
    ] as const;
    const answers = rows.map(([asked]) =>
      widget.ask({ ...asked, toolName } as Parameters<OpenWidget['ask']>[0]),
    );
    expect(await Promise.all(answers)).toEqual(
      rows.map(([, words]) => ({ ok: false, reason: expect.stringContaining(words) })),
    );
    const off = await widget.act({ kind: 'click', target: { testId: 'off' } });
    expect(off).toEqual({ ok: false, reason: expect.stringContaining('is not enabled') });
    const key = await widget.act({ kind: 'key', key: 'Nonsense' });
    expect(key).toEqual({ ok: false, reason: 'There is no key "Nonsense".', isMistake: true });
    const unread = await widget.ask({ kind: 'elementVisible', toolName, target: { css } });
    const reason = expect.stringContaining('not a valid selector');
    expect(unread).toEqual({ ok: false, reason, isMistake: true });
    await widget.close();
  });

  test('shows no password on a picture', async () => {
    // A password must stay masked even if a widget removes the mask, or before the mask is painted.
    const tidies = `new MutationObserver(() => { for (const one of document.querySelectorAll('x-pw-glass')) one.remove(); }).observe(document, { childList: true, subtree: true });`;
    const field = (type: string) =>
      appDocument(`<input type=${type} value=hunter2 style="background:#fff">`, tidies);
    const [covered, open] = await Promise.all(
      ['password', 'text'].map(async (type) => {
        const widget = await showWidget(renderer, { html: field(type) });
        const picture = await widget.picture();
        await widget.close();
        return picture?.png;
      }),
    );
    const dots = await showWidget(renderer, {
      html: field('password').replace('hunter2', 'one-that-is-longer'),
    });
    expect((await dots.picture())?.png).toEqual(covered);
    expect(open).not.toEqual(covered);
    await dots.close();
  });

  test('has a picture of half a megabyte at most', async () => {
    const noise = `const canvas = document.querySelector('canvas'); const context = canvas.getContext('2d'); const image = context.createImageData(800, 600);
      for (let at = 0; at < image.data.length; at += 1) image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256; context.putImageData(image, 0, 0);`;
    const html = appDocument('<canvas width=800 height=600></canvas>', noise);
    const widget = await showWidget(renderer, { html });
    const picture = await widget.picture();
    expect(picture?.png.byteLength).toBeLessThan(500_000);
    expect(picture?.width).toBeLessThan(800);
    await widget.close();
  });

  test('is given the call, and its own calls are answered or refused', async () => {
    const host: WidgetHost = {
      async callTool(name) {
        if (name === 'forbidden') throw new Error('It is not allowed here.');
        return { content: [{ type: 'text', text: 'sold' }], isError: name === 'fails' };
      },
      readResource: async (uri) => ({ contents: [{ uri, text: 'read' }] }),
    };
    const html = appDocument(
      '<p></p>',
      `const out = document.querySelector('p'); const show = (text) => { out.textContent += text + ' '; };
       addEventListener('message', ({ data }) => { if (/tool-/.test(data.method)) show(data.method.slice(17) + JSON.stringify(data.params)); });
       (async () => {
         const { hostContext } = await request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'a', version: '1' }, appCapabilities: {} });
         show(hostContext.theme + hostContext.toolInfo.tool.name);
         for (const name of ['buy', 'fails', 'forbidden']) await request('tools/call', { name, arguments: {} }).then((result) => show(result.content[0].text), (error) => show(error.message));
         show((await request('resources/read', { uri: 'ui://x' })).contents[0].text);
         notify('ui/notifications/size-changed', { width: 800, height: 321 });
       })();`,
    );
    const widget = await showWidget(
      renderer,
      {
        html,
        input: { book: 7 },
        result: { content: [], structuredContent: { title: 'Emma' } },
        hostContext: { theme: 'dark' },
      },
      host,
    );
    for (const text of [
      'input{"arguments":{"book":7}}',
      'result{"content":[],"structuredContent":{"title":"Emma"}}',
      'darkshow',
      'sold It is not allowed here. read',
    ]) {
      await holds(widget, { kind: 'textVisible', toolName, text });
    }
    await does(widget, { kind: 'wait', ms: 100 });
    expect(await widget.picture()).toMatchObject({ height: 321 });
    expect(await widget.activity()).toMatchObject({
      size: { width: 800, height: 321 },
      calls: [
        { toolName: 'buy', outcome: 'answered' },
        { toolName: 'fails', outcome: 'error' },
        { toolName: 'forbidden', outcome: 'refused', message: 'It is not allowed here.' },
      ],
    });
    await widget.close();
  });

  test('in the older dialect finds window.openai at its first script', async () => {
    const html = `<!doctype html><body><p></p><script>
      const { toolInput, toolOutput, toolResponseMetadata, theme } = window.openai;
      const out = document.querySelector('p'); const show = (text) => { out.textContent += text + ' '; };
      addEventListener('openai:set_globals', ({ detail }) => { if (detail.globals.widgetState) show('state' + detail.globals.widgetState.a); });
      show(toolInput.book + toolOutput.title + toolResponseMetadata.price + theme);
      (async () => {
        await openai.setWidgetState({ a: 1 });
        show((await openai.callTool('buy', { book: 7 })).result);
        await openai.sendFollowUpMessage({ prompt: 'More?' });
        openai.openExternal({ href: 'https://example.com/' });
        show((await openai.requestDisplayMode({ mode: 'fullscreen' })).mode);
      })();</script>`;
    const result = { content: [], structuredContent: { title: 'Emma' }, _meta: { price: 9 } };
    const widget = await showWidget(
      renderer,
      { html, dialect: 'openai', input: { book: 7 }, result },
      {
        callTool: async () => ({ content: [{ type: 'text', text: 'sold' }] }),
        readResource: async () => ({}),
      },
    );
    expect(widget.rendering.status).toBe('rendered');
    await holds(widget, { kind: 'textVisible', toolName, text: '7Emma9light state1 sold inline' });
    expect(await widget.activity()).toMatchObject({
      messages: ['More?'],
      links: ['https://example.com/'],
      calls: [{ toolName: 'buy', arguments: { book: 7 }, outcome: 'answered' }],
    });
    await widget.close();
  });

  test.each([
    ['never says that it is ready', '<p>Hi</p><script>lost()</script>', 'bridge_timeout', 'lost'],
    ['shows nothing', appDocument('<p style="color:#fff">Hi</p>'), 'blank_screenshot', 'nothing'],
  ])('one that %s is told so', async (_, html, status, words) => {
    const widget = await showWidget(renderer, { html, withinMs: 800 });
    expect(widget.rendering).toEqual({ status, message: expect.stringContaining(words) });
    await widget.close();
  });
});

async function withExample(
  name: string,
  use: (widget: OpenWidget) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const program = `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
  const args = [program, '--stdio'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  );
  try {
    const { tools } = await client.listTools();
    const tool = tools.find((one) => widgetOfTool(one) !== undefined);
    if (tool === undefined) throw new Error('No tool names a widget.');
    const uri = widgetOfTool(tool) ?? '';
    const read = readWidgetResource(uri, await client.readResource({ uri }));
    if ('problem' in read) throw new Error(read.problem);
    const call = async (tool: string, input: Json) =>
      (await client.callTool({ name: tool, arguments: { ...input } })) as Json;
    const result = await call(tool.name, {});
    const widget = await showWidget(
      renderer,
      { ...read, tool, result, withinMs: 10_000 },
      { callTool: call, readResource: async (uri) => client.readResource({ uri }) },
    );
    await use(widget);
    await widget.close();
  } finally {
    await client.close();
  }
}

async function does(widget: OpenWidget, action: Parameters<OpenWidget['act']>[0]): Promise<void> {
  expect(await widget.act(action), JSON.stringify(action)).toEqual({ ok: true });
}

async function holds(widget: OpenWidget, asked: Parameters<OpenWidget['ask']>[0]): Promise<void> {
  expect(await widget.ask(asked), JSON.stringify(asked)).toEqual({ ok: true });
}
