// The program of the process that runs one browser and its pages. The process ends with the
// browser, with the service, or on request; when it ends, the browser ends too. It gets none of the
// service's settings and has no network access.
import { rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { type Browser, chromium } from 'playwright-core';
import { isBrowserFolder } from './browser-folders.ts';
import type {
  BrowserOrder,
  BrowserSettings,
  FromBrowserProcess,
  HostReply,
  ToBrowserProcess,
} from './browser-messages.ts';
import { BrowserWatch } from './browser-watch.ts';
import { PageFailure } from './page-failure.ts';
import { WidgetPage } from './widget-page.ts';

const noWayOut = [
  // Every request that the service does not intercept goes to a proxy that does not exist, and
  // fails. Name lookups fail too.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
];
const quiet = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const contained = ['--site-per-process', '--js-flags=--max-old-space-size=256'];

const settings = JSON.parse(process.argv.at(-1) ?? '{}') as BrowserSettings;
const pages = new Map<number, { readonly page: WidgetPage; endWatch(): void }>();
const watch = new BrowserWatch(settings.memoryBytes);
const around = {
  answerMs: settings.answerMs,
  whyDown: () => watch.whyDown(),
  time: () => watch.time(),
};
const waiting = new Map<number, (reply: HostReply) => void>();
let lastRequest = 0;

process.once('exit', removeFolder);
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
// An unhandled error in the browser library must not end the process, because other widgets' pages
// are open in it.
process.on('unhandledRejection', () => undefined);

void start().then((browser) => {
  // The library has registered an `exit` listener that ends the browser. `removeFolder` is
  // registered again, so that it runs after that listener and nothing writes to the folder any
  // more.
  process.off('exit', removeFolder).once('exit', removeFolder);
  if (browser === undefined) return;
  browser.once('disconnected', () => {
    send({ type: 'gone', sentence: watch.whyDown() ?? 'The browser stopped unexpectedly.' });
    for (const { page } of pages.values()) page.browserGone();
    setTimeout(() => process.exit(1), 100);
  });
  process.on('message', (message: ToBrowserProcess) => {
    if (message.type === 'reply') {
      waiting.get(message.id)?.(message.reply);
      waiting.delete(message.id);
    } else {
      void obey(browser, message);
    }
  });
  send({
    type: 'started',
    version: browser.version(),
    sandboxed: watch.isSandboxed,
    user: settings.way.user?.name ?? ownName(),
    memoryBounded: watch.isMeasured,
  });
});

/**
 * Switches permanently to the browser's user. Every file that is read afterwards must be readable
 * for that user.
 */
async function becomeOther(): Promise<void> {
  const { user } = settings.way;
  if (user === undefined) return;
  // The module is loaded first, because the other user may have no access to the service's folder.
  await import('./page-accessibility.ts');
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

async function start(): Promise<Browser | undefined> {
  try {
    await becomeOther();
    return await chromium.launch({
      executablePath: settings.chromium,
      handleSIGTERM: false,
      handleSIGINT: false,
      handleSIGHUP: false,
      chromiumSandbox: settings.way.hasSandbox,
      args: [...noWayOut, ...quiet, ...contained],
    });
  } catch (error) {
    const message = (error as Error).message
      .split('\n')
      .find((line) => /fatal|sandbox|spawn|EACCES|denied/i.test(line));
    send({
      type: 'notStarted',
      sentence: `The browser could not be started: ${plainly(message)}.`,
    });
    return undefined;
  }
}

async function obey(
  browser: Browser,
  { id, page, order }: Extract<ToBrowserProcess, { type: 'order' }>,
): Promise<void> {
  const endWatch = watch.keep();
  const timeOf = watch.time();
  try {
    const value = await answerTo(browser, page, order);
    send({ type: 'answer', id, value, time: timeOf() });
  } catch (error) {
    const down =
      error instanceof PageFailure
        ? error
        : new PageFailure(`The browser process failed: ${String(error).slice(0, 300)}`);
    const { isOurs, hasEnded } = down;
    send({ type: 'down', id, sentence: down.message, isOurs, hasEnded, time: timeOf() });
  } finally {
    endWatch();
  }
}

async function answerTo(browser: Browser, number: number, order: BrowserOrder): Promise<unknown> {
  if (order.kind === 'open') {
    const opened = new WidgetPage(
      order.widget,
      {
        ask: (request) => {
          lastRequest += 1;
          const id = lastRequest;
          send({ type: 'request', id, page: number, request });
          return new Promise((resolve, reject) => {
            waiting.set(id, (reply) =>
              'refusal' in reply ? reject(new Error(reply.refusal)) : resolve(reply.value),
            );
          });
        },
        report: (seen) => send({ type: 'seen', page: number, seen }),
      },
      around,
    );
    pages.set(number, { page: opened, endWatch: watch.keep() });
    return opened.open(browser, order.policy);
  }
  const found = pages.get(number);
  if (order.kind === 'close') {
    pages.delete(number);
    found?.endWatch();
    await found?.page.close();
    return true;
  }
  if (found === undefined) throw new PageFailure('The widget is no longer open.');
  const { page } = found;
  switch (order.kind) {
    case 'act':
      return page.act(order.action, order.withinMs);
    case 'ask':
      return page.ask(order.assertion, order.withinMs);
    case 'picture':
      return page.picture();
    case 'accessibility':
      return page.accessibility();
  }
}

function plainly(line = 'it ended at once'): string {
  const text = line.replace(/^.*?\[pid=\d+\]\[err\]\s*/, '').replace(/^.*\.cc:\d+\]\s*/, '');
  return text
    .trim()
    .slice(0, 300)
    .replace(/[.!]+$/, '');
}

function removeFolder(): void {
  const folder = tmpdir();
  if (isBrowserFolder(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function send(message: FromBrowserProcess): void {
  // If the service has ended, `process.send` would throw. The end is handled by the `disconnect`
  // listener.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
