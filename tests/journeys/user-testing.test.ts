/**
 * Tests one conversation from link to report: an owner publishes the sample; a stranger opens the
 * link in a separate window, talks, approves, rates and ends; the owner reads the session. One
 * service, without a key and without a network.
 */

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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
const settings = {
  PROOFMARK_RATE_LIMIT: 'off',
  PROOFMARK_SAMPLE: 'on',
  PROOFMARK_BRAKES: 'off',
  PROOFMARK_SETTLE_MS: '0',
  PROOFMARK_MINING_DEBOUNCE_MS: '0',
};
let workspace: TestWorkspace;
let service: ServiceHere;
let browser: Browser;
let owner: SilentConnections;
let visitor: SilentConnections;
let projectUrl: string;
let ask: ProjectApi;
let shareUrl: string;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  service = await workspace.serveHere([], settings);
  await waitForSample(service);
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  owner = await watchedPage(browser, service.url);
  visitor = await watchedPage(browser, service.url);
  await owner.page.goto(
    service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '',
  );
  await link(owner.page, 'Default').click();
  await link(owner.page, 'Evals').waitFor();
  projectUrl = owner.page.url().split('?')[0] as string;
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const state = (page: Page, name: string) => page.locator(`main[data-state="${name}"]`).waitFor();

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await button(page, 'Send').click();
}

describe('a visit', () => {
  test('the sample is published in the console, for anybody who has the link', async () => {
    const { page } = owner;
    await link(page, 'User testing').click();
    await page.getByText('Nobody can talk to this project yet.').waitFor();
    const [environment] = (await ask('GET', 'environments')).items;
    const { id: clientId, configId } = await ask('GET', `clients/${environment.hostId}`);
    const asking = { set: { requireToolApproval: true }, expectedConfigId: configId };
    await ask('PATCH', `clients/${clientId}`, asking);
    await field(page, 'Environment').selectOption({ label: environment.name });
    await field(page, 'Access to the link').selectOption({ label: 'Anybody who has the link' });
    await button(page, 'Publish').click();
    await page.getByRole('heading', { level: 1, name: environment.name }).waitFor();
    await link(page, 'Settings').click();
    await field(page, 'Ratings').selectOption({ label: 'Stars, 1 to 5' });
    await button(page, 'Save texts').click();
    await page.getByText('Texts saved.').waitFor();
    shareUrl = (await page.locator('.the-link code').innerText()).trim();
    expect(shareUrl).toMatch(/\/user-testing\/[a-z0-9-]+\/[\w-]{43}$/);
  });

  test('whoever only fetches the link has opened nothing', async () => {
    const fetched = await fetch(shareUrl, { headers: { 'user-agent': 'Slackbot-LinkExpanding' } });
    expect(fetched.status).toBe(200);
    expect(fetched.headers.get('set-cookie')).toBeNull();
    expect(fetched.headers.get('x-robots-tag')).toContain('noindex');
    expect(fetched.headers.get('referrer-policy')).toBe('no-referrer');
    expect(fetched.headers.get('cache-control')).toBe('no-store');
    await owner.page.goto(`${projectUrl}?section=user-testing`);
    await owner.page.getByRole('table').getByRole('link').first().click();
    await owner.page.getByText('Nobody has said anything yet').waitFor();
  });

  test('a stranger accepts the notice, asks, approves by keyboard, and is answered', async () => {
    const { page } = visitor;
    await page.goto(shareUrl);
    await state(page, 'notice');
    expect(page.url()).toMatch(/\/user-testing\/[a-z0-9-]+\/scn_\w+$/);
    await button(page, 'Accept').click();
    await state(page, 'chatting');
    await say(page, 'When does the bookshop open and close on Monday?');
    await state(page, 'approval');
    const card = page.locator('.approval:focus');
    expect(await card.innerText()).toContain('opening_hours');
    expect(await card.innerText()).toContain('"day": "Monday"');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await state(page, 'chatting');
    await page.locator('.answer > p').getByText('09:00').waitFor();
    await button(page, '4 stars').click();
    await page.getByText('Thank you.').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
  });

  test('a call that is denied is not made, and one that fails is told', async () => {
    const { page } = visitor;
    await say(page, 'When does the bookshop open and close on Tuesday?');
    await button(page, 'Deny').click();
    await page.locator('.tool summary').nth(1).getByText('denied').waitFor();
    await say(page, 'When does the bookshop open and close on Sunday?');
    await button(page, 'Approve').click();
    await page.locator('.tool summary').nth(2).getByText('failed').waitFor();
    await state(page, 'chatting');
    await button(page, 'Send').waitFor();
  });

  test('a reload goes on where it was, without the token', async () => {
    const { page } = visitor;
    await page.reload();
    await state(page, 'chatting');
    await page.getByText('When does the bookshop open and close on Monday?').waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, location])',
    );
    expect(kept).not.toContain(shareUrl.split('/').at(-1) as string);
  });

  test('who may open it changes, and the visitor notices nothing', async () => {
    const { page } = visitor;
    const [{ id }] = (await ask('GET', 'scenarios')).items;
    await ask('PUT', `user-testing/scenarios/${id}/members`, { email: 'a@example.org' });
    await ask('DELETE', `user-testing/scenarios/${id}/members/a%40example.org`);
    await say(page, 'When does the bookshop open and close on Sunday?');
    await button(page, 'Approve').click();
    await page.locator('.turn').nth(3).locator('summary').getByText('failed').waitFor();
    await button(page, 'Send').waitFor();
  });

  test('the end is rated with a comment', async () => {
    const { page } = visitor;
    await button(page, 'End').click();
    await state(page, 'ended');
    await button(page, '2 stars').last().click();
    await page.getByLabel('Anything to add?').fill('Sunday <b>never</b> works.');
    await button(page, 'Add comment').click();
    await page.getByText('Your comment was added.').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    expect(visitor.foreign).toEqual([]);
  });

  test('the owner reads it, sees the finding and makes a case of it', async () => {
    const { page } = owner;
    await page.getByText('2 of 5').first().waitFor();
    await link(page, 'Findings').click();
    const finding = page.locator('.finding').filter({ hasText: 'opening_hours' }).first();
    await finding.locator('summary').click({ timeout: 60_000 });
    await finding.getByRole('link').first().click();
    await page.getByText('They added:').waitFor();
    await page.getByText('Sunday <b>never</b> works.').waitFor();
    await button(page, 'Make a case').click();
    await button(page, 'Make case').click();
    await page.getByText('When does the bookshop open').first().waitFor();
    expect(owner.complaints).toEqual([]);
    expect(owner.foreign).toEqual([]);
  });

  test('a stranger deletes what they said, and the owner has it no more', async () => {
    const { page } = visitor;
    await button(page, 'Delete this conversation').click();
    await button(page, 'Delete').click();
    await page.getByText('Your conversation was deleted').waitFor();
    const [{ id }] = (await ask('GET', 'scenarios')).items;
    expect((await ask('GET', `user-testing/scenarios/${id}/sessions`)).items).toEqual([]);
  });

  test('a closed link says so', async () => {
    const [environment] = (await ask('GET', 'environments')).items;
    await ask('DELETE', `environments/${environment.id}/scenario`);
    await visitor.page.goto(shareUrl);
    await state(visitor.page, 'closed');
    await visitor.page.getByText('This link does not work').waitFor();
    expect(await sidewaysIn(visitor.page, looks)).toEqual([]);
  });
});
