import {
  type Look,
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  makeSuite,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1440],
  ['dark', 390],
];
let workspace: SharedWorkspace;
let stock: StockServers;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
const wider: string[] = [];

beforeAll(async () => {
  workspace = createSharedWorkspace();
  stock = await startStockServers();
  stock.writeConfig(workspace.folder);
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Playground', exact: true }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  await makeSuite(ask, { name: 'Stock', serverUrl: stock.url });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const waitForText = (text: string | RegExp) => page.getByText(text).first().waitFor();
const answers = (): Locator => page.locator('.chat-log .answer');
const question = 'Count the stock, item: pens';

type Box = Readonly<Record<'x' | 'y' | 'width', number>>;

async function look(name: string): Promise<void> {
  wider.push(...(await sidewaysIn(page, looks)).map((one) => `${name}: ${one}`));
  const folder = process.env['PROOFMARK_PICTURES'];
  if (folder !== undefined) {
    for (const [colorScheme, width, height] of [
      ...([
        ['light', 1440, 900],
        ['dark', 1440, 900],
      ] as const),
      ...([
        ['light', 390, 800],
        ['dark', 390, 800],
      ] as const),
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      // Colour transitions take a moment.
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1200, height: 800 });
}

async function begin(target: string): Promise<void> {
  await page.goto(`${projectUrl}?section=playground`);
  await field('Target').selectOption({ label: target });
  await button('Begin').click();
  await field('Message').waitFor();
}

async function say(text: string): Promise<void> {
  await field('Message').fill(text);
  await button('Send').click();
}

test('the lexical model calls a tool of a saved server, which stands in its place', async () => {
  await page.goto(`${projectUrl}?section=playground`);
  await waitForText('No conversations yet');
  await look('begin');
  await begin('Stock');
  await waitForText(/You talk to the server Stock\./);
  expect(await field('Model').inputValue()).toBe('proofmark/lexical-1');
  await say(question);
  const call = answers().first().locator('details.tool');
  await call.getByText('done').waitFor();
  expect(await call.innerText()).toMatch(/count_stock of Stock[\s\S]*"item": "pens"[\s\S]*4/);
  await page.getByRole('heading', { level: 1, name: question }).waitFor();
  await look('answered');
});

test('an answer is stopped while its tool is called', async () => {
  stock.hold();
  await say('Count the stock, item: cups');
  await answers().last().getByText('in use…').waitFor();
  await look('running');
  await button('Stop').click();
  await answers().last().getByText('Stopped.').waitFor();
  await button('Send').waitFor();
  stock.release();
  await answers().last().getByText('not done').waitFor();
});

test('two models answer beside each other', async () => {
  await field('Second model').selectOption('local/judge');
  await say('Count the stock, item: plates');
  await answers().nth(3).getByText('It counted and did not say of what.').waitFor();
  await answers().nth(2).getByText('done').waitFor();
  // All boxes are read in one call, since the page may still scroll.
  const boxes = await page.evaluate<Box[]>(
    `[...document.querySelectorAll('.chat-log .answer')].map((one) => one.getBoundingClientRect().toJSON())`,
  );
  const [left, right] = boxes.slice(2) as [Box, Box];
  expect(right.y).toBe(left.y);
  expect(right.x).toBeGreaterThan(left.x + left.width);
  // Waits until the newest message has scrolled into view.
  const top = async () => (await answers().nth(2).boundingBox())?.y;
  await expect.poll(top).toBeGreaterThan(0);
  await expect.poll(top).toBeLessThan(700);
  await look('beside');
});

test('it is kept, and shared when asked', async () => {
  await page.reload();
  await answers().nth(3).waitFor();
  expect(await answers().count()).toBe(4);
  await button('Share with project').click();
  await button('Make private').waitFor();
});

test('it becomes a case with the call it led to', async () => {
  await button('Make a case').click();
  const dialog = page.getByRole('dialog');
  await look('case');
  await dialog.getByLabel('Name of the suite').fill('Talk about stock');
  await dialog.getByRole('button', { name: 'Make case', exact: true }).click();
  const cases = page.locator('section[aria-labelledby="cases"]');
  await cases.getByText(question).first().waitFor();
  expect(await cases.innerText()).toContain('count_stock');
});

test('a client that asks first has its calls approved or denied', async () => {
  const { items } = await ask('GET', 'servers');
  const config = {
    modelId: 'proofmark/lexical-1',
    serverIds: [items[0].id],
    requireToolApproval: true,
  };
  await ask('POST', 'clients', { name: 'Careful', config });
  await begin('Careful');
  await waitForText(/You are asked before each call of a tool\./);
  await say(question);
  await waitForText('May the model call this tool?');
  await look('approval');
  await button('Approve').click();
  await answers().first().getByText('done').waitFor();
  await say('Count the stock, item: forks');
  await button('Deny').click();
  await answers().last().getByText('denied').waitFor();
  await button('Send').waitFor();
});

test('conversations are found by what was said in them', async () => {
  await page.goto(`${projectUrl}?section=playground`);
  await page.getByRole('link', { name: question }).nth(1).waitFor();
  await look('list');
  await page.getByLabel('Search titles and what was said').fill('PLATES');
  await waitForText('1 found');
  await page.getByRole('link', { name: question }).click();
  await answers().nth(3).waitFor();
  await page.goto(`${projectUrl}?section=playground`);
  await page.getByLabel('Search titles and what was said').fill('never said');
  await waitForText('No conversation says “never said”.');
});

test('one is named, put away, and brought back', async () => {
  await page.goto(`${projectUrl}?section=playground`);
  await page.getByRole('link', { name: question }).first().click();
  await button('Rename').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Stock of forks');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Stock of forks' }).waitFor();
  await button('Archive').click();
  await button('Bring back').waitFor();
  await page.goto(`${projectUrl}?section=playground`);
  const named = page.getByRole('link', { name: 'Stock of forks' });
  await page.getByRole('link', { name: question }).first().waitFor();
  expect(await named.count()).toBe(0);
  await page.getByLabel('Archived ones').check();
  await named.click();
  await button('Bring back').click();
  await button('Archive').waitFor();
});

test('no page was wider than its window, complained, or asked another host', () => {
  expect(wider).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
