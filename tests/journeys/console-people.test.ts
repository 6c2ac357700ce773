/** An owner in the browser: invites somebody, looks after them, removes them, and reads in the audit log who did it. */
import { readFileSync } from 'node:fs';
import { call } from '@proofmark/harness/test-service.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Watched, watchedPage } from './open-browser.ts';
import { createReadyWorkspace } from './ready-workspace.ts';
import type { StartedProofmark } from './start-proofmark.ts';

const workspace = createReadyWorkspace();
let service: StartedProofmark;
let browser: Browser;
let owner: Watched;
let page: Page;

beforeAll(async () => {
  service = await workspace.serve();
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
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
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
  await ann.page.getByRole('alert').getByText('used, withdrawn or is too old').waitFor();
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
  await page.getByRole('cell', { name: 'read-only' }).waitFor();
});

test.each([1200, 360])('fits at %i pixels: no page scrolls sideways', async (width) => {
  await page.setViewportSize({ width, height: 740 });
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
  await heading('Members');
  const members = page.url();
  const paths = [members, members.replace(/members$/, 'audit-log'), `${service.url}/api-keys`];
  const person = await page.getByRole('link', { name: 'owner@localhost' }).getAttribute('href');
  for (const url of [...paths, `${service.url}${person}`, `${service.url}/invitation`]) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - innerWidth',
    );
    expect({ url, overflow }).toEqual({ url, overflow: 0 });
  }
  expect(owner.complaints).toEqual([]);
  expect(owner.foreign).toEqual([]);
});
