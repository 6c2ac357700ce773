import { readFileSync } from 'node:fs';
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
let projectUrl: string;
let suiteUrl: string;
const wider: string[] = [];

beforeAll(async () => {
  workspace = createSharedWorkspace();
  stock = await startStockServers();
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CONCURRENT_RUNS: '20',
  });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const server = { name: 'Stock', enabled: true, transportType: 'http', url: stock.url };
  await ask('POST', 'servers', server);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const beside = () => field('Case as it stands in a suite file');
const problemOf = (name: string) =>
  page.locator('.field', { has: field(name) }).locator('.problem');

async function look(): Promise<void> {
  wider.push(...(await sidewaysIn(page, looks)));
  await page.setViewportSize({ width: 1200, height: 800 });
}

async function run(verdict: RegExp): Promise<void> {
  await page.goto(suiteUrl);
  await button('Run').click();
  await page.waitForURL('**/runs/run_*');
  await heading(verdict);
}

test('a suite is written without a file, run, and its verdict is read', async () => {
  await page.goto(`${projectUrl}?section=evals`);
  await link('New suite').click();
  await heading('New suite');
  await button('Create suite').click();
  await problemOf('Title').waitFor();
  await look();
  await field('Name').fill('Desk');
  await field('Title').fill('Counts the pens');
  await field('Prompt of step 1').fill('Count the stock of the item "pens"');
  for (const mode of ['serverContract', 'agentWorkflow']) {
    await field('Kind of suite').selectOption(mode);
  }
  expect(await field('Title').inputValue()).toBe('Counts the pens');
  await field('Next step').selectOption({ label: 'Check what was seen so far' });
  await button('Add step').click();
  await field('Tool (required)').selectOption({ label: 'count_stock' });
  await expect.poll(() => beside().inputValue()).toContain('toolName: count_stock');
  expect(await page.locator('.problem').count()).toBe(0);
  await look();
  await button('Create suite').click();
  await heading('Desk');
  suiteUrl = page.url();
  await button('Run').click();
  await heading(/^passed/i);
});

test('what is wrong with a case is told as one types, in the form and in the file', async () => {
  await page.goto(suiteUrl);
  await link('Edit Counts the pens').click();
  await field('Title').fill('');
  await problemOf('Title').waitFor();
  await field('Title').fill('Counts all pens');
  await expect.poll(() => problemOf('Title').count()).toBe(0);
  await field('Trials in each run').fill('many');
  await problemOf('Trials in each run').filter({ hasText: 'Enter a number.' }).waitFor();
  await field('Trials in each run').fill('200');
  await problemOf('Trials in each run').filter({ hasText: '100' }).waitFor();
  await look();
  await button('Save case').click();
  await page.getByRole('alert').filter({ hasText: 'Not saved.' }).waitFor();
  await field('Trials in each run').fill('2');
  const text = await beside().inputValue();
  expect(text).toContain('repetitions: 2');
  await beside().fill(text.replace('prompt: Count', 'promt: Count'));
  await problemOf('Case as it stands in a suite file')
    .filter({ hasText: /Line \d+, column \d+: .*did you mean prompt/ })
    .waitFor();
  await beside().fill(text.replace('Counts all pens', 'Counts every pen'));
  await expect.poll(() => field('Title').inputValue()).toBe('Counts every pen');
  await button('Save case').click();
  await page.getByRole('heading', { name: 'Counts every pen' }).waitFor();
  await page.getByText('2 trials in each run').waitFor();
});

test('what somebody else wrote meanwhile is shown beside, and neither is lost', async () => {
  await link('Edit Counts every pen').click();
  await field('Title').fill('Counts pens once');
  const caseUrl = page.url().split('/');
  const path = `eval-suites/${suiteUrl.split('/').at(-1)}/cases/${caseUrl.at(-1)}`;
  await ask('PATCH', path, { expectedOutput: 'Four pens.' });
  await button('Save case').click();
  await page.getByRole('heading', { name: 'Not saved: this case was changed meanwhile' }).waitFor();
  await page.getByRole('list', { name: 'They changed' }).getByText('Four pens.').waitFor();
  await look();
  await button('Reapply my changes on theirs').click();
  expect(await field('Title').inputValue()).toBe('Counts pens once');
  await field('Title').fill('Counts every pen once');
  await button('Save case').click();
  await page.getByRole('heading', { name: 'Counts every pen once' }).waitFor();
  expect(await ask('GET', path)).toMatchObject({
    title: 'Counts every pen once',
    expectedOutput: 'Four pens.',
    iterations: 2,
  });
  await ask('PATCH', path, { title: 'Counts every pen', expectedOutput: null });
});

