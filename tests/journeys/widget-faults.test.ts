/**
 * If our own browser fails, the result must count as lost, and the widget must never be blamed. No
 * process may outlive the renderer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WidgetOrigins } from '@proofmark/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../packages/server/src/outside/browser/find-chromium.ts';
import {
  BrowserLost,
  type WidgetRenderer,
} from '../../packages/server/src/outside/browser/widget-renderer.ts';
import {
  appDocument,
  findBrowserProcess,
  noHost,
  processesBelow,
  showWidget,
  startRenderer,
  theBrowser,
} from './widget-stage.ts';

const html = appDocument('<p>Hi</p><button>Go</button>');
const click = { kind: 'click', target: { text: 'Go' } } as const;
const toLoopback = { allowLoopback: true, allowedPrivateHosts: [] };
const renderers: WidgetRenderer[] = [];
let server: Server;
let origin = '';
let times = 0;

const before = process.env['TMPDIR'];

beforeAll(async () => {
  // A separate temporary folder, since other tests start browsers at the same time.
  process.env['TMPDIR'] = mkdtempSync(path.join(tmpdir(), 'proofmark-faults-'));
  // The same mode as /tmp: if root runs the tests, the browser runs as another user, who must reach
  // its folder and remove it.
  chmodSync(tmpdir(), 0o1777);
  server = createServer(({ url }, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('set-cookie', 'a=b');
    if (url === '/times') times += 1;
    response.end(url === '/times' ? String(times) : 'told');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});

afterEach(() => {
  times = 0;
});

afterAll(() => {
  server.close();
  rmSync(tmpdir(), { recursive: true });
  // The variable is restored, since later test files share the process.
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
});

test('without a browser it is said how to get one', () => {
  const environment = { PATH: '/nowhere', PLAYWRIGHT_BROWSERS_PATH: '/nowhere' };
  expect(findChromium('off', environment)).toEqual({ missing: expect.stringContaining('is off') });
  expect(findChromium('/nowhere/chromium', environment)).toEqual({
    missing: expect.stringMatching(/\/nowhere\/chromium.*correct or unset it/),
  });
  expect(findChromium(process.execPath, environment)).toEqual({ path: process.execPath });
});

/**
 * A widget that becomes ready only after an answer from this origin. The origin counts the
 * requests.
 */
const readyAfter = (at: string, wait: string) =>
  html
    .replace(
      'request(',
      `fetch('${at}').then((answer) => answer.text()).then(${wait}).then(() => request(`,
    )
    .replace('appCapabilities: {} })', 'appCapabilities: {} }))');

