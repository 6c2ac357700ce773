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
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: SharedWorkspace;
let stock: StockServers;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let suiteId: string;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  stock = await startStockServers();
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  const projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const server = { name: 'Stock', enabled: true, transportType: 'http', url: stock.url };
  const { id: serverId } = await ask('POST', 'servers', server);
  const call = { id: 'call', kind: 'toolCall', serverName: 'Stock', toolName: 'count_stock' };
  const made = await ask('POST', 'eval-suites', {
    name: 'Desk',
    model: 'proofmark/lexical-1',
    serverIds: [serverId],
    tests: [
      {
        title: 'Counts the pens',
        steps: [
          { ...call, arguments: { item: 'pens' } },
          { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
        ],
      },
    ],
  });
  suiteId = made.id ?? made.suiteId;
  await page.goto(`${projectUrl}/suites/${suiteId}`);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const survivor = (words: string) => page.locator('.survivors li', { hasText: words });
const tooHigh = 'The first number in the answer of the tool "count_stock" is one too high.';

test('what nobody noticed stands first, and is noticed once its suggestion was added', async () => {
  await button('Find out').click();
  await page.getByText(/^The suite noticed \d+ of \d+ changes/).waitFor();
  const first = survivor(tooHigh);
  await first.getByText('Nearest case:').waitFor();
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await first.getByRole('button', { name: 'Add to the case' }).click();
  await first.getByText('In the case').waitFor();
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  expect(items[0].checks).toEqual({
    mode: 'extend',
    list: [{ type: 'toolResultPath', toolName: 'count_stock', pointer: '', equals: 4 }],
  });
  await button('Find out again').click();
  await survivor(tooHigh).waitFor({ state: 'detached' });
  await page.getByText(/^The suite noticed \d+ of \d+ changes/).waitFor();
  await page.getByText(/^Noticed: /).click();
  await page.locator('.mutants li', { hasText: tooHigh }).waitFor();
});

test('one that is under way is stopped', async () => {
  stock.hold();
  await button('Find out again').click();
  await button('Stop').click();
  await page.getByText(/^It was cancelled after/).waitFor();
  stock.release();
});

test('it is played on what was recorded of a run, with nobody called', async () => {
  const { runId } = await ask('POST', 'eval-runs', { suiteId });
  await until(
    async () => (await ask('GET', `eval-runs/${runId}`)).status === 'completed',
    'the run has ended',
  );
  stock.hold();
  await page.reload();
  await page.getByText('How it is played', { exact: true }).click();
  await page.getByLabel('The recorded servers and model of a run', { exact: true }).check();
  await page.getByLabel('Seed', { exact: true }).fill('2');
  await button('Find out again').click();
  await page.getByText('Choose a run.').first().waitFor();
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.getByLabel('Run', { exact: true }).selectOption({ label: 'run 1, passed' });
  await button('Find out again').click();
  await page.getByText(/^The answers of the model come from the recordings/).waitFor();
  await page.getByText(/^The suite noticed \d+ of \d+ changes/).waitFor();
  const { items } = await ask('GET', `eval-suites/${suiteId}/mutations`);
  expect(items[0]).toMatchObject({ model: 'recorded', servers: 'recorded', runId, seed: 2 });
  stock.release();
});

test('nothing complained or left the service', () => {
  expect([watched.complaints, watched.foreign]).toEqual([[], []]);
});
