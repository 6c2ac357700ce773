import { readFileSync } from 'node:fs';
import { inDatabase } from '@proofmark/harness/journeys/in-database.ts';
import {
  openBrowser,
  type SilentConnections,
  tooWideBy,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { call } from '@proofmark/harness/test-service.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();

async function spend(url: string): Promise<void> {
  await inDatabase(url, async (client) => {
    await client.query(`
      insert into daily_counters (organization_id, day, counter, used)
      select organizations.id, (now() at time zone 'utc')::date - ago, 'credits', credits
      from organizations, (values (0, 9), (1, 4)) as told (ago, credits)`);
    await client.query(`
      insert into ledger (organization_id, project_id, day, kind, model, input_tokens, output_tokens, credits, priced, ref, step)
      select projects.organization_id, projects.id, (now() at time zone 'utc')::date - ago, kind, model, 60000, 10, credits, true, 'ref', '1'
      from projects, (values (0, 'trial_step', 'local/paid', 9), (1, 'judge', 'local/judge', 4)) as told (ago, kind, model, credits)`);
  });
}
let service: ServiceHere;
let browser: Browser;
let owner: SilentConnections;
let page: Page;

beforeAll(async () => {
  service = await workspace.serveHere([], { PROOFMARK_CREDITS_PER_DAY: '30' });
  browser = await openBrowser();
  owner = await watchedPage(browser, service.url);
  page = owner.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await heading('Nothing has run yet');
});
afterAll(async () => {
  await browser?.close();
  await workspace.remove();
});

const heading = (name: string, on: Page = page) =>
  on.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const notice = (text: string) => page.getByRole('status').getByText(text).first().waitFor();

test('members: invited by a link, given a tier and a role, and removed with all they had', async () => {
  await page.getByRole('link', { name: 'People and settings', exact: true }).click();
  await heading('Members');
  await button('Invite somebody').click();
  await page.getByLabel('E-mail', { exact: true }).fill('ann@acme.example');
  await button('Make invitation').click();
  const shown = await page.getByRole('dialog', { name: 'Invitation of ann@acme.example' });
  const link = /https?:\/\/\S+#token=[\w-]{43}/.exec(await shown.innerText())?.[0] ?? '';
  await button('Done').click();
  await page.getByRole('cell', { name: 'ann@acme.example' }).waitFor();

  const ann = await watchedPage(browser, service.url);
  await ann.page.goto(link);
  const facts = ann.page.locator('dl.facts');
  for (const fact of ['My organization', 'ann@acme.example', 'member']) {
    await facts.getByText(fact).first().waitFor();
  }
  await ann.page.getByRole('button', { name: 'Accept invitation' }).click();
  await heading('Projects', ann.page);
  expect(ann.page.url()).not.toContain('token');
  expect(ann.complaints).toEqual([]);

  await page.reload();
  await page.getByRole('link', { name: 'ann@acme.example' }).click();
  await heading('ann@acme.example');
  await page.getByLabel('Default', { exact: true }).selectOption('manage');
  await notice('Saved.');
  await page.getByLabel('In My organization').selectOption('admin');
  await button('Save role').click();
  await notice('ann@acme.example is now admin.');
  await button('Remove member').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
  await notice('ann@acme.example removed.');
  await heading('Members');
  await page.getByText('ann@acme.example', { exact: true }).waitFor({ state: 'detached' });
  await ann.page.reload();
  await heading('Sign in', ann.page);
  await ann.page.goto(link);
  await ann.page
    .getByRole('alert')
    .getByText('already used, was withdrawn or has expired')
    .waitFor();
  expect(await ann.page.getByRole('button', { name: 'Accept invitation' }).count()).toBe(0);
  await ann.context.close();
});

test('the audit log: what was done, by whom, filtered, and as a file', async () => {
  const made = await workspace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
    ...['--scope', 'read-only'],
  );
  expect((await call(`${service.url}/api/v1/me`, { key: made.apiKey })).status).toBe(200);
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await heading('Audit log');
  await page.getByRole('rowheader', { name: 'API key made' }).first().waitFor();
  await page.getByLabel('Kind', { exact: true }).selectOption('Members');
  await button('Filter').click();
  await page.getByRole('rowheader', { name: 'member removed' }).waitFor();
  await page.getByRole('rowheader', { name: 'API key made' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('row').count()).toBe(6);
  const [file] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual([
    ...['member.removed', 'member.roleChanged', 'member.tierChanged'],
    ...['member.joined', 'member.invited'],
  ]);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  const key = page.getByRole('row').filter({ hasText: 'read-only' });
  expect(await key.locator('[data-label="Expires"]').innerText()).toBe('never');
  expect(await key.locator('[data-label="Last used"] time').count()).toBe(1);
});

test('limits and spending: what is left today, what models cost, and the days before', async () => {
  await spend(await workspace.databaseUrl());
  await page.getByRole('link', { name: 'Limits and spending', exact: true }).click();
  await heading('Limits and spending');
  const limit = async (name: string) =>
    (await page.getByRole('row').filter({ hasText: name }).first().innerText()).split(
      /\s*\n?\t\s*/,
    );
  expect((await limit('Credits')).join(' ')).toMatch(/9 credits today .*30 credits 21 credits/);
  expect((await limit('Insights')).join(' ')).toMatch(/25 requests/);
  const spent = page.getByRole('row').filter({ hasText: 'local/paid' });
  expect((await spent.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'Trials local/paid 1 trial 60,000 in, 10 out 9 credits',
  );
  const days = page.locator('.spent-days li');
  await expect.poll(() => days.count()).toBe(14);
  await days.nth(12).getByRole('link').click();
  await page.getByText('Judges', { exact: true }).waitFor();
  expect(await spent.count()).toBe(0);
});

// The test console-pages checks these pages too, with other contents.
test.each([1200, 360])('fits at %i pixels: no page scrolls sideways', async (width) => {
  await page.setViewportSize({ width, height: 740 });
  await page.getByRole('link', { name: 'People and settings', exact: true }).click();
  await heading('Members');
  const members = page.url();
  const paths = [
    members,
    ...['audit-log', 'spending', 'models'].map((one) => members.replace(/members$/, one)),
    ...['api-keys', 'account', 'health'].map((one) => `${service.url}/${one}`),
  ];
  const person = await page.getByRole('link', { name: 'owner@localhost' }).getAttribute('href');
  for (const url of [...paths, `${service.url}${person}`, `${service.url}/invitation`]) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const overflow = await tooWideBy(page);
    expect({ url, overflow }).toEqual({ url, overflow: 0 });
  }
  expect(owner.complaints).toEqual([]);
  expect(owner.foreign).toEqual([]);
});