/** Only some of these tests end the browser. The next test then gets a new one. */
describe('one renderer for all', () => {
  let shared: WidgetRenderer;
  beforeAll(() => {
    shared = startRenderer({ atOnce: 1, egress: toLoopback });
  });
  afterAll(() => shared.close());
  afterEach(() => expect.poll(() => rooms().length, { timeout: 60_000 }).toBeLessThan(2));

  test('has no browser before the first widget', async () => {
    expect(findBrowserProcess()).toBeUndefined();
    await (await showWidget(shared, { html })).close();
    expect(theBrowser()).toBeDefined();
  });

  test('what is declared is fetched through the egress guard, without cookies, and nothing else', async () => {
    const script = `fetch('${origin}/a').then((answer) => answer.text()).then((text) => { document.querySelector('p').textContent += ' ' + text; }, () => { document.querySelector('p').textContent += ' refused'; });`;
    const page = appDocument('<p>Hi</p>', script);
    const origins = own();
    const shown = async (allowLoopback: boolean, declared: WidgetOrigins) => {
      const egress = { allowLoopback, allowedPrivateHosts: [] };
      const using = allowLoopback ? shared : started({ egress });
      const sentences: string[] = [];
      const requestRefused = (sentence: string) => sentences.push(sentence);
      const host = { ...noHost, requestRefused };
      const widget = await showWidget(using, { html: page, origins: declared }, host);
      const text = allowLoopback && declared === origins ? 'Hi told' : 'Hi refused';
      const answer = await widget.ask({ kind: 'textVisible', toolName: 'show', text });
      const { refused } = await widget.activity();
      await widget.close();
      if (using !== shared) await using.close();
      return { ...answer, refused: refused.length, ofOurs: sentences.length };
    };
    expect(await shown(true, origins)).toEqual({ ok: true, refused: 0, ofOurs: 0 });
    expect(await shown(false, origins)).toEqual({ ok: true, refused: 1, ofOurs: 1 });
    const body = `{ method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) }`;
    const large = page.replace("/a')", `/a', ${body})`);
    const widget = await showWidget(shared, { html: large, origins });
    const asked = { kind: 'textVisible', toolName: 'show', text: 'Hi refused' } as const;
    expect(await widget.ask(asked)).toEqual({ ok: true });
    await widget.close();
    expect(await shown(true, { connect: [], resource: [origin] })).toEqual({
      ok: true,
      refused: 1,
      ofOurs: 0,
    });
  });

  test('what the browser takes before it has the widget is no time of the widget', async () => {
    await (await showWidget(shared, { html })).close();
    const browser = theBrowser()?.pid ?? 0;
    process.kill(browser, 'SIGSTOP');
    setTimeout(() => process.kill(browser, 'SIGCONT'), 2000);
    const widget = await showWidget(shared, { html, withinMs: 1500 });
    expect(widget.rendering).toMatchObject({ status: 'rendered' });
    expect(widget.rendering.elapsedMs).toBeLessThan(1500);
    await widget.close();
  });

  test('a server that is late with an answer is late with it the second time too', async () => {
    const waiting = html.replace(
      'request(',
      `request('tools/call', { name: 'slow', arguments: {} }).then(() => request(`,
    );
    const host = {
      callTool: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return { content: [] };
      },
      readResource: async () => ({}),
    };
    const page = waiting.replace('appCapabilities: {} })', 'appCapabilities: {} }))');
    const widget = await showWidget(shared, { html: page, withinMs: 1000 }, host);
    expect(widget.rendering.status).toBe('bridge_timeout');
    await widget.close();
  });

  test('a widget that is late once is asked again alone, and then the browser was lost', async () => {
    const late = readyAfter(`${origin}/times`, `(times) => times === '1' && new Promise(() => {})`);
    const showing = showWidget(shared, { html: late, origins: own(), withinMs: 1200 });
    await expect(showing).rejects.toBeInstanceOf(BrowserLost);
    expect(times).toBe(2);
  });

  test('a machine that is too slow for any widget says nothing of this one', async () => {
    const showing = showWidget(shared, { html: '<p>Never ready</p>', withinMs: 1 });
    await expect(showing).rejects.toThrow('too busy to show any widget');
  });

  test('a widget that is given up is closed, and its place is free', async () => {
    const giveUp = new AbortController();
    const never = showWidget(shared, { html: '<p>Hi</p>' }, undefined, giveUp.signal);
    setTimeout(() => giveUp.abort(new Error('Nobody waits.')), 1500);
    await expect(never).rejects.toThrow('Nobody waits.');
    const widget = await showWidget(shared, { html });
    expect(widget.rendering.status).toBe('rendered');
    await widget.close();
  });

  async function isLostOnce(find: typeof theBrowser): Promise<void> {
    const widget = await showWidget(shared, { html });
    expect(await widget.act(click)).toEqual({ ok: true });
    process.kill(find()?.pid ?? 0, 'SIGKILL');
    await expect(widget.act(click)).rejects.toBeInstanceOf(BrowserLost);
    await expect(widget.picture()).rejects.toBeInstanceOf(BrowserLost);
    await widget.close();
    const next = await showWidget(shared, { html });
    expect(next.rendering.status).toBe('rendered');
    await next.close();
  }
  test('a browser that is killed once is lost, and the next widget is shown', () =>
    isLostOnce(theBrowser));
  test('a room that is killed once is lost, and the next widget is shown', () =>
    isLostOnce(findBrowserProcess));

  test('a picture that cannot be taken is lost as screenshot_failed', async () => {
    const widget = await showWidget(shared, { html });
    await widget.act(click);
    process.kill(theBrowser()?.pid ?? 0, 'SIGKILL');
    await expect(widget.picture()).rejects.toMatchObject({ status: 'screenshot_failed' });
    await widget.close();
  });

  test('a room that is killed again during the second try is lost, too', async () => {
    const asking = appDocument('<button>Go</button>', `fetch('${origin}/times');`);
    const widget = await showWidget(shared, { html: asking, origins: own() });
    await expect.poll(() => times).toBe(1);
    process.kill(findBrowserProcess()?.pid ?? 0, 'SIGKILL');
    const acting = widget.act(click);
    acting.catch(() => undefined);
    // The widget is being rendered again, and will be observed for a while.
    await expect.poll(() => times, { interval: 10, timeout: 60_000 }).toBe(2);
    process.kill(findBrowserProcess()?.pid ?? 0, 'SIGKILL');
    await expect(acting).rejects.toBeInstanceOf(BrowserLost);
    await widget.close();
  });

  test('nothing of it stays once it is closed', async () => {
    await shared.close();
    await expect.poll(rooms, { timeout: 60_000 }).toEqual([]);
    expect(findBrowserProcess()).toBeUndefined();
  });
});

