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
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CaseStage, startCaseStage } from './case-stage.ts';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 390],
];
let workspace: SharedWorkspace;
let stage: CaseStage;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
let runUrl: string;
let suites: Awaited<ReturnType<CaseStage['makeSuites']>>;
const wider: string[] = [];

beforeAll(async () => {
  workspace = createSharedWorkspace();
  stage = await startCaseStage(workspace.folder);
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  suites = await stage.makeSuites(ask);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stage?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const waitForText = (text: string | RegExp) => page.getByText(text).first().waitFor();
const verdict = (text: RegExp) =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
const partOf = (id: string) => page.locator(`section[aria-labelledby="${id}"]`);
const rowsOf = (id: string) => partOf(id).locator('tbody tr').allInnerTexts();

async function look(): Promise<void> {
  wider.push(...(await sidewaysIn(page, looks)));
  await page.setViewportSize({ width: 1200, height: 800 });
}

test('a project has a scorer secret, which is shown once', async () => {
  await page.goto(`${projectUrl}?section=settings`);
  await waitForText('There is none yet, so suites with an own scorer cannot be run.');
  await button('Make a secret').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make secret', exact: true }).click();
  await dialog.getByText('It cannot be shown again.').waitFor();
  await look();
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await button('Make another secret').waitFor();
});

test('a client says whether calls go at once and whether links are read', async () => {
  await page.goto(`${projectUrl}/clients/new?from=proofmark`);
  await field('Name').fill('Hasty');
  await button('Create client').click();
  await field('Parallel tool calls').selectOption('yes');
  await field('Resource links in results').selectOption('yes');
  expect(JSON.parse(await field('Config as JSON').inputValue())).toMatchObject({
    parallelToolCalls: true,
    mcpProfile: { resourceLinks: 'read' },
  });
  await look();
});

test('a suite shows rows and sample, what is done around trials, and criteria in words', async () => {
  await page.goto(`${projectUrl}/suites/${suites.deskId}`);
  await page.getByText('4 rows by item; a run plays 2 of them, seed 7').click();
  const rows = page.getByRole('region', { name: 'Rows' });
  await expect
    .poll(() => rows.locator('tbody tr').allInnerTexts())
    .toContainEqual(expect.stringMatching(/pens\s+4/));
  expect(await field('Rows in a run').inputValue()).toBe('2');
  expect(await partOf('cases').getByLabel('Seed', { exact: true }).inputValue()).toBe('7');
  await waitForText('2 trials of each row in a run, with the model of the suite');
  const cases = await partOf('cases').innerText();
  for (const part of [
    ...['Around every trial', 'Before Shop: reset_stock()', 'After Shop: reset_stock()'],
    'criteria Number at 0.5 (It names a number.), Tone (It is friendly.)',
  ]) {
    expect(cases).toContain(part);
  }
  await page.setViewportSize({ width: 390, height: 740 });
  const label = 'getComputedStyle(document.querySelector(".case-rows td"), "::before").content';
  expect(await page.evaluate(label)).toBe('"item"');
  await look();
});

test('a server contract says that it asks no model', async () => {
  await page.goto(`${projectUrl}/suites/${suites.contractId}`);
  await waitForText('1 trial, without a model.');
  await waitForText('This costs nothing.');
  await waitForText(/^A server contract: .* asks no model\.$/);
  await waitForText('1 trial in each run, without a model');
});

test('a run is given credits, and tells its sample, how judges agreed and how sure it is', async () => {
  await page.goto(`${projectUrl}/suites/${suites.deskId}`);
  await page.getByText('Limit its credits').click();
  await field('Max credits of this run').fill('many');
  await waitForText('Enter a number of credits, as 50 or 2.5.');
  expect(await button('Run').isDisabled()).toBe(true);
  await field('Max credits of this run').fill('50000');
  await waitForText(/The run may use 50,000 credits, judges included/);
  await button('Run').click();
  await verdict(/passed: all 4 case variants/i);
  runUrl = page.url();
  await waitForText(/Sampled: 2 of 4 rows, seed 7\./);
  expect(await partOf('facts').innerText()).toMatch(/Credits limit\s+50,000 credits/);
  expect(await partOf('judge-votes').innerText()).toMatch(
    /Judges were asked 6 questions in checks: 6 held.* 16 of 18 votes went with the most/,
  );
  await button('How sure is this?').click();
  await field('Chance that this many trials all pass:').fill('2');
  await waitForText('Chance that 2 trials all pass: 100 %.');
  await waitForText(/All of 2 graded trials passed/);
  await partOf('groundedness').getByText('Claims that no result supports:').first().waitFor();
  await look();
});

test('a suite tells what it takes to see a drop, and what that costs', async () => {
  await page.goto(`${projectUrl}/suites/${suites.deskId}`);
  const panel = partOf('plan');
  await panel.getByLabel('Drop of the pass rate, in percent').fill('much');
  await panel.getByRole('button', { name: 'Plan', exact: true }).click();
  await waitForText('Give a number of percent below 100.');
  await panel.getByLabel('Drop of the pass rate, in percent').fill('20');
  await panel.getByRole('button', { name: 'Plan', exact: true }).click();
  await panel.getByText(/^Trials needed to see a drop of 20.%/).waitFor();
  expect(await panel.innerText()).toMatch(
    /A run of \d+ case variants, if all are healthy: about .* trials/,
  );
  expect(await panel.innerText()).toMatch(/Cost: .* minutes on average/);
  await look();
  await page.goto(runUrl);
});

test('a trial shows each vote, the score of an own scorer and what servers said', async () => {
  await button('Show all trials').click();
  await page
    .getByRole('link', { name: /Tells the customer/ })
    .first()
    .click();
  await waitForText('Said by servers');
  const checks = await page.locator('.turn-checks > ul > li').allInnerTexts();
  expect(checks[0]).toMatch(/by [23] of 3 votes[\s\S]*Vote 1: [\s\S]*Vote 3: /);
  expect(checks.join('\n')).toMatch(
    /A judge finds the goal met: Tone[\s\S]*It scores 0\.9, at or above 0\.5/,
  );
  const events = (await rowsOf('server-events')).join('\n');
  expect(events).toMatch(/Shop\s+log, info\s+Reading shelf 4\./);
  expect(events).toMatch(/Shop\s+progress, 1 of 2\s+Counting/);
  expect(events).toMatch(/notification\s+notifications\/tools\/list_changed/);
  await look();
  await page.goto(runUrl);
  await button('Show all trials').click();
  await page
    .getByRole('link', { name: /Reads the archive/ })
    .first()
    .click();
  await waitForText('Said by servers');
  expect((await rowsOf('server-events')).join('\n')).toMatch(/stderr\s+shelf\.js: cache miss/);
  expect((await rowsOf('steps'))[0]).toMatch(/open\s+before of the suite\s+ok/);
});

test('a run is played again, stands beside the one before, and offers what failed', async () => {
  stage.breakShop();
  await page.goto(runUrl);
  await button('Rerun all').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rerun all' }).click();
  await verdict(/failed: 3 of 4 case variants/i);
  await button('Rerun what failed').waitFor();
  await partOf('facts').getByRole('link', { name: 'all of an earlier run' }).waitFor();
  await page.getByRole('link', { name: 'Compare with the run before' }).click();
  await verdict(/3 cases fail now that passed before; otherwise not clearly different from run 1/);
  const compared = await page.locator('.moved-cases li').allInnerTexts();
  expect(compared.join('\n')).toMatch(
    /Tells the customer\s+fails now, passed before; 0 of 2 passed, before 2 of 2\./,
  );
  await look();
});

test('a run that used up its credits says so first', async () => {
  const { runId } = await ask('POST', 'eval-runs', { suiteId: suites.deskId, maxCredits: 0.001 });
  await page.goto(`${projectUrl}/runs/${runId}`);
  await verdict(/its maxCredits of 0\.001 credits were used up/);
  await waitForText('Launch it again with a greater maxCredits, or with fewer trials.');
  await button('Rerun what was not graded').waitFor();
  await look();
});

test('nothing scrolled sideways, complained or left the service', () => {
  expect(wider).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
