/**
 * Walks the console as a new user: from the first page to a server, its suites, a broken tool, the
 * reason, a comparison and a quarantine; then, on a phone, to simulated users and a share link. Each
 * way takes at most 12 clicks, and the service refuses nothing on it.
 */
import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const mostClicks = 12;
const phone = { width: 390, height: 844 };
let workspace: SharedWorkspace;
let service: ServiceHere;
let shop: FakeMcpServer;
let isBroken = false;
let browser: Browser;
let watched: SilentConnections;
let page: Page;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  [shop, service] = await Promise.all([
    startShop(),
    workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' }),
  ]);
  for (const feature of ['swarms', 'user-testing']) {
    await workspace.admin('set-feature', 'My organization', feature, 'on');
  }
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.addInitScript(countClicks);
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await button('Not now').click();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await shop?.stop();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

/** A choice in a list counts as a click, since a person needs one for it. */
const countClicks = `
  for (const kind of ['click', 'change']) {
    addEventListener(kind, ({ isTrusted, target }) => {
      if (kind === 'click' && !isTrusted) return;
      if (kind === 'change' && !(target instanceof HTMLSelectElement)) return;
      sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
    }, true);
  }`;

async function startCounting(): Promise<void> {
  await page.evaluate("sessionStorage.setItem('clicks', '0')");
  watched.refused.length = 0;
}

async function expectShortWay(least: number): Promise<void> {
  const clicks = Number(await page.evaluate("sessionStorage.getItem('clicks')"));
  expect(clicks).toBeGreaterThanOrEqual(least);
  expect(clicks).toBeLessThanOrEqual(mostClicks);
  expect(watched.refused).toEqual([]);
  expect(watched.complaints).toEqual([]);
}

async function shoot(name: string): Promise<void> {
  const folder = process.env['PROOFMARK_PICTURES'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/walk-${name}.png`, fullPage: true });
}

function startShop(): Promise<FakeMcpServer> {
  const titled = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  const annotations = { readOnlyHint: true };
  const tools = [
    { name: 'find_book', description: 'Finds a book by its title.', inputSchema: titled },
    {
      name: 'opening_hours',
      description: 'Tells the opening hours of the shop.',
      inputSchema: { type: 'object', properties: {} },
    },
  ].map((tool) => ({ ...tool, annotations }));
  return startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': (response, request) => {
      const { name, arguments: given = {} } = request.message['params'] as {
        name: string;
        arguments?: { title?: unknown };
      };
      const isWrong = name === 'find_book' && typeof given.title !== 'string';
      const isLocked = isBroken && name === 'opening_hours';
      const isError = isLocked || isWrong;
      const answer = name === 'find_book' ? 'The Hobbit, 3 in stock' : 'Open from 9 to 18.';
      const text = isLocked
        ? 'The table of opening hours is locked.'
        : isWrong
          ? 'title must be a string'
          : answer;
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text }], isError }));
    },
  });
}

test('from the first page to a suite, a broken tool, its reason, a comparison and a quarantine', async () => {
  await startCounting();
  await link('Save your server').first().click();
  await field('Name').fill('Bookshop');
  await field('Address').fill(shop.url);
  await button('Add server').click();
  await button('Test it').click();
  for (const suite of ['Bookshop', 'Bookshop contract']) {
    await link(`Latest run of ${suite}: passed`).waitFor();
  }
  await shoot('tested');

  isBroken = true;
  await button('Run all').click();
  await link('Latest run of Bookshop: failed').click();
  await heading(/^failed/i).waitFor();
  await page.getByText('The table of opening hours is locked.').first().waitFor();
  await shoot('failed');
  await link('Compare with the run before').click();
  await page
    .getByRole('heading', { name: /^Got worse|^Failing now/ })
    .first()
    .waitFor();
  await button('Finds opening_hours').click();
  await page.getByText('First difference:').first().waitFor();
  await shoot('compared');
  await link('Run 2').first().click();
  await button('Quarantine…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Owner').fill('Mika');
  await dialog.getByLabel('Reason').fill('The table is locked until Monday');
  await dialog.getByRole('button', { name: 'Put into quarantine' }).click();
  const quarantine = page.getByRole('region', { name: 'Quarantine', exact: true });
  await quarantine.getByText('owner: Mika, 14 days left').waitFor();
  await shoot('quarantined');
  await expectShortWay(10);
}, 240_000);

test('on a phone: from the first page to simulated users and a share link', async () => {
  isBroken = false;
  await page.setViewportSize(phone);
  await page.goto(service.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await startCounting();
  await link('Default').first().click();
  const servers = page.getByRole('region', { name: 'Servers', exact: true });
  await servers.getByRole('link', { name: 'Bookshop', exact: true }).click();
  await button('Try with simulated users').click();
  await page.waitForURL(/\/waves\//);
  await heading(/^(passed|failed|inconclusive)/i).waitFor();
  await shoot('phone-wave');
  const ofWave = await sidewaysIn(page, [['light', phone.width]]);
  await page.goBack();
  await button('Share').click();
  await field('Access to the link').selectOption('anyone_with_link');
  await button('Publish').click();
  await page.waitForURL(/\/user-testing\//);
  const shared = page.locator('.the-link code');
  await shared.waitFor();
  await shoot('phone-shared');
  expect([...ofWave, ...(await sidewaysIn(page, [['light', phone.width]]))]).toEqual([]);
  await expectShortWay(6);

  const visitor = await watchedPage(browser, service.url, { viewport: phone });
  await visitor.page.goto((await shared.innerText()).trim());
  await visitor.page.getByRole('button', { name: 'Accept' }).click();
  await visitor.page.getByRole('textbox', { name: 'Message' }).fill('When is the shop open?');
  await visitor.page.getByRole('button', { name: 'Send' }).click();
  await visitor.page.getByText('opening_hours').first().waitFor();
  expect(await sidewaysIn(visitor.page, [['dark', phone.width]])).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
