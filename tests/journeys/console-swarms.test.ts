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
import { until } from '@proofmark/harness/journeys/until.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: SharedWorkspace;
let service: ServiceHere;
let stock: StockServers;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let ask: ProjectApi;
let runUrl: string;

beforeAll(async () => {
  stock = await startStockServers();
  workspace = createSharedWorkspace();
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
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
    await page.getByText(/proofmark admin set-feature org_\w+ swarms on/).waitFor();
    await workspace.admin('set-feature', 'My organization', 'swarms', 'on');
    await page.reload();
    await page.getByText(/^Draft personas and journeys from the tools of an environment/).waitFor();
  });

  test('a persona is made and edited by keyboard alone', async () => {
    await link('New persona').focus();
    await page.keyboard.press('Enter');
    await field('Name').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a role.').waitFor();
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

  test('a journey starts from the values of its swarm, and keeps the ids of its checks', async () => {
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
    await button('Add check').click();
    await button('Add check').click();
    await field('Label of check 2').fill('Weighs');
    await field('Kind of check 2').selectOption({ label: 'A tool is called' });
    await button('Create journey').click();
    await page.getByText('Fill in the value of each check.').waitFor();
    await field('Tool of check 2').fill('weigh');
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await button('Create journey').click();
    await heading('Count pens');
    const [before] = (await ask('GET', 'journeys')).items;
    await link('Settings').click();
    await button('Remove check 1').click();
    await field('Max turns of a session').fill('3');
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
    await heading(/failed: the check “weighs” did not hold in 4 of 4 graded sessions/i);
    runUrl = page.url();
    const about = (await page.locator('.about-run').innerText()).replaceAll('\n', ' ');
    expect(about).toContain('4 of 4 sessions played to their end.');
    expect(about).toContain('4 of 4 sessions graded');
    expect(about).toContain(
      'played by proofmark/scripted-user-1, a script; the goal is judged by nobody.',
    );
    expect(await shop.getByRole('list', { name: 'Stages' }).count()).toBe(2);
    expect(await page.getByText('held in 0 of 4 graded,').count()).toBe(1);
    const why = page.getByRole('region', { name: 'Checks that did not hold, with reasons' });
    await why.getByText('In 4 of the 4 sessions in which it did not hold.').waitFor();
    await why.getByText('"weigh"').waitFor();
    await why.getByRole('link', { name: 'Shop, session 1' }).click();
    await heading(/^shop, session 1: failed$/i);
    await page.goto(runUrl);
    await why.waitFor();
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

  test('a session of it becomes a case of a suite', async () => {
    await link('Session 1').first().click();
    await button('Make it an eval case').click();
    expect(await field('Suite').innerText()).toBe('A new suite…');
    await field('Name of the suite').fill('Fresh');
    await button('Make case').click();
    await heading('Fresh');
    const fresh = await ask('GET', `eval-suites/${page.url().split('/').at(-1)}/cases`);
    expect(fresh.items).toMatchObject([{ title: expect.stringMatching(/^Count pens/) }]);
    await page.goto(runUrl);
    await link('Session 1').first().click();
    await makeSuite(ask, { name: 'Kept', serverUrl: stock.url });
    await page.reload();
    await button('Make it an eval case').click();
    await field('Suite').selectOption({ label: 'Kept' });
    await button('Make case').click();
    await notice('Case Count pens · Ann · 1 made.');
    await heading('Kept');
    const suiteId = page.url().split('/').at(-1);
    const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
    const kept = items.find((one: { title: string }) => one.title.startsWith('Count pens'));
    expect(kept.steps[0].prompt).toContain('Count the stock of the item "pens"');
    expect(JSON.stringify(kept.checks)).toContain('"toolName":"weigh"');
    await page.goto(runUrl);
  });

  test('what was found in its wave is explained', async () => {
    const wave = (await ask('GET', `journey-runs/${runUrl.split('/').at(-1)}`)).waveId;
    await until(async () => (await ask('GET', `waves/${wave}`)).mined, 'the wave is mined');
    await link('All runs of its launch').click();
    await heading(/^failed: 1 of 1 run failed\.$/i);
    await button('Explain what was found').click();
    await page.getByText('Written by proofmark/narrator-1').waitFor();
    await page.getByText('No other wave has played these journeys yet.').waitFor();
    const finding = page.locator('.finding').first();
    await finding.locator('summary').click();
    await finding.getByRole('link').first().click();
    await heading(/session \d: failed$/);
    await page.goto(runUrl);
  });

  test('its checks stand over time on the page of the journey', async () => {
    await link('Count pens').click();
    await heading('Checks over time');
    await page.locator('.over-time').getByRole('link', { name: '0 of 4' }).waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
  });
});

test('the journeys of a swarm run as one wave, which is compared with another', async () => {
  await openSwarms();
  await link('Stock-taking').click();
  await button('Run all').click();
  await heading(/^failed: 1 of 1 run failed\.$/i);
  const wave = page.url().split('/').at(-1);
  await until(async () => (await ask('GET', `waves/${wave}`)).mined, 'the wave is mined');
  await field('Compare with').selectOption({ index: 1 });
  await page
    .getByText(/too few distinct conversations to compare with the wave of .+\.$/)
    .waitFor();
  expect(await page.getByRole('cell', { name: 'too few to compare' }).count()).toBe(2);
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
});

test('a finding leads to its sessions, is dismissed and shown again', async () => {
  await openSwarms();
  const finding = page.locator('.finding').first();
  await finding.locator('summary').click();
  expect(await finding.innerText()).toContain('recurring · 4 of 4 sessions · 2 waves');
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('No findings.').waitFor();
  await field('Show dismissed and resolved findings').check();
  await finding.locator('summary').click();
  await finding.getByRole('button', { name: 'Show again' }).click();
  await finding.getByRole('button', { name: 'Dismiss' }).waitFor();
  await finding.getByRole('link', { name: 'Session in which it happened, 1' }).click();
  await heading(/session \d: failed$/);
});

describe('a wave of several runs', () => {
  const runsOfAll = async (): Promise<{ waveId: string; journeyId: string }[]> => {
    const { items } = await ask('GET', 'journeys');
    const lists = [];
    for (const { id } of items) lists.push((await ask('GET', `journeys/${id}/runs`)).items);
    return lists.flat();
  };

  test('is gone on with where one of them was refused, and starts nothing twice', async () => {
    const [{ id: known, personaId, swarmId }] = (await ask('GET', 'journeys')).items;
    const { environmentIds } = await ask('GET', `journeys/${known}`);
    const { id: lost } = await ask('POST', 'journeys', {
      name: 'Go nowhere',
      goal: 'Count the stock of the item "pens".',
      maxTurns: 3,
      personaId,
      swarmId,
      sessionsPerTarget: 1,
    });
    const before = await runsOfAll();
    await openSwarms();
    await link('Stock-taking').click();
    await button('Run all').click();
    const alert = page
      .getByRole('alert')
      .filter({ hasText: '1 of 2 journeys started in one wave' });
    await alert.getByText(/^Go nowhere was not started: /).waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await page.setViewportSize({ width: 1200, height: 800 });
    const path = (await alert.getByRole('link').getAttribute('href')) ?? '';
    const waveId = path.split('/').at(-1) as string;
    const ofWave = async () => (await runsOfAll()).filter((run) => run.waveId === waveId);
    expect(await ofWave()).toHaveLength(1);
    await button('Start the rest').click();
    await alert.waitFor();
    expect(await ofWave()).toHaveLength(1);
    await ask('PATCH', `journeys/${lost}`, { environmentIds });
    // A person may leave the page after a start that failed in part, and come back after correcting
    // the cause.
    await openSwarms();
    await link('Stock-taking').click();
    stock.hold();
    await button('Start the rest').click();
    await heading(/^not established: the wave has not ended\.$/i);
    expect(page.url().split('/').at(-1)).toBe(waveId);
    expect((await ofWave()).map(({ journeyId }) => journeyId).sort()).toEqual([known, lost].sort());
    expect(await runsOfAll()).toHaveLength(before.length + 2);
  });

  test('is read by one request, while it goes on and when it has ended', async () => {
    const waveUrl = page.url();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await page.reload();
    await heading(/^not established: the wave has not ended\.$/i);
    await field('Compare with').selectOption({ index: 1 });
    const compared = page.locator('.compared-verdict');
    await compared.getByText(/the wave has not ended\.$/).waitFor();
    stock.release();
    await heading(/^failed: 1 of 2 runs failed, 1 .+\.$/i);
    await compared
      .getByText(/too few distinct conversations to compare with the wave of .+\./)
      .waitFor();
    await button('Explain what was found').waitFor();
    const ofRuns = asked.filter((url) => url.includes('/journey-runs/'));
    expect(new Set(ofRuns).size).toBe(1);
    expect(ofRuns.every((url) => !url.endsWith('/scorecard'))).toBe(true);
    await page.goto(waveUrl);
  });

  test('that could not be mined says so, and is not asked for again', async () => {
    const other = await watched.context.newPage();
    await other.clock.install();
    const answers: string[] = [];
    const mining = { next: 'pending' };
    await other.route(/\/waves\/[^/]+$/, async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      const answer = await route.fetch();
      answers.push(mining.next);
      const json = { ...(await answer.json()), mined: false, mining: mining.next };
      await route.fulfill({ response: answer, json });
    });
    const about = other.locator('.about-run');
    await other.goto(page.url());
    await about.getByText('The search for findings is in progress.').waitFor();
    mining.next = 'failed';
    await other.clock.runFor(10_000);
    await about.getByText('The search for findings failed; another run').waitFor();
    const before = answers.length;
    await other.clock.runFor(60_000);
    expect(answers).toHaveLength(before);
    await other.close();
  });
});

test('counts of a run that waits for grades are read again on the page of its journey', async () => {
  let isPending = true;
  await page.route(/\/scorecard$/, async (route) => {
    const answer = await route.fetch();
    const card = await answer.json();
    const waiting = { passCount: 0, failCount: 0, pendingCount: 4, failRate: null, interval: null };
    const criteria = card.criteria?.map((one: object) => ({ ...one, ...waiting }));
    const json = isPending ? { ...card, sessionsGraded: 0, criteria } : card;
    isPending = false;
    await route.fulfill({ response: answer, json });
  });
  const { journeyId } = await ask('GET', `journey-runs/${runUrl.split('/').at(-1)}`);
  const { items: runs } = await ask('GET', `journeys/${journeyId}/runs`);
  await page.goto(`${projectUrl}/journeys/${journeyId}`);
  await expect
    .poll(() => page.locator('.over-time').getByRole('link', { name: '0 of 4' }).count())
    .toBe(runs.length);
  await page.unroute(/\/scorecard$/);
});

test('drafts are made from the tools of an environment, and stored only when they are saved', async () => {
  const amounts = async () =>
    [await ask('GET', 'personas'), await ask('GET', 'journeys')].map(({ items }) => items.length);
  const before = await amounts();
  await openSwarms();
  await link('Draft from tools').first().click();
  await field('Environment').selectOption({ label: 'Depot' });
  await field('Personas').selectOption('1');
  await button('Draft').click();
  await page.getByText('Drafted by proofmark/drafter-1.').waitFor();
  expect(await amounts()).toEqual(before);
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
  await button('Save persona and 1 journey').click();
  await page.getByText(/^Saved: /).waitFor();
  expect(await amounts()).toEqual(before.map((amount) => amount + 1));
  const [{ environmentIds, rubric }] = (await ask('GET', 'journeys')).items;
  expect(environmentIds).toHaveLength(1);
  expect(rubric).toMatchObject([{ predicate: { type: 'toolCalledAtLeastOnce' } }]);
  await field('Personas to write for').selectOption({ label: 'Ann' });
  await button('Draft').click();
  await page.getByRole('button', { name: /^Save \d journeys?$/ }).waitFor();
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
