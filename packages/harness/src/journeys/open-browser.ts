import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';
import { forgetOpenPage, keepOpenPage } from '../open-pages.ts';

export interface SilentConnections {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
  readonly foreign: string[];
  readonly refused: string[];
}

/**
 * Starting a browser takes as much CPU as a short journey, so all files of a process share one in
 * turn.
 */
let shared: Promise<Browser> | undefined;

/** Opens the shared browser. Each file must close the pages that it opened. */
export function openBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['PROOFMARK_CHROMIUM'];
  if (executablePath === undefined) throw new Error('No browser was found; npm test provides one.');
  const browser = await chromium.launch({
    executablePath,
    handleSIGTERM: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages are open too briefly for JavaScript optimisation or the back/forward cache to pay
      // off.
      '--js-flags=--no-opt',
      '--disable-back-forward-cache',
    ],
  });
  const end = browser.close.bind(browser);
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  browser.once('disconnected', () => {
    shared = undefined;
  });
  // The processes of tests are ended with this signal.
  process.once('SIGTERM', () => void end().finally(() => process.exit()));
  return browser;
}

export async function watchedPage(
  browser: Browser,
  serviceUrl: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<SilentConnections> {
  // Without animations: colours in transition are not readable yet, and without a graphics card,
  // animations take most of a browser's CPU.
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  // A busy machine may take half a minute for a page.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  const refused: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Chromium's console also reports failed requests such as a 401, which are no error of the
    // page.
    const expected = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  keepOpenPage(page, async () => {
    const shown = await page.locator('body').innerText({ timeout: 2000 }).catch(String);
    // Only the path is printed: the rest of the address may be the token of a one-time link.
    const { pathname } = new URL(page.url());
    return [`Open at ${pathname}:`, shown.slice(0, 1500), ...complaints].join('\n');
  });
  page.once('close', () => forgetOpenPage(page));
  context.on('request', (request) => {
    if (!request.url().startsWith(serviceUrl) && !request.url().startsWith('data:')) {
      foreign.push(request.url());
    }
  });
  // Failed requests are recorded, so that a test that waits in vain for a page can print them.
  context.on('response', (response) => {
    if (response.status() >= 400) refused.push(new URL(response.url()).pathname);
    if ([500, 503].includes(response.status())) void reportResponse(response);
  });
  return { page, context, complaints, foreign, refused };
}

async function reportResponse(response: Response): Promise<void> {
  const body = await response.text().catch(() => '');
  console.warn(`${response.request().method()} ${response.url()}: ${response.status()} ${body}`);
}

export type Look = readonly [colorScheme: 'light' | 'dark', width: number];

/**
 * Returns the widths and themes in which the open page is wider than its window. The page is not
 * loaded again for each width, since it adapts to the window. Themes differ only in colours, so one
 * theme per width is enough.
 */
export async function sidewaysIn(page: Page, looks: readonly Look[]): Promise<string[]> {
  const wider: string[] = [];
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 740 });
    const overflow = await tooWideBy(page);
    if (overflow !== 0) wider.push(`${page.url()} in ${colorScheme} at ${width}: ${overflow}`);
  }
  return wider;
}

export function tooWideBy(page: Page): Promise<number> {
  return page.evaluate<number>(`Math.max(
    document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('article')].map((part) => part.scrollWidth - part.clientWidth),
  )`);
}
