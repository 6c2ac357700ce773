/** Chromium for the console's journeys, watched: what it complains about and where it goes. */
import { forgetOpenPage, keepOpenPage } from '@proofmark/harness/open-pages.ts';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';

export interface SilentConnections {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of pages and refusals of the content policy. */
  readonly complaints: string[];
  /** Requests to anywhere but the service. */
  readonly foreign: string[];
  /** Paths of what was answered with an error, which the browser's console tells of. */
  readonly refused: string[];
}

/** Starting one takes as much CPU as a short journey, so the files of a process share it, one after the other. */
let shared: Promise<Browser> | undefined;

/** To be closed by each file, which leaves nothing of what it opened. */
export function openBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['PROOFMARK_CHROMIUM'];
  if (executablePath === undefined) throw new Error('No browser was found; npm test brings one.');
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
      // Pages are open for too short to be worth compiling further, or keeping for who might come back to them.
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
  // This is how the processes of tests are ended.
  process.once('SIGTERM', () => void end().finally(() => process.exit()));
  return browser;
}

export async function watchedPage(
  browser: Browser,
  serviceUrl: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<SilentConnections> {
  // Colours that still change cannot be read yet; without a graphics card, moving parts take most of a browser's CPU.
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  // A machine that does other work too may take half a minute for a page.
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  const refused: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // An answer like 401 is a line in Chromium's console too; it is no fault of the page.
    const expected = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  keepOpenPage(page, async () => {
    const shown = await page.locator('body').innerText({ timeout: 2000 }).catch(String);
    // What follows the path may be the token of a one-time link.
    const { pathname } = new URL(page.url());
    return [`Open at ${pathname}:`, shown.slice(0, 1500), ...complaints].join('\n');
  });
  page.once('close', () => forgetOpenPage(page));
  context.on('request', (request) => {
    if (!request.url().startsWith(serviceUrl) && !request.url().startsWith('data:')) {
      foreign.push(request.url());
    }
  });
  // A journey that waits in vain for a page says here what the service could not do.
  context.on('response', (response) => {
    if (response.status() >= 400) refused.push(new URL(response.url()).pathname);
    if ([500, 503].includes(response.status())) void tell(response);
  });
  return { page, context, complaints, foreign, refused };
}

async function tell(response: Response): Promise<void> {
  const said = await response.text().catch(() => '');
  console.warn(`${response.request().method()} ${response.url()}: ${response.status()} ${said}`);
}

export type Look = readonly [colorScheme: 'light' | 'dark', width: number];

/**
 * The looks in which the page that is open is wider than its window. It is loaded once: it follows its window. Themes differ
 * in colours alone, so each width needs one of them.
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

/** How much wider than its window the page that is open is, or what is cut off at the edge of a part of it. */
export function tooWideBy(page: Page): Promise<number> {
  return page.evaluate<number>(`Math.max(
    document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll('article')].map((part) => part.scrollWidth - part.clientWidth),
  )`);
}