describe('a renderer of its own', () => {
  afterEach(async () => {
    for (const renderer of renderers.splice(0)) await renderer.close();
    await expect.poll(rooms, { timeout: 60_000 }).toEqual([]);
  });

  test('a program that is no browser is lost, and nothing of it stays', async () => {
    const renderer = started({ chromium: { path: '/bin/false' } });
    const showing = showWidget(renderer, { html });
    await expect(showing).rejects.toThrow('The browser could not be started');
    await expect(showing).rejects.toBeInstanceOf(BrowserLost);
  });

  test('a browser that stands still is lost while a widget is brought up', async () => {
    const renderer = started({ answerMs: 1000 });
    const first = await showWidget(renderer, { html });
    await first.close();
    const browser = theBrowser()?.pid ?? 0;
    process.kill(browser, 'SIGSTOP');
    try {
      await expect(showWidget(renderer, { html, withinMs: 1500 })).rejects.toBeInstanceOf(
        BrowserLost,
      );
    } finally {
      process.kill(browser, 'SIGKILL');
    }
  });

  test('a widget that breaks in another way the second time is not clean', async () => {
    const breaks = `(times) => { if (times === '1') for (;;) {} location.href = 'data:text/html,gone'; }`;
    const script = `document.querySelector('button').onclick = () => fetch('${origin}/times').then((answer) => answer.text()).then(${breaks});`;
    const page = appDocument('<button>Go</button>', script);
    const renderer = started({ answerMs: 1000 });
    const widget = await showWidget(renderer, { html: page, origins: own(), withinMs: 1500 });
    const answers = [await widget.act(click), await widget.act({ kind: 'wait', ms: 200 })];
    expect(answers.at(-1)).toMatchObject({ ok: false, broken: true });
    expect(answers.at(-1)).toMatchObject({
      reason: expect.stringContaining('left its own document'),
    });
    await widget.close();
  });

  test('a browser that nobody uses ends by itself', async () => {
    const renderer = started({ idleMs: 100 });
    const widget = await showWidget(renderer, { html });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(findBrowserProcess()).toBeDefined();
    await widget.close();
    await expect.poll(findBrowserProcess).toBeUndefined();
    const again = await showWidget(renderer, { html });
    expect(again.rendering.status).toBe('rendered');
    await again.close();
  });

  test('the browser ends with a service that is killed, and the room knows none of its settings', async () => {
    const before = rooms();
    const file = fileURLToPath(new URL('./widget-service.child.ts', import.meta.url));
    const chromium = process.env['PROOFMARK_CHROMIUM'] ?? '';
    const service = spawn(process.execPath, ['--import', 'tsx', file, chromium], {
      env: { ...process.env, PROOFMARK_SECRET_KEY: 'secret' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const { room: browserPid } = JSON.parse(String(line)) as { room: number };
    const below = processesBelow(service.pid);
    expect(below.length).toBeGreaterThan(2);
    expect(processesBelow(browserPid).length).toBeGreaterThan(0);
    for (const { pid } of processesBelow(browserPid).concat({
      pid: browserPid,
      parent: 0,
      command: '',
    })) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('PROOFMARK_');
    }
    service.kill('SIGKILL');
    await once(service, 'close');
    await expect.poll(() => below.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
    await expect.poll(rooms).toEqual(before);
  });
});

function own(): WidgetOrigins {
  return { connect: [origin], resource: [] };
}

function started(options: Parameters<typeof startRenderer>[0] = {}): WidgetRenderer {
  const renderer = startRenderer({ egress: toLoopback, ...options });
  renderers.push(renderer);
  return renderer;
}

function rooms(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('proofmark-room-'));
}
