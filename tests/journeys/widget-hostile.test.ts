/**
 * Malicious widgets must not send data out of the browser, stop the renderer, or leave processes
 * and files behind.
 */
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appDocument, showWidget, startRenderer, unlessLost } from './widget-stage.ts';

const renderer = startRenderer({ answerMs: 1000 });
/** A renderer with the time limits of a real service, for tests whose pages respond. */
const patient = startRenderer({ answerMs: 5000 });
const canary = { connections: 0, packets: 0 };
let tcp: Server;
let udp: Socket;
let port = 0;
/**
 * WebRTC skips the loopback interface. The listeners that detect leaks are therefore at an external
 * address of this machine, if there is one.
 */
const outside =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

beforeAll(async () => {
  tcp = createServer((socket) => {
    canary.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, '0.0.0.0', resolve));
  port = (tcp.address() as { port: number }).port;
  udp = createSocket('udp4').on('message', () => {
    canary.packets += 1;
  });
  await new Promise<void>((resolve) => udp.bind(port, '0.0.0.0', resolve));
});

afterAll(async () => {
  await renderer.close();
  await patient.close();
  tcp.close();
  udp.close();
});

type Attack = (at: string, port: number) => readonly [body: string, script?: string];

const attacks: Readonly<Record<string, { attack: Attack; refused?: readonly string[] }>> = {
  dialogs: {
    attack: () => ['', `alert('x'); confirm('y'); prompt('z');`],
    refused: ['dialog', 'dialog', 'dialog'],
  },
  'navigation of itself': {
    attack: (at) => ['', `setTimeout(() => { location.href = '${at}/self'; }, 50);`],
    refused: ['navigation'],
  },
  'navigation of the page around it': {
    attack: (at) => [
      '',
      `for (const one of [top, parent]) try { one.location.href = '${at}/top'; } catch {}`,
    ],
  },
  'meta refresh': {
    attack: (at) => [`<meta http-equiv=refresh content="0;url=${at}/refresh">`],
    refused: ['navigation'],
  },
  'framing out': {
    attack: (at) => [
      `<iframe src="${at}/frame"></iframe><object data="${at}/object"></object><embed src="${at}/embed">
       <iframe srcdoc="<script>fetch('${at}/srcdoc'); location.href='${at}/inner'</script>"></iframe>`,
    ],
  },
  'requests of every kind': {
    attack: (at) => [
      `<img src="${at}/img"><link rel=stylesheet href="${at}/link"><script src="${at}/script"></script><video src="${at}/video"></video>
       <style>@import url("${at}/css"); @font-face { font-family: x; src: url("${at}/font") } p { font-family: x; background: url("${at}/bg") }</style>`,
      `fetch('${at}/fetch', { mode: 'no-cors' }).catch(() => 0); navigator.sendBeacon('${at}/beacon'); import('${at}/module').catch(() => 0);
       const xhr = new XMLHttpRequest(); xhr.open('POST', '${at}/xhr'); xhr.send('x'); new EventSource('${at}/events');
       for (const source of ["fetch('${at}/worker')", "importScripts('${at}/imported')", "new WebSocket('${at}/socket'.replace('http','ws'))"])
         try { new Worker(URL.createObjectURL(new Blob([source]))); } catch {}`,
    ],
    refused: ['request'],
  },
  'a web socket': {
    attack: (at) => ['', `new WebSocket('${at.replace('http', 'ws')}/socket');`],
    refused: ['webSocket'],
  },
  WebRTC: {
    attack: (_, where) => [
      '<iframe></iframe>',
      `for (const peers of [() => window.RTCPeerConnection, () => frames[0].RTCPeerConnection, () => window.webkitRTCPeerConnection]) try {
         const peer = new (peers())({ iceServers: [{ urls: 'stun:${outside}:${where}' }, { urls: 'turn:${outside}:${where}?transport=tcp', username: 'a', credential: 'b' }, { urls: 'turn:${outside}:${where}?transport=udp', username: 'a', credential: 'b' }] });
         peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
       } catch {}
       try { new WebTransport('https://${outside}:${where}/'); } catch {}`,
    ],
  },
  'what is fetched ahead': {
    attack: (at) => [
      [
        'prefetch',
        'preconnect',
        'preload',
        'modulepreload',
        'prerender',
        'dns-prefetch',
        'icon',
        'manifest',
      ]
        .map((rel) => `<link rel=${rel} as=script href="${at}/${rel}">`)
        .join('') +
        `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${at}/ahead"]}],"prerender":[{"source":"list","urls":["${at}/ahead2"]}]}</script>`,
    ],
  },
  downloads: {
    attack: (at) => [
      `<a download href="${at}/file">a</a><a download href="data:text/plain,x">b</a>`,
      `for (const link of document.querySelectorAll('a')) link.click();`,
    ],
    refused: ['download', 'download'],
  },
  'pop-ups': {
    attack: (at) => [
      `<a target=_blank href="${at}/blank">x</a>`,
      `window.open('${at}/open'); document.querySelector('a').click();`,
    ],
    refused: ['popup', 'popup'],
  },
  forms: {
    attack: (at) => [
      ['_top', '_blank', '_self']
        .map((to) => `<form action="${at}/form" method=post target=${to}></form>`)
        .join(''),
      `for (const form of document.forms) try { form.submit(); } catch {}`,
    ],
  },
};

