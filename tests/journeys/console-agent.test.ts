import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

let workspace: TestWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  service = await workspace.serveHere([], { PROOFMARK_SAMPLE: 'on' });
  await waitForSample(service);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const turns = () => page.locator('.turns > li');

async function ask(text: string): Promise<string> {
  const before = await turns().count();
  await page.getByLabel('Your request').fill(text);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await turns().nth(before).waitFor();
  return (await turns().nth(before).textContent()) ?? '';
}

test('a suite is asked for, made, shown and opened', async () => {
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Agent').click();
  const made = await ask('create a suite called "smoke" for server "Sample bookshop"');
  expect(made).toContain('Created the suite "smoke"');
  expect(made).toContain('List the tools of a server');
  expect(made).toContain('proofmark/lexical-agent-1');
  expect(await ask('list the <b>suites</b>')).toContain('- smoke (ste_');
  expect(await turns().locator('b').count()).toBe(0);
  expect(
    await sidewaysIn(page, [
      ['dark', 360],
      ['light', 1200],
    ]),
  ).toEqual([]);
  await link('the suite smoke').click();
  await page.getByRole('heading', { level: 1, name: 'smoke' }).waitFor();
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