test('a call warns of what its tool does not take, and a pattern is told at its field', async () => {
  await page.goto(suiteUrl);
  await link('Edit Counts every pen').click();
  await field('Next step').selectOption({ label: 'Call a tool, without a model' });
  await button('Add step').click();
  await button('Add check').click();
  await field('Search checks').fill('answer pattern');
  await button('The last answer matches a pattern').click();
  expect(await page.locator('.problem').count()).toBe(0);
  await field('Tool of step 3').selectOption({ label: 'Another name…' });
  await field('Tool of step 3').fill('nothing');
  const warning = page.locator('.field .warning');
  await warning.filter({ hasText: 'The server lists no tool of this name now.' }).waitFor();
  await field('Pattern (required)').fill('(');
  await problemOf('Pattern (required)').filter({ hasText: 'cannot be run' }).waitFor();
  await look();
  await button('Save case').click();
  await page.getByRole('alert').filter({ hasText: 'Check 1, Pattern: This pattern' }).waitFor();
});

test('the check of a step is found by a search, as those of the case are', async () => {
  await page.goto(suiteUrl);
  await link('Edit Counts every pen').click();
  await field('Next step').selectOption({ label: 'Check what was seen so far' });
  await button('Add step').click();
  await button('Search a check for step 3').click();
  await field('Search checks').fill('answer pattern');
  await button('The last answer matches a pattern').click();
  expect(await field('Step 3: kind').inputValue()).toBe('responseMatches');
  await field('Pattern (required)').waitFor();
  await look();
});

test('a case shows how it came out run by run', async () => {
  await run(/^passed/i);
  await page.goto(suiteUrl);
  await link('Edit Counts every pen').click();
  const text = await beside().inputValue();
  await beside().fill(text.replaceAll('count_stock', 'weigh'));
  // A tool that no server lists is shown, and can only be replaced by one that is listed.
  await expect
    .poll(() => field('Tool (required)').locator('option:checked').innerText())
    .toBe('"weigh"');
  await button('Save case').click();
  await page.getByRole('heading', { name: 'Counts every pen' }).waitFor();
  await run(/^failed/i);
  await page.goto(suiteUrl);
  const marks = page.locator('.case-marks .case-mark');
  await expect.poll(() => marks.allInnerTexts()).toEqual(['✓', '✓', '✗']);
  expect(await marks.last().getAttribute('aria-label')).toBe(
    'Run 3: failed, 0 of 2 graded trials passed.',
  );
  await page.getByText('Last failed; 3 runs, oldest first').waitFor();
  // The suite was edited between the two results, so the case is not flaky.
  expect(await page.getByText('flaky: came out both ways').count()).toBe(0);
  await page
    .getByRole('img', { name: /^Share of trials that passed in the last 3 runs/ })
    .waitFor();
  await page
    .getByText(/^Run 3: 0 % passed \(0 of 2 trials; 95 % interval 0 % to [\d.]+ %\)\.$/)
    .first()
    .waitFor();
  await look();
});

test('settings, judge and schedule are written by form, with the head of the file beside', async () => {
  await link('Settings').click();
  await field('Passing score').fill('7');
  await problemOf('Passing score').waitFor();
  await field('Passing score').fill('0.5');
  await expect.poll(() => field('Head of its file').inputValue()).toContain('passThreshold: 0.5');
  const enable = (part: string) =>
    page
      .getByRole('group', { name: part, exact: true })
      .getByLabel('Enabled', { exact: true })
      .selectOption({ label: 'Yes' });
  await enable('Schedule');
  await field('Interval in minutes').fill('60');
  await enable('Judge');
  await look();
  await button('Save settings').click();
  await page.getByText(/^Runs by itself every hour/).waitFor();
  const suite = await ask('GET', `eval-suites/${suiteUrl.split('/').at(-1)}`);
  expect(suite.settings).toMatchObject({
    judge: { enabled: true },
    verdictPolicyDefaults: { passThreshold: 0.5 },
  });
});