describe('nothing leaves the browser by', () => {
  async function leavesNothing(given: readonly (typeof attacks)[string][]): Promise<void> {
    const parts = given.map(({ attack }) => attack(`http://127.0.0.1:${port}`, port));
    const body = parts.map(([markup]) => markup).join('');
    const script = parts.map(([, code = '']) => `{ ${code} }`).join('\n');
    const refused = given.flatMap((one) => one.refused ?? []);
    const html = appDocument(`<p>Still here</p>${body}`, script);
    const widget = await showWidget(patient, { html, withinMs: 20_000 });
    expect(widget.rendering).toMatchObject({ status: 'rendered' });
    expect(await widget.act({ kind: 'wait', ms: 300 })).toEqual({ ok: true });
    const asked = { kind: 'textVisible', toolName: 'show', text: 'Still here' } as const;
    expect(await widget.ask(asked)).toEqual({ ok: true });
    const seen = (await widget.activity()).refused.map(({ what }) => what);
    for (const what of new Set(refused)) {
      const count = refused.filter((one) => one === what).length;
      expect(seen.filter((one) => one === what).length, what).toBeGreaterThanOrEqual(count);
    }
    await widget.close();
    expect(canary).toEqual({ connections: 0, packets: 0 });
  }

  // Attacks that would remove the document run only one by one. All other attacks also run
  // together.
  const isAlone = (name: string) => /navigation|refresh|framing/.test(name);
  const [alone, others] = [true, false].map((wanted) =>
    Object.entries(attacks).filter(([name]) => isAlone(name) === wanted),
  ) as [[string, (typeof attacks)[string]][], [string, (typeof attacks)[string]][]];
  const options = { timeout: 300_000 };
  test.each(alone)('%s', options, (_, attack) => unlessLost(() => leavesNothing([attack])));
  test('all others at once', options, () =>
    unlessLost(() => leavesNothing(others.map(([, attack]) => attack))),
  );
  test.each(others)('%s alone', options, (_, attack) => unlessLost(() => leavesNothing([attack])));
});

test('a canary is heard when somebody does reach it', async () => {
  await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  const sender = createSocket('udp4');
  await new Promise((resolve) => sender.send('x', port, '127.0.0.1', resolve));
  await expect.poll(() => canary).toEqual({ connections: 1, packets: 1 });
  sender.close();
  Object.assign(canary, { connections: 0, packets: 0 });
});

test('a flood is dropped and counted, and what comes after it is heard', async () => {
  const html = appDocument(
    '<button>Link</button>',
    `for (let n = 0; n < 2000; n += 1) notify('ui/notifications/size-changed', { height: 300 + (n % 500) });
     document.querySelector('button').onclick = () => request('ui/open-link', { url: 'https://example.com/' });`,
  );
  const widget = await showWidget(renderer, { html, withinMs: 8000 });
  expect(widget.rendering).toMatchObject({ status: 'rendered' });
  await widget.act({ kind: 'click', target: { text: 'Link' } });
  await expect.poll(async () => (await widget.activity()).links).toEqual(['https://example.com/']);
  expect((await widget.activity()).dropped['postedMessages']).toBeGreaterThan(0);
  await widget.close();
});

test('what is said on the console is kept within bounds', async () => {
  const html = appDocument(
    '<p>Hi</p>',
    `for (let n = 0; n < 300; n += 1) console.error('x'.repeat(5000));`,
  );
  const widget = await showWidget(renderer, { html });
  await expect.poll(async () => (await widget.activity()).dropped['consoleLines']).toBe(100);
  const { consoleLines } = await widget.activity();
  expect(consoleLines).toHaveLength(200);
  expect(consoleLines[0]).toMatchObject({
    level: 'error',
    text: expect.stringMatching(/^x{999}…$/),
  });
  await widget.close();
});

test('calls beyond the most do not reach the service', async () => {
  let calls = 0;
  const host = {
    callTool: async () => {
      calls += 1;
      return { content: [] };
    },
    readResource: async () => ({}),
  };
  const script = `for (let n = 0; n < 400; n += 1) request('tools/call', { name: 'buy', arguments: {} }).catch(() => 0);`;
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) }, host);
  await expect
    .poll(async () => (await widget.activity()).dropped)
    .toEqual({ calls: 100, postedMessages: 200 });
  expect(calls).toBe(100);
  await widget.close();
});

