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
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: SharedWorkspace;
let service: ServiceHere;
let shop: FakeMcpServer;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
let serverUrl: string;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  [shop, service] = await Promise.all([
    startShop(),
    workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' }),
  ]);
  const { apiKey } = await makeReporterKey(workspace);
  for (const feature of ['swarms', 'user-testing']) {
    await workspace.admin('set-feature', 'My organization', feature, 'on');
  }
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  const projectId = projectUrl.split('/').at(-1) as string;
  ask = projectApi(service.url, projectId, apiKey);
  const server = { name: 'Bookshop', enabled: true, transportType: 'http', url: shop.url };
  const { id } = await ask('POST', 'servers', server);
  serverUrl = `${projectUrl}/servers/${id}`;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await shop?.stop();
});

/** Takes pictures for people to look at, where a folder for them is named. */
async function shoot(name: string): Promise<void> {
  const folder = process.env['PROOFMARK_PICTURES'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const part = (name: string) => page.getByRole('region', { name, exact: true });

function startShop(): Promise<FakeMcpServer> {
  const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
  const tools = ['find_book', 'list_orders'].map((name) => ({
    name,
    description: name === 'find_book' ? 'Finds a book by its title.' : 'Lists the open orders.',
    inputSchema: { ...inputSchema, ...(name === 'find_book' && { required: ['title'] }) },
  }));
  return startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': (response, request) => {
      const { name, arguments: given = {} } = request.message['params'] as {
        name: string;
        arguments?: { title?: unknown };
      };
      const isWrong = name === 'find_book' && typeof given.title !== 'string';
      const isCrash = name === 'list_orders';
      const text = isCrash
        ? "TypeError: Cannot read properties of undefined (reading 'map')"
        : isWrong
          ? 'title must be a string'
          : 'The Hobbit, 3 in stock';
      const result = { content: [{ type: 'text', text }], isError: isCrash || isWrong };
      sendJson(response, rpcResult(request, result));
    },
  });
}

describe('the page of a server', () => {
  test('one click makes suites from its tools and runs them to a verdict', async () => {
    await page.goto(serverUrl);
    await button('Test it').click();
    const evals = part('Evals');
    await evals.getByRole('link', { name: 'Latest run of Bookshop contract: Failed' }).waitFor();
    await evals.getByRole('link', { name: /^Latest run of Bookshop: / }).waitFor();
    await button('Run all').waitFor();
    expect(await button('Test it').count()).toBe(0);
    const { items } = await ask('GET', 'eval-suites');
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Bookshop',
      'Bookshop contract',
    ]);
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await evals.getByRole('link', { name: 'Latest run of Bookshop contract: Failed' }).click();
    await page.getByText('list_orders').first().waitFor();
  });

  test('one click makes simulated users and runs their journeys', async () => {
    await page.goto(serverUrl);
    await button('Try with simulated users').click();
    await page.waitForURL(/\/waves\//);
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    const journeys = (await ask('GET', 'journeys')).items;
    expect(journeys).toHaveLength(4);
    expect(new Set(journeys.map((one: { swarmId: string }) => one.swarmId)).size).toBe(1);
    expect((await ask('GET', 'clients')).items).toMatchObject([{ name: 'Bookshop' }]);
    await page.goto(serverUrl);
    const people = part('Simulated users');
    await people.getByRole('link', { name: 'Personas and findings' }).waitFor();
    expect(await people.getByRole('listitem').count()).toBe(4);
    expect(await button('Try with simulated users').count()).toBe(0);
  });

  test('a share link is two clicks away, in the environment that is there', async () => {
    await page.goto(serverUrl);
    await button('Share').click();
    await page.getByLabel('Access to the link').selectOption('anyone_with_link');
    await button('Publish').click();
    await page.waitForURL(/\/user-testing\//);
    await page.getByRole('heading', { name: 'Bookshop', exact: true }).waitFor();
    expect((await ask('GET', 'environments')).items).toMatchObject([{ name: 'Bookshop' }]);
    await page.goto(serverUrl);
    await part('People').getByText('Anybody who has the link').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    expect(watched.complaints).toEqual([]);
  });
});

test('a server that is a program gets its commands and the entry of the operator', async () => {
  await page.goto(`${projectUrl}/servers/new`);
  await link('Program').click();
  const kinds = page.getByRole('navigation', { name: 'Kinds of servers' });
  await expect.poll(() => kinds.locator('[aria-current]').allInnerTexts()).toEqual(['Program']);
  await page.getByLabel('Command', { exact: true }).fill('node server.js');
  await page.getByLabel('Folder', { exact: true }).fill('/srv/my server');
  await page.getByLabel('Name', { exact: true }).fill('Files');
  const said = await page.locator('main').innerText();
  expect(said).toContain("cd '/srv/my server'\nproofmark init --server-command 'node server.js'");
  expect(said).toContain('"name": "Files"');
  expect(said).toContain("cd '/srv/my server' && exec node server.js");
  expect(said).toContain('nobody can add one from a browser');
  await shoot('add-program');
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
});

