import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import { confused, refused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

let workspace: SharedWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
beforeAll(async () => {
  workspace = createSharedWorkspace();
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_INSIGHTS_PER_DAY: '2',
  });
  const made = await workspace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
    ...['--name', 'reporter'],
  );
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  const projectUrl = page.url();
  const ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, made.apiKey);
  const { runId } = await ask('POST', 'eval-ingest/report', {
    suiteName: 'Order desk',
    verdictPolicy: {},
    results: [tracked, confused, confused, refused],
  });
  await page.goto(`${projectUrl}/runs/${runId}`);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const used = (many: number) =>
  page.getByText(`${many} of 2 used today in this organization.`).waitFor();

test('before anybody asks, the page says so and what asking counts against', async () => {
  await page
    .getByText('Nobody has asked yet to have explained what was found in 4 trials.')
    .waitFor();
  await used(0);
});

test('what was found is told with its counts and who says so, without a reload', async () => {
  await button('Explain what was found').click();
  await page.getByText('Written by proofmark/narrator-1').waitFor();
  await used(1);
  await page.getByText('nobody read the transcripts').waitFor();
  const first = page.locator('.finding').first();
  expect(await first.locator('summary').innerText()).toMatch(
    /A case fails: Find an order by e-mail.*2 of 2 · severity high/s,
  );
  await first.locator('summary').click();
  const text = await first.innerText();
  expect(text).toContain('2 of 2 graded trials failed, most of them first at selection.');
  expect(text).toContain('proofmark/narrator-1, with low confidence');
  const looks = [
    ['light', 360],
    ['dark', 1200],
  ] as const;
  expect(await sidewaysIn(page, looks)).toEqual([]);
});

test('asked for again it counts again, and where none is left the page says so', async () => {
  await button('Explain again').click();
  await used(2);
  await button('Explain again').click();
  await page.getByText('has used up insightsPerDay for today: 2 of 2').waitFor();
});

test('its evidence is one click away', async () => {
  const first = page.locator('.finding').first();
  if ((await first.getAttribute('open')) === null) await first.locator('summary').click();
  await first.getByRole('link', { name: 'Trial in which it happened' }).first().click();
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasText: /^Find an order by e-mail, trial \d+: failed$/ })
    .waitFor();
  expect([watched.complaints, watched.foreign]).toEqual([[], []]);
});