test('a schedule runs on days of the week or by cron, in a zone, and shows its next starts', async () => {
  const starts = page.locator('.schedule-preview').getByRole('listitem');
  await link('Settings').click();
  await expect.poll(() => starts.count()).toBe(3);
  await field('Starts').selectOption({ label: 'Daily or on some days of the week' });
  await field('Time of day').fill('25:00');
  await problemOf('Time of day').waitFor();
  expect(await starts.count()).toBe(0);
  await field('Time of day').fill('07:15');
  await field('Monday').check();
  await field('Time zone').fill('Asia/Tokyo');
  await expect.poll(() => starts.count()).toBe(3);
  const days = new Set((await starts.allInnerTexts()).map((text) => text.split(/[ ,]/)[0]));
  expect([...days].every((day) => ['Sunday', 'Monday'].includes(day ?? ''))).toBe(true);
  await look();
  await button('Save settings').click();
  await page.getByText(/^Runs by itself every Monday at 07:15 \(Asia\/Tokyo\)/).waitFor();
  await link('Settings').click();
  await field('Starts').selectOption({ label: 'By a cron expression' });
  await field('Cron expression').fill('0 0 30 2 *');
  await problemOf('Cron expression').waitFor();
  await field('Cron expression').fill('15 */6 * * *');
  await look();
  await button('Save settings').click();
  await page
    .getByText(/^Runs by itself by the cron expression 15 \*\/6 \* \* \* \(Asia\/Tokyo\)/)
    .waitFor();
  const { schedule } = await ask('GET', `eval-suites/${suiteUrl.split('/').at(-1)}`);
  const calendar = { kind: 'cron', expression: '15 */6 * * *', timeZone: 'Asia/Tokyo' };
  expect(schedule).toMatchObject({ enabled: true, intervalMinutes: null, calendar });
});

test('a file that is dropped is read, told where it is wrong, shown, and imported; and written again', async () => {
  await page.goto(`${projectUrl}/suites/new`);
  const file = [
    ...['schemaVersion: "1"', 'suite: { id: hours, name: From a file }'],
    ...['target: { servers: [{ name: Elsewhere }] }', 'defaults: { model: proofmark/lexical-1 }'],
    ...['cases:', '  - id: pens', '    title: Pens <b>here</b>', '    steps:'],
    '      - { kind: prompt, prompt: Count the pens }',
  ].join('\n');
  await drop('wrong.yaml', file.replace('kind: prompt,', 'kind: promt,'));
  await page.getByText(/^Line 9, column \d+: cases\[0\]\.steps\[0\]/).waitFor();
  await drop('hours.yaml', file);
  await page.getByText('Pens <b>here</b>').waitFor();
  await page.getByText(/It is new:/).waitFor();
  await field('Elsewhere').selectOption({ label: 'Stock' });
  await look();
  await button('Import').click();
  await heading('From a file');
  await page.getByRole('heading', { name: 'Pens <b>here</b>' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
  expect(download.suggestedFilename()).toBe('from-a-file.yaml');
  const exported = readFileSync(await download.path(), 'utf8');
  expect(exported).toContain('title: Pens <b>here</b>');
  await page.goto(`${projectUrl}/suites/new`);
  for (const again of [file, exported]) {
    await drop('again.yaml', again);
    await page.getByText(/It is there already, as From a file with 1 case:/).waitFor();
    await button('Cancel').click();
  }
  await drop('again.yaml', exported);
  await field('Elsewhere').selectOption({ label: 'Stock' });
  await button('Import as a copy').click();
  await heading('From a file (copy)');
});

test('a call that was tried becomes a case of a new suite, which passes', async () => {
  const { items } = await ask('GET', 'servers');
  await page.goto(`${projectUrl}/servers/${items[0].id}?section=tools&item=count_stock`);
  await field('item (required)').fill('pens');
  await button('Call the tool').click();
  await button('Make a case of this call').click();
  const dialog = page.getByRole('dialog');
  const suite = dialog.getByLabel('Suite', { exact: true });
  await suite.waitFor();
  expect(await suite.inputValue()).not.toBe('new');
  await suite.selectOption({ label: 'A new suite…' });
  await dialog.getByLabel('Name of the suite').fill('Tried calls');
  await look();
  await dialog.getByRole('button', { name: 'Make case' }).click();
  await heading('Tried calls');
  await page.getByText('A result contains a text').waitFor();
  suiteUrl = page.url();
  await run(/^passed/i);
});

test('nothing scrolled sideways, complained or left the service', () => {
  expect(wider).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});

async function drop(name: string, content: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)})); return data; })()`,
  );
  await page.locator('.drop-file').dispatchEvent('drop', { dataTransfer: data });
}