test('an axe of its own says nothing that cannot be told', async () => {
  const script = `window.axe = { run: async () => ({ violations: [{ id: 7, impact: 'odd', help: null, nodes: { length: -1.5 } }] }) };`;
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
  const expected = { rule: '7', impact: 'minor', help: 'null', elements: 0 };
  expect(await widget.accessibility()).toEqual([expected]);
  await widget.close();
});

test('a widget may load itself anew, and is asked again then', async () => {
  const script = `if (window.name === '') { window.name = 'again'; setTimeout(() => location.reload(), 30); } else { document.querySelector('p').textContent = 'Anew'; }`;
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
  const asked = { kind: 'textVisible', toolName: 'show', text: 'Anew' } as const;
  expect(await widget.ask(asked)).toEqual({ ok: true });
  await widget.close();
});

test('storage is refused, and the next widget finds nothing', async () => {
  const html = appDocument(
    '<p></p>',
    `const out = document.querySelector('p'); const show = (text) => { out.textContent += text + ' '; };
     const tries = { local: () => { localStorage.a = 1; }, session: () => { sessionStorage.a = 1; }, cookie: () => { document.cookie = 'a=b'; if (document.cookie === '') throw 0; },
       database: () => { indexedDB.open('x'); }, caches: () => { if (!window.caches) throw 0; return caches.open('x'); }, worker: () => { if (!navigator.serviceWorker) throw 0; return navigator.serviceWorker.register('/sw.js'); } };
     (async () => { for (const [name, work] of Object.entries(tries)) await Promise.resolve().then(work).then(() => show(name + ' kept'), () => show(name + ' refused')); show('end'); })();`,
  );
  for (let time = 0; time < 2; time += 1) {
    const widget = await showWidget(renderer, { html });
    const all =
      'local refused session refused cookie refused database refused caches refused worker refused end';
    expect(await widget.ask({ kind: 'textVisible', toolName: 'show', text: all })).toEqual({
      ok: true,
    });
    await widget.close();
  }
});

describe('a widget that takes its page down, each time it is shown, is render_error', () => {
  async function takesItsPageDown(html: string, words: string): Promise<void> {
    const widget = await showWidget(renderer, { html, withinMs: 1000 });
    expect(widget.rendering).toEqual({
      status: 'render_error',
      message: expect.stringContaining(words),
    });
    expect(widget.rendering.message).toContain('and failed again when it was shown alone');
    expect(await widget.picture()).toBeUndefined();
    expect(await widget.accessibility()).toEqual([]);
    expect(await widget.act({ kind: 'key', key: 'a' })).toMatchObject({ ok: false, broken: true });
    await widget.close();
  }

  test('an endless loop at once', () =>
    unlessLost(() => takesItsPageDown('<script>for (;;) {}</script>', 'stopped answering')));

  test('too much memory', () => {
    const script = `const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));`;
    return unlessLost(() => takesItsPageDown(appDocument('<p>Hi</p>', script), 'crashed'));
  });

  test('an endless loop after a click, whose calls are not made again', () =>
    unlessLost(clickWithoutEnd));

  async function clickWithoutEnd(): Promise<void> {
    const calls: string[] = [];
    const html = appDocument(
      '<button>Go</button>',
      `document.querySelector('button').onclick = async () => { await request('tools/call', { name: 'buy', arguments: {} }); for (;;) {} };`,
    );
    const host = {
      callTool: async (name: string) => {
        calls.push(name);
        return { content: [] };
      },
      readResource: async () => ({}),
    };
    const widget = await showWidget(renderer, { html, withinMs: 1500 }, host);
    expect(widget.rendering.status).toBe('rendered');
    const click = { kind: 'click', target: { text: 'Go' } } as const;
    const answers = [await widget.act(click), await widget.act({ kind: 'wait', ms: 200 })];
    expect(answers.at(-1)).toMatchObject({ ok: false, broken: true });
    expect(calls).toEqual(['buy']);
    await widget.close();
  }

  test.each([
    ['10 MB of text', `document.querySelector('p').title = 'x'.repeat(11e6);`, 'characters'],
    [
      'another document',
      `setTimeout(() => { location.href = 'data:text/html,gone'; }, 20);`,
      'left its own document',
    ],
  ])('%s: at once, with the reason', async (_, script, words) => {
    const widget = await showWidget(renderer, {
      html: appDocument('<p>Hi</p>', script),
      withinMs: 1500,
    });
    const answer =
      widget.rendering.status === 'rendered'
        ? await widget.act({ kind: 'wait', ms: 300 })
        : { reason: widget.rendering.message };
    expect(answer).toMatchObject({ reason: expect.stringContaining(words) });
    await widget.close();
  });
});

test('after all of that the next widget is shown as ever', async () => {
  const widget = await showWidget(renderer, { html: appDocument('<p>Fine</p>') });
  expect(widget.rendering.status).toBe('rendered');
  await widget.close();
  expect(canary).toEqual({ connections: 0, packets: 0 });
});