test('search finds simulated users, their journeys, swarms and share links', async () => {
  const [journeys, personas, swarms] = await Promise.all(
    ['journeys', 'personas', 'swarms'].map(async (list) => (await ask('GET', list)).items),
  );
  for (const [kind, path, name] of [
    ['journey', `journeys/${journeys[0].id}`, journeys[0].name],
    ['persona', `personas/${personas[0].id}`, personas[0].name],
    ['swarm', `swarms/${swarms[0].id}`, swarms[0].name],
    ['share link', 'user-testing/', 'Bookshop'],
  ]) {
    await page.goto(projectUrl);
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByLabel('Search or do something').fill(`${kind} ${name}`);
    await page
      .getByRole('option')
      .filter({ hasText: kind })
      .filter({ hasText: name })
      .first()
      .click();
    await page.waitForURL(new RegExp(path));
  }
});

describe('what a form needs is made by it', () => {
  test('an environment takes servers by check boxes, and makes its client', async () => {
    await page.goto(`${projectUrl}/environments/new`);
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await page.getByLabel('Client', { exact: true }).selectOption('');
    await page.getByRole('checkbox', { name: /^Bookshop/ }).check();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await button('Create environment').click();
    await page.getByRole('heading', { name: 'Till', exact: true }).waitFor();
    const made = (await ask('GET', 'clients')).items.find(
      ({ name }: { name: string }) => name === 'Till',
    );
    expect((await ask('GET', `clients/${made.id}`)).config).toMatchObject({
      modelId: 'proofmark/lexical-1',
      serverIds: [expect.stringMatching(/^srv_/)],
    });
  });

  test('a client takes servers by check boxes, the newest one first', async () => {
    await page.goto(`${projectUrl}/clients/new`);
    await page.getByLabel('Name', { exact: true }).fill('Counter');
    expect(await page.getByRole('checkbox', { name: /^Bookshop/ }).isChecked()).toBe(true);
    await button('Create client').click();
    await page.getByRole('heading', { name: 'Counter', exact: true }).waitFor();
    expect(await page.getByLabel('Bookshop', { exact: true }).inputValue()).toBe('required');
  });

  test('journeys that are there and drafted ones are put into a swarm', async () => {
    const body = { name: 'Regulars', sessionsPerTarget: 1, maxTurns: 3 };
    const swarm = await ask('POST', 'swarms', body);
    await page.goto(`${projectUrl}/swarms/${swarm.id}`);
    await button('Add journeys').click();
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(1).check();
    await button('Add').click();
    await page.getByText('2 journeys added.').first().waitFor();
    await page.getByRole('button', { name: 'Run all' }).waitFor();
    const inSwarm = async () => (await ask('GET', `journeys?swarmId=${swarm.id}`)).items.length;
    expect(await inSwarm()).toBe(2);
    await link('Draft journeys').click();
    await page.getByLabel('Personas', { exact: true }).selectOption('1');
    await page.getByLabel('Journeys per persona').selectOption('1');
    await button('Draft').click();
    await button('Save persona and 1 journey').click();
    await page.getByText('Saved:').waitFor();
    expect(await inSwarm()).toBe(3);
    expect(watched.complaints).toEqual([]);
  });
});

test('the page of a project says how its suites stand, what is open, and what runs next', async () => {
  const suites = (await ask('GET', 'eval-suites')).items;
  const { id } = suites.find(({ name }: { name: string }) => name === 'Bookshop contract');
  const schedule = { enabled: true, intervalMinutes: 60 };
  await ask('PATCH', `eval-suites/${id}/schedule`, schedule);
  await page.goto(projectUrl);
  const verdicts = part('Latest verdicts');
  await verdicts.getByRole('row').nth(2).waitFor();
  expect(await verdicts.getByText('Failed:').count()).toBe(2);
  const fact = (name: string) =>
    page.locator('dl.facts > div').filter({ has: page.getByText(name, { exact: true }) });
  await fact('Next scheduled runs').getByRole('link', { name: 'Bookshop contract' }).waitFor();
  await fact('Spent today by the organization').getByRole('link').waitFor();
  const total = (await ask('GET', 'journey-findings?dismissed=false')).items.length;
  const found = await fact('Open findings').innerText();
  expect(found).toContain(total === 0 ? 'none' : 'of swarms');
  expect(await page.getByRole('button', { name: 'Save settings' }).count()).toBe(0);
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await link('Settings').click();
  await button('Save settings').waitFor();
  expect(watched.complaints).toEqual([]);
});

test('a new suite is made from the tools of a server, without a case written', async () => {
  await page.goto(`${projectUrl}/suites/new`);
  await button('Make suites for Bookshop').click();
  await page.waitForURL(/section=evals/);
  await expect
    .poll(async () => (await ask('GET', 'eval-suites')).items.length, { timeout: 30_000 })
    .toBe(4);
});
