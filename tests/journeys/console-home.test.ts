import { gzipSync } from 'node:zlib';
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
} from '@proofmark/harness/journeys/stock-servers.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

const hostileName = '<img src=x onerror="document.title=\'taken\'">';
const largestFirstLoad = 250_000;
const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
const tool = { name: 'count_stock', description: 'Counts.', inputSchema: { type: 'object' } };

let workspace: TestWorkspace;
let service: ServiceHere;
let shop: Awaited<ReturnType<typeof startFakeMcpServer>>;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
const wider: string[] = [];
const scripts: Promise<number>[] = [];

beforeAll(async () => {
  workspace = createReadyWorkspace();
  [shop, service] = await Promise.all([
    startFakeMcpServer({ 'tools/list': { tools: [tool] } }),
    workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off', PROOFMARK_SAMPLE: 'on' }),
  ]);
  await waitForSample(service);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await shop?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const headline = (text: RegExp) =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
const search = () => page.getByRole('combobox', { name: 'Search or do something' });
const partOf = (heading: string) => page.getByRole('region', { name: heading, exact: true });

async function look(): Promise<void> {
  wider.push(...(await sidewaysIn(page, looks)));
  await page.setViewportSize({ width: 1200, height: 800 });
}

async function saveServer(name: string, url: string): Promise<void> {
  await field('Name').fill(name);
  await field('Address').fill(url);
  await button('Add server').click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

test('a first start lands on what is red, with the way into the case and on', async () => {
  const onResponse = (response: Response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.push(response.body().then((body) => gzipSync(body).length));
  };
  page.on('response', onResponse);
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await headline(/^Failing: 1 suite$/);
  const red = await partOf('Failing suites').innerText();
  expect(red).toMatch(/Sample: questions to a bookshop, run 1/);
  expect(red).toMatch(
    /Failed: 2 of 8 case variants\.\s+Selection failed: some calls that the case/,
  );
  page.off('response', onResponse);
  expect((await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)).toBeLessThan(
    largestFirstLoad,
  );
  await partOf('First steps').getByText('proofmark server add "My server"').waitFor();
  await look();
  await link('Open the red case').click();
  await page.waitForURL(/\/runs\/run_\w+\/trials\/itr_\w+/);
  await page
    .getByRole('complementary', { name: 'Next step' })
    .getByText('Save your server')
    .click();
  await page.waitForURL(/\/servers\/new$/);
});

test('a server is examined as soon as it is saved, and its page begins with its tools', async () => {
  await saveServer('Shop', shop.url);
  await page.getByText('Ready:').waitFor();
  await page
    .getByRole('status')
    .getByText(/answers, examined/)
    .waitFor();
  const sections = page.getByRole('navigation', { name: 'Sections of this server' });
  expect(await sections.getByRole('link').allInnerTexts()).toEqual([
    ...['Tools', 'Prompts', 'Resources', 'Doctor', 'Lint', 'Settings'],
  ]);
  const serverUrl = page.url().split('?')[0] as string;
  await page.goto(serverUrl);
  await page.getByRole('link', { name: /^count_stock/ }).waitFor();
  expect(await sections.locator('[aria-current]').allInnerTexts()).toEqual(['Tools']);
  expect(await button('Delete server').count()).toBe(0);
  await button('Connect').click();
  await page.getByText('Connected.').waitFor();
  await look();
  await sections.getByRole('link', { name: 'Settings', exact: true }).click();
  await button('Delete server').waitFor();
  const below = await page.evaluate<boolean>(`(() => {
    const [save, remove] = ['Save server', 'Delete server'].map((name) =>
      [...document.querySelectorAll('button')].find((one) => one.innerText === name));
    return remove.getBoundingClientRect().top > save.getBoundingClientRect().bottom;
  })()`);
  expect(below).toBe(true);
  await look();
  projectUrl = serverUrl.split('/servers/')[0] as string;
});

test('health stands in the list, and a server that does not answer needs a decision', async () => {
  await page.goto(`${projectUrl}/servers/new`);
  await saveServer('Gone', 'http://127.0.0.1:1/mcp');
  await page.getByText('Failed:').waitFor();
  await page.goto(projectUrl);
  const row = (name: string) =>
    page.getByRole('row', { name: new RegExp(`^${name} `) }).innerText();
  await page.getByRole('cell', { name: /does not answer/ }).waitFor();
  expect(await row('Gone')).toMatch(/✕\s+does not answer/);
  expect(await row('Shop')).toMatch(/✓\s+answers/);
  expect(await row('Sample bookshop')).toMatch(/not examined/);
  await look();
  await link('Home').click();
  await headline(/^Failing: 1 suite; 1 thing to decide$/);
  expect(await partOf('First steps').count()).toBe(0);
  const decision = await partOf('Pending decisions').innerText();
  expect(decision).toMatch(/Server Gone[\s\S]*Does not answer: nothing came back/);
  await look();
});

test('names of others stay text on Home', async () => {
  const { apiKey } = await makeReporterKey(workspace);
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const results = [{ caseTitle: hostileName, passed: false, error: hostileName }];
  await ask('POST', 'eval-ingest/report', { suiteName: hostileName, results });
  await page.goto(service.url);
  await headline(/^Failing: 2 suites; 1 thing to decide$/);
  await partOf('Failing suites').getByText(`${hostileName}, run 1`).waitFor();
  expect(await page.title()).toBe('Home · Proofmark');
  expect(await page.locator('main img').count()).toBe(0);
});

test('the pages in the head stay where they are, whichever of them is open', async () => {
  const places = () =>
    page.evaluate(
      "[...document.querySelectorAll('header nav a')].map((one) => one.getBoundingClientRect().x)",
    );
  await page.goto(service.url);
  await page.locator('header nav a[aria-current]', { hasText: 'Home' }).waitFor();
  const before = await places();
  for (const name of ['Projects', 'Reference', 'Home']) {
    await link(name).click();
    await page.locator('header nav a[aria-current]', { hasText: name }).waitFor();
    expect(await places()).toEqual(before);
  }
});

test('the search opens by keys, finds by words and is left as it was entered', async () => {
  await link('Projects').focus();
  await page.keyboard.press('Control+k');
  await search().fill('gone');
  const first = page.getByRole('option').first();
  await first.getByText('Gone').waitFor();
  await look();
  await page.keyboard.press('Escape');
  await search().waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Projects');

  await page.keyboard.press('/');
  await search().fill('server');
  await page.getByRole('option', { name: /Shop/ }).waitFor();
  const chosen = () => page.locator('[role="option"][aria-selected="true"]').innerText();
  const before = await chosen();
  await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).not.toBe(before);
  await search().fill('nothing has this name');
  await page.getByText('Nothing has this name.').waitFor();
  await search().fill('audit');
  await expect.poll(chosen).toMatch(/Audit log/);
  await search().fill('run 1');
  await expect.poll(chosen).toMatch(/, run 1/);
  await search().fill('gone server');
  await expect.poll(chosen).toMatch(/Gone/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Gone', exact: true }).waitFor();
});

test('set-up stands under one heading, says what uses what, and runs a suite in an environment', async () => {
  const client = await ask('POST', 'clients', { name: 'Desk', template: 'proofmark' });
  const environment = await ask('POST', 'environments', { name: 'At the desk', hostId: client.id });
  await page.goto(projectUrl);
  await link('Set-up').click();
  const setUp = page.getByRole('navigation', { name: 'Set-up' });
  expect(await setUp.getByRole('link').allInnerTexts()).toEqual([
    ...['Environments', 'Clients', 'Server groups', 'Skills', 'Plugins'],
  ]);
  await page.getByRole('cell', { name: 'nothing', exact: true }).first().waitFor();
  const sample = page.getByRole('row').filter({ hasText: 'The sample bookshop' });
  expect(await sample.getByRole('cell').nth(3).getByRole('link').count()).toBeGreaterThan(0);
  await look();
  await setUp.getByRole('link', { name: 'Clients', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Desk' });
  await row.getByRole('link', { name: 'At the desk', exact: true }).click();
  await page.waitForURL(new RegExp(`/environments/${environment.id}`));
  await look();
  await page.goto(`${projectUrl}?section=environments`);
  await link('Sample').first().click();
  const here = partOf('Run a suite here');
  await here.getByRole('combobox').selectOption({ label: 'Sample: questions to a bookshop' });
  await here.getByText('This suite does not run in this environment yet.').waitFor();
  await here.getByRole('button', { name: 'Let it run here' }).click();
  await here.getByText(/8 trials/).waitFor();
  await look();
  await here.getByRole('button', { name: 'Run', exact: true }).click();
  await headline(/^failed: 2 of 8 case variants/i);
});

test('from the red trial one gets to its case, and what is mended there passes', async () => {
  await link('Open trace').first().click();
  await headline(/^Says how a gift can be returned, trial 1: failed$/);
  await link('Edit the case').click();
  await field('Prompt of step 1').fill('Read the terms, section: 2');
  await button('Save case').click();
  await page.getByRole('heading', { name: 'Says how a gift can be returned' }).waitFor();
  await button('Run').click();
  await headline(/^failed: 1 of 8 case variants/i);
});

test('a page that no longer hears from the service says since when', async () => {
  await page.goto(service.url);
  await headline(/^Failing/);
  await page.route('**/console/v1/home', (route) => route.abort());
  // Data that was loaded less than five seconds ago is not reloaded.
  await page.waitForTimeout(5_500);
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
  await page.getByText(/^Not up to date: the service has not answered since/).waitFor();
  await page.unroute('**/console/v1/home');
});

test('nothing scrolled sideways, went elsewhere or raised an error', () => {
  expect(wider).toEqual([]);
  expect(watched.foreign).toEqual([]);
  expect(watched.complaints).toEqual([]);
});
