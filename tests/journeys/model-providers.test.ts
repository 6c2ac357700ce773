import { writeFileSync } from 'node:fs';
import {
  openBrowser,
  type SilentConnections,
  tooWideBy,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { call } from '@proofmark/harness/test-service.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOneSentence } from './one-sentence.ts';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
const secret = 'sk-canary-of-a-journey-77';
let provider: OpenAiServer;
let service: ServiceHere;
let key: string;
const keys: (string | undefined)[] = [];

beforeAll(async () => {
  provider = await startOpenAiServer({
    small: (_request, _count, authorization) => {
      keys.push(authorization);
      return { text: 'yes' };
    },
    refused: () => ({ status: 401 }),
  });
  const filed = { name: 'filed', kind: 'openai-compatible', baseUrl: provider.baseUrl };
  const config = { modelProviders: [{ ...filed, models: [{ name: 'small' }] }] };
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify(config));
  service = await workspace.serveHere();
  const made = await workspace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
  );
  key = made.apiKey;
});
afterAll(async () => {
  await workspace.remove();
  await provider.stop();
});

async function modelIds(): Promise<string[]> {
  const { body } = await call(`${service.url}/api/v1/models`, { key });
  return body.items.map(({ id }: { id: string }) => id);
}

async function model(...parameters: string[]) {
  const place = ['--data-dir', workspace.dataDir, '--database-url', await workspace.databaseUrl()];
  const all = ['admin', 'model', ...parameters, ...place];
  const done = await workspace.runHere(all, { KEY_OF_TEST: secret });
  expect(done.stdout + done.stderr).not.toContain(secret);
  return done;
}

test('the operator sets, tests and removes one beside the running service, which needs no restart', async () => {
  const given = ['--kind', 'openai-compatible', '--base-url', provider.baseUrl];
  const paid = ['--key-variable', 'KEY_OF_TEST', '--model', 'small=1,2'];
  const set = await model('set', 'desk', ...given, ...paid);
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(await modelIds()).toEqual(['proofmark/lexical-1', 'desk/small', 'filed/small']);
  const listed = await model('list');
  expect(listed.stdout).toMatch(
    /^desk +openai-compatible, of the operator; key: set\n +http.*\n +small: \$1 in, \$2 out /m,
  );
  expect(listed.stdout).toMatch(/^filed +openai-compatible, of the file; key: none$/m);
  expect(await model('test', 'desk')).toMatchObject({ code: 0, stdout: 'desk/small answered.\n' });
  expect(keys.at(-1)).toBe(`Bearer ${secret}`);
  const refused = await model('test', 'desk', '--model', 'refused', '--json');
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, reason: 'KEY_REFUSED' });
  expect(await model('set', 'desk', '--no-key', '--json')).toMatchObject({ code: 0 });
  expect((await model('list')).stdout).toMatch(
    /^desk +openai-compatible, of the operator; key: none$/m,
  );
  expect((await model('set', 'filed', ...given)).stderr).toContain('takes precedence');
  expect((await model('remove', 'desk')).code).toBe(0);
  expect(await modelIds()).toEqual(['proofmark/lexical-1', 'filed/small']);
  for (const wrong of [
    ['remove', 'desk'],
    ['set', 'new', '--model', 'small'],
    ['set', 'Bad Name', ...given],
    ['set', 'new', ...given, '--key-variable', 'NOT_SET'],
    ['test', 'nowhere'],
  ]) {
    const done = await model(...wrong);
    expect(done.code).toBe(3);
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
  }
});

let browser: Browser;
let owner: SilentConnections;
let page: Page;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const notice = (text: string) => page.getByRole('status').getByText(text).first().waitFor();

test('an owner adds, tests, edits and deletes one in the browser, and never reads its key', async () => {
  browser = await openBrowser();
  owner = await watchedPage(browser, service.url);
  page = owner.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('link', { name: 'People and settings', exact: true }).click();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await heading('Models');
  await page.getByRole('cell', { name: 'from the file' }).waitFor();
  expect(await button('Edit filed').count()).toBe(0);

  await button('Add a provider').click();
  await page.getByLabel('Name', { exact: true }).fill('ours');
  await page.getByLabel('Kind', { exact: true }).selectOption('openai-compatible');
  await page.getByLabel('Models', { exact: true }).fill('small, 1');
  await button('Save provider').click();
  await page.getByText('This line cannot be read: small, 1').waitFor();
  await page.getByLabel('Models', { exact: true }).fill('small, 1, 2');
  await button('Save provider').click();
  await page.getByText('A provider of this kind needs an address.').waitFor();
  await page.getByLabel('Address', { exact: true }).fill(provider.baseUrl);
  await page.getByLabel('Key', { exact: true }).fill(secret);
  await button('Save provider').click();
  await notice('Provider ours saved.');
  expect(await modelIds()).toContain('ours/small');

  await button('Test ours').click();
  await page.getByText('small answered.').waitFor();
  expect(keys.at(-1)).toBe(`Bearer ${secret}`);
  await button('Edit ours').click();
  await page.getByText('A key is set. Write another to replace it.').waitFor();
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  await page.getByLabel('Models', { exact: true }).fill('refused');
  await button('Save provider').click();
  await notice('Provider ours saved.');
  await button('Test ours').click();
  await page.getByText('refuses the key (HTTP 401)').waitFor();
  expect(await page.content()).not.toContain(secret);
});

test.each([1200, 360])('the page fits at %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 740 });
  await page.reload();
  await page.getByRole('rowheader', { name: 'ours' }).waitFor();
  expect(await tooWideBy(page)).toBe(0);
  await button('Edit ours').click();
  expect(await tooWideBy(page)).toBe(0);
  await button('Cancel').click();
});

test('what is deleted is gone at once, and the pages complained of nothing', async () => {
  await button('Delete ours').click();
  await button('Delete provider').click();
  await notice('Provider ours deleted.');
  expect(await modelIds()).toEqual(['proofmark/lexical-1', 'filed/small']);
  expect(owner.complaints).toEqual([]);
  expect(owner.foreign).toEqual([]);
  await browser.close();
});
