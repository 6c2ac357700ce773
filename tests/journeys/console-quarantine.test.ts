import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import { confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  manyRuns,
  type ProjectApi,
  projectApi,
} from '@proofmark/harness/journeys/stock-servers.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';
import { unreadableTexts } from './unreadable-texts.ts';

let workspace: SharedWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let ask: ProjectApi;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  service = await workspace.serveHere([], manyRuns);
  const made = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url, { viewport: wide });
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, made.apiKey);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const wide = { width: 1440, height: 900 };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const block = () => page.locator('section[aria-labelledby="quarantine"]');

/**
 * Checks on a phone and in the dark theme that nothing scrolls sideways and all texts are readable.
 */
async function look(): Promise<void> {
  const shapes = [
    ['light', 360],
    ['dark', 1280],
  ] as const;
  expect(await sidewaysIn(page, shapes)).toEqual([]);
  expect(await unreadableTexts(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}

test('a failed case is put into quarantine on the page of its run, and lifted on that of the suite', async () => {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results: [tracked, confused] };
  const { runId, suiteId } = await ask('POST', 'eval-ingest/report', body);
  await page.goto(`${projectUrl}/runs/${runId}`);
  await block().getByText('No case that failed is in quarantine.').waitFor();
  await button('Quarantine…').click();
  const dialog = page.getByRole('dialog');
  expect(
    await dialog.getByLabel('Case', { exact: true }).locator('option').allTextContents(),
  ).toEqual(['Find an order by e-mail']);
  await button('Put into quarantine').click();
  await dialog.getByText('owner must name the person who repairs the case.').first().waitFor();
  await dialog.getByLabel('Owner').fill('Mika');
  await dialog.getByLabel('Reason').fill('Races with the cache');
  await look();
  await button('Put into quarantine').click();
  await dialog.waitFor({ state: 'detached' });
  await block().getByText('The gate lets this run through').waitFor();
  expect(await block().textContent()).toContain('owner: Mika, 14 days left');
  expect(await button('Quarantine…').count()).toBe(0);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^FAILED/);
  await look();

  await page.goto(`${projectUrl}/suites/${suiteId}`);
  const row = block().getByRole('row').filter({ hasText: 'Mika' });
  expect(await row.textContent()).toContain('14 days');
  await look();
  await button('Lift').click();
  await button('Lift quarantine').click();
  await block().getByText('No case is in quarantine.').waitFor();
  const again = { caseId: 'find-order', owner: 'Mika', reason: 'Slow' };
  const expiresAt = Date.now() + 86_400_000;
  await ask('POST', `eval-suites/${suiteId}/quarantine`, { ...again, expiresAt });
  await page.goto(`${projectUrl}/runs/${runId}`);
  await block().getByText('owner: Mika, 1 day left').waitFor();
  await button('Lift').click();
  await button('Lift quarantine').click();
  await block().getByText('No case that failed is in quarantine.').waitFor();
});
