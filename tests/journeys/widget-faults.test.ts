/** A browser of ours that fails is told as lost and never held against the widget; nothing outlives the renderer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { WidgetOrigins } from '@proofmark/domain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../packages/server/src/browser/find-chromium.ts';
import {
  BrowserLost,
  type WidgetRenderer,
} from '../../packages/server/src/browser/widget-renderer.ts';
import {
  appDocument,
  processesBelow,
  showWidget,
  startRenderer,
  theBrowser,
  theRoom,
} from './widget-stage.ts';

const html = appDocument('<p>Hi</p><button>Go</button>');
const click = { kind: 'click', target: { text: 'Go' } } as const;
const renderers: WidgetRenderer[] = [];
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('set-cookie', 'a=b');
    response.end('told');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});

afterEach(async () => {
  for (const renderer of renderers.splice(0)) await renderer.close();
  await expect.poll(rooms).toEqual([]);
});

afterAll(() => void server.close());

test('without a browser it is said how to get one', async () => {
  const environment = { PATH: '/nowhere', PLAYWRIGHT_BROWSERS_PATH: '/nowhere' };
  expect(findChromium('off', environment)).toEqual({ missing: expect.stringContaining('is off') });
  const wrong = findChromium('/nowhere/chromium', environment);
  expect(wrong).toEqual({ missing: expect.stringContaining('/nowhere/chromium') });
  expect(findChromium(process.execPath, environment)).toEqual({ path: process.execPath });
  const renderer = started({ chromium: wrong });
  await expect(showWidget(renderer, { html })).rejects.toThrow('correct or unset it');
  expect(theRoom()).toBeUndefined();
});

test('a program that is no browser is lost, and nothing of it stays', async () => {
  const renderer = started({ chromium: { path: '/bin/false' } });
  const showing = showWidget(renderer, { html });
  await expect(showing).rejects.toThrow('The browser could not be started');
  await expect(showing).rejects.toBeInstanceOf(BrowserLost);
});

test.each([
  ['browser', theBrowser],
  ['room', theRoom],
])('a %s that is killed once is lost, and the next widget is shown', async (_, find) => {
  const renderer = started();
  expect(theRoom()).toBeUndefined();
  const widget = await showWidget(renderer, { html });
  expect(await widget.act(click)).toEqual({ ok: true });
  process.kill(find()?.pid ?? 0, 'SIGKILL');
  await expect(widget.act(click)).rejects.toBeInstanceOf(BrowserLost);
  await expect(widget.picture()).rejects.toBeInstanceOf(BrowserLost);
  await widget.close();
  const next = await showWidget(renderer, { html });
  expect(next.rendering.status).toBe('rendered');
  await next.close();
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

test('a picture that cannot be taken is lost as screenshot_failed', async () => {
  const renderer = started();
  const widget = await showWidget(renderer, { html });
  await widget.act(click);
  process.kill(theBrowser()?.pid ?? 0, 'SIGKILL');
  await expect(widget.picture()).rejects.toMatchObject({ status: 'screenshot_failed' });
  await widget.close();
});

test('a widget that is late beside others is asked again alone', async () => {
  const renderer = started();
  const other = await showWidget(renderer, { html });
  // Ready only where it is shown for the second time: the origin of the first counts the times.
  let times = 0;
  const counting = createServer((_, response) => {
    times += 1;
    response.setHeader('access-control-allow-origin', '*');
    response.end(times > 1 ? 'ready' : 'late');
  });
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(counting.address() as { port: number }).port}`;
  const late = appDocument('<p>Hi</p>').replace(
    'request(',
    `fetch('${at}').then(async (answer) => { if ((await answer.text()) !== 'ready') await new Promise(() => {}); }).then(() => request(`,
  );
  const widget = { html: late.replace('appCapabilities: {} })', 'appCapabilities: {} }))') };
  const origins = { connect: [at], resource: [] };
  const showing = showWidget(renderer, { ...widget, origins, withinMs: 1200 });
  await expect(showing).rejects.toBeInstanceOf(BrowserLost);
  expect(times).toBe(2);
  await other.close();
  counting.close();
});

test('what is declared is fetched through the egress guard, without cookies, and nothing else', async () => {
  const script = `fetch('${origin}/a').then((answer) => answer.text()).then((text) => { document.querySelector('p').textContent += ' ' + text; }, () => { document.querySelector('p').textContent += ' refused'; });`;
  const page = appDocument('<p>Hi</p>', script);
  const origins: WidgetOrigins = { connect: [origin], resource: [] };
  const shown = async (allowLoopback: boolean, declared: WidgetOrigins) => {
    const egress = { allowLoopback, allowedPrivateHosts: [] };
    const widget = await showWidget(started({ egress }), { html: page, origins: declared });
    const text = allowLoopback && declared === origins ? 'Hi told' : 'Hi refused';
    const answer = await widget.ask({ kind: 'textVisible', toolName: 'show', text });
    const { refused } = await widget.trail();
    await widget.close();
    return { ...answer, refused: refused.length };
  };
  expect(await shown(true, origins)).toEqual({ ok: true, refused: 0 });
  expect(await shown(false, origins)).toEqual({ ok: true, refused: 1 });
  expect(await shown(true, { connect: [], resource: [origin] })).toEqual({ ok: true, refused: 1 });
});

test('a widget that is given up is closed, and its place is free', async () => {
  const renderer = started({ atOnce: 1 });
  const giveUp = new AbortController();
  const never = showWidget(renderer, { html: '<p>Hi</p>' }, undefined, giveUp.signal);
  setTimeout(() => giveUp.abort(new Error('Nobody waits.')), 1500);
  await expect(never).rejects.toThrow('Nobody waits.');
  const widget = await showWidget(renderer, { html });
  expect(widget.rendering.status).toBe('rendered');
  await widget.close();
});

test('a browser that nobody uses ends by itself', async () => {
  const renderer = started({ idleMs: 100 });
  const widget = await showWidget(renderer, { html });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(theRoom()).toBeDefined();
  await widget.close();
  await expect.poll(theRoom).toBeUndefined();
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
  const { room } = JSON.parse(String(line)) as { room: number };
  const below = processesBelow(service.pid);
  expect(below.length).toBeGreaterThan(2);
  expect(processesBelow(room).length).toBeGreaterThan(0);
  for (const { pid } of processesBelow(room).concat({ pid: room, parent: 0, command: '' })) {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('PROOFMARK_');
  }
  service.kill('SIGKILL');
  await once(service, 'close');
  await expect.poll(() => below.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
  await expect.poll(rooms).toEqual(before);
});

function started(options: Parameters<typeof startRenderer>[0] = {}): WidgetRenderer {
  const renderer = startRenderer({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    ...options,
  });
  renderers.push(renderer);
  return renderer;
}

/** The folders of rooms, each gone with its room. */
function rooms(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('proofmark-room-'));
}
