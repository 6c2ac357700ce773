/** A person makes a persona and a journey in the browser, watches it being played, and reads what was found. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Look, openBrowser, sidewaysIn, type Watched, watchedPage } from './open-browser.ts';
import type { StartedProofmark } from './start-proofmark.ts';
import {
  makeReporterKey,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from './stock-servers.ts';
import { createTestWorkspace, type TestWorkspace } from './test-workspace.ts';
import { until } from './until.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
  ['light', 360],
];
let workspace: TestWorkspace;
let service: StartedProofmark;
let stock: StockServers;
let browser: Browser;
let watched: Watched;
let page: Page;
let projectUrl: string;
let ask: ProjectApi;
let runUrl: string;

beforeAll(async () => {
  stock = await startStockServers();
  workspace = createTestWorkspace();
  service = await workspace.serve([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const server = { name: 'stock', enabled: true, transportType: 'http', url: stock.url };
  const { id: serverId } = await ask('POST', 'servers', server);
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: hostId } = await ask('POST', 'clients', { name: 'Desk', config });
  for (const name of ['Shop', 'Depot']) await ask('POST', 'environments', { name, hostId });
});
afterAll(async () => {
  stock?.release();
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const heading = (name: string | RegExp) =>
  page.getByRole('heading', { name, ...(typeof name === 'string' && { exact: true }) }).waitFor();
const notice = (text: string) => page.getByRole('status').getByText(text).first().waitFor();

async function openSwarms(): Promise<void> {
  await page.goto(`${projectUrl}?section=swarms`);
  await heading('Journeys');
}

describe('personas, swarms and journeys', () => {
  test('switched off, the page says who switches them on and how', async () => {
    await link('Swarms').click();
    await heading('Swarms are switched off');
    await page.getByText(/npx proofmark admin set-feature org_\w+ swarms on/).waitFor();
    await workspace.admin('set-feature', 'My organization', 'swarms', 'on');
    await page.reload();
    await page.getByText('It needs a persona: create one first.').waitFor();
  });

  test('a persona is made and edited by keyboard alone', async () => {
    await link('New persona').focus();
    await page.keyboard.press('Enter');
    await field('Name').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Say who they are.').waitFor();
    await field('Name').focus();
    await page.keyboard.type('Ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Storekeeper');
    await page.keyboard.press('Enter');
    await notice('Persona Ann created.');
    await heading('Ann');
    await field('Notes').fill('Item: pens');
    await button('Save changes').click();
    await notice('Saved persona Ann.');
    expect((await ask('GET', 'personas')).items[0]).toMatchObject({ notes: 'Item: pens' });
    await button('Save changes').click();
    await notice('Nothing was changed.');
  });

  test('a journey starts from the values of its swarm, and keeps the ids of its criteria', async () => {
    await openSwarms();
    await link('New swarm').click();
    await field('Name').fill('Stock-taking');
    await field('Shop').check();
    await field('Depot').check();
    await field('Sessions on each target').fill('2');
    await button('Create swarm').click();
    await heading('Stock-taking');
    await link('New journey').click();
    await field('Goal').fill('Count the stock of the item "pens".');
    await field('Name').fill('Count pens');
    expect(await field('Shop').isChecked()).toBe(true);
    expect(await field('Sessions on each target').inputValue()).toBe('2');
    await button('Add criterion').click();
    await button('Add criterion').click();
    await field('Label of criterion 2').fill('Weighs');
    await field('What criterion 2 asks').selectOption({ label: 'A tool is called' });
    await button('Create journey').click();
    await page.getByText('Fill in what each criterion needs.').waitFor();
    await field('Tool of criterion 2').fill('weigh');
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await button('Create journey').click();
    await heading('Count pens');
    const [before] = (await ask('GET', 'journeys')).items;
    await link('Settings').click();
    await button('Remove criterion 1').click();
    await field('Most turns of a session').fill('3');
    await button('Save changes').click();
    await notice('Saved journey Count pens.');
    const [after] = (await ask('GET', 'journeys')).items;
    expect(after).toMatchObject({ maxTurns: 3, rubric: [{ id: before.rubric[1].id }] });
  });
});

describe('a run', () => {
  test('is started, watched while it goes on, and says who played', async () => {
    stock.hold();
    await link('Runs').click();
    await page.getByText('4 sessions on 2 targets, at most 3 turns each.').waitFor();
    await button('Run').click();
    await page.getByText('0 of 4 sessions done.').waitFor();
    await heading(/^Not established: the run has not ended\.$/i);
    const shop = page.getByRole('region', { name: 'Shop', exact: true });
    await shop.getByText('talking').first().waitFor();
    stock.release();
    await heading(/failed: weighs failed in 4 of 4 graded sessions/i);
    runUrl = page.url();
    const about = (await page.locator('.about-run').innerText()).replaceAll('\n', ' ');
    expect(about).toContain('4 of 4 sessions played to their end.');
    expect(about).toContain('4 of 4 sessions graded');
    expect(about).toContain('played by proofmark/scripted-user-1, a script; judged by nobody.');
    expect(await shop.getByRole('list', { name: 'Stages' }).count()).toBe(2);
    expect(await page.getByText('failed in 4 of 4 graded,').count()).toBe(1);
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  test('its transcript is one click away', async () => {
    await link('Session 1').first().click();
    await heading(/^Shop, session 1: failed$/);
    await page.getByText('Count the stock of the item "pens"').first().waitFor();
    await page.getByText('did not hold').first().waitFor();
    await page.getByText('played by proofmark/scripted-user-1, a script').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto(runUrl);
  });

  test('what was found in its wave is explained', async () => {
    const wave = (await ask('GET', `journey-runs/${runUrl.split('/').at(-1)}`)).waveId;
    await until(async () => (await ask('GET', `waves/${wave}`)).mined, 'the wave is mined');
    await button('Explain what was found').click();
    await page.getByText('Written by proofmark/narrator-1').waitFor();
    const finding = page.locator('.finding').first();
    await finding.locator('summary').click();
    await finding.getByRole('link').first().waitFor();
  });

  test('its criteria stand over time on the page of the journey', async () => {
    await link('Count pens').click();
    await heading('Criteria over time');
    await page.locator('.over-time').getByText('0 of 4').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
  });
});

test('a finding leads to its sessions, is dismissed and shown again', async () => {
  await openSwarms();
  const finding = page.locator('.finding').first();
  await finding.locator('summary').click();
  expect(await finding.innerText()).toContain('new · 4 of 4 sessions · 1 wave');
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('Nothing to look at.').waitFor();
  await field('Show dismissed and resolved ones too').check();
  await finding.locator('summary').click();
  await finding.getByRole('button', { name: 'Show again' }).click();
  await finding.getByRole('button', { name: 'Dismiss' }).waitFor();
  await finding.getByRole('link', { name: 'Session in which it happened, 1' }).click();
  await heading(/session \d: failed$/);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
