import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  manyRuns,
  type ProjectApi,
  projectApi,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';
import { scriptPayloads } from './script-payloads.ts';
import { unreadableTexts } from './unreadable-texts.ts';

const workspace = createSharedWorkspace();
const wide = { width: 1440, height: 900 };
const taking = (property: string) => ({
  type: 'object',
  properties: { [property]: { type: 'string', description: 'The number of the order.' } },
  required: [property],
});
const track = { name: 'track', description: 'Track a parcel.', inputSchema: taking('parcel') };
const settle = {
  name: 'settle',
  description: 'Refund an order: pay the money back.',
  inputSchema: taking('order'),
};
const settleNow = {
  ...settle,
  description: `Refund an order.\u200b ${scriptPayloads.join(' ')}`,
  inputSchema: taking('reference'),
};
let tools: object[] = [settle, track];
let service: ServiceHere;
let shop: Awaited<ReturnType<typeof startFakeMcpServer>>;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
let suiteId: string;
let runs: string[] = [];

beforeAll(async () => {
  shop = await startFakeMcpServer({
    'tools/list': (response, request) => sendJson(response, rpcResult(request, { tools })),
  });
  service = await workspace.serveHere([], { ...manyRuns, PROOFMARK_SAMPLE: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url, { viewport: wide });
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  await makeRuns();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace.remove();
  await shop?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = () => page.getByRole('heading', { level: 1 });
const section = (name: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name, exact: true }) });

/**
 * Creates two runs of one suite. Between them the server changes a tool's description, and a case
 * gains an assertion.
 */
async function makeRuns(): Promise<void> {
  const server = { name: 'Shop', enabled: true, transportType: 'http', url: shop.url };
  const { id } = await ask('POST', 'servers', server);
  const asked = (title: string, prompt: string, toolName: string, given: object) => ({
    title,
    steps: [
      { id: 'ask', kind: 'prompt', prompt },
      {
        id: 'expect',
        kind: 'assert',
        assertion: { type: 'toolCalledWith', toolName, args: { args: given } },
      },
    ],
  });
  const made = await ask('POST', 'eval-suites', {
    name: 'Order desk',
    serverIds: [id],
    model: 'proofmark/lexical-1',
    tests: [
      asked('Pays back', 'Refund order "17" and pay the money back.', 'settle', { order: '17' }),
      asked('Tracks', 'Track the parcel "B7".', 'track', {}),
    ],
  });
  ({ suiteId } = made);
  const play = async () => {
    const { runId } = await ask('POST', 'eval-runs', { suiteId });
    await until(async () => (await ask('GET', `eval-runs/${runId}`)).status === 'completed', runId);
    return runId as string;
  };
  runs = [await play()];
  tools = [settleNow, track];
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  await ask('PATCH', `eval-suites/${suiteId}/cases/${items[1].id}`, {
    checks: { mode: 'extend', list: [{ type: 'noToolErrors' }] },
  });
  runs.push(await play());
}

/**
 * Checks on a phone and in the dark theme that nothing scrolls sideways and all texts are readable.
 */
async function look(): Promise<void> {
  const wider = await sidewaysIn(page, [
    ['light', 360],
    ['dark', 1280],
  ]);
  expect(wider).toEqual([]);
  expect(await unreadableTexts(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}

test('from the run to the run before: the address names both, the verdict comes first', async () => {
  await page.goto(`${projectUrl}/runs/${runs[1]}`);
  await heading()
    .filter({ hasText: /failed/i })
    .waitFor();
  await page.getByRole('link', { name: 'Compare with…', exact: true }).click();
  await heading()
    .filter({
      hasText:
        '1 case fails now that passed before; otherwise not clearly different from run 1 (paired over 2 cases, too few to compare; corrected over 2 cases)',
    })
    .waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/runs/${runs[1]}/compare/${runs[0]}$`));
  const failing = section('Failing now, passed before: 1 case');
  await failing.getByText('fails now, passed before; 0 of 1 passed, before 1 of 1').waitFor();
  await page
    .getByText(
      'A paired comparison needs 6 cases with graded trials in both runs; there are 2 (2 trials; in run 1: 2)',
    )
    .waitFor();
  await section('Figures')
    .getByRole('row', { name: /^Pass rate 100 % 50 % −50 points/ })
    .waitFor();
});

test('the case that moved opens to both conversations, and the address keeps it open', async () => {
  await button('Pays back').click();
  const before = page.getByRole('region', { name: 'In run 1' });
  const now = page.getByRole('region', { name: 'In run 2' });
  await before.getByText('Trial 1 passed').waitFor();
  await before.getByText('settle', { exact: true }).first().waitFor();
  await now.getByText('Trial 1 failed').waitFor();
  await now.getByText('Refund order "17" and pay the money back.').first().waitFor();
  await page.getByText(/^First difference: in run 1 .+; in run 2 .+\.$/).waitFor();
  await now.getByText('first difference', { exact: true }).waitFor();
  const [left, right] = [await before.boundingBox(), await now.boundingBox()];
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  expect(right?.y).toBe(left?.y);
  await page.reload();
  await now.getByText('Trial 1 failed').waitFor();
  await look();
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await now.boundingBox())?.x).toBe((await before.boundingBox())?.x);
  await page.setViewportSize(wide);
});

test('what the server says of its tool stands as it was and as it is, as text', async () => {
  const surface = section('Tools of the servers');
  await surface.getByText('1 tool differs, on 1 server.').waitFor();
  const tool = surface.locator('[data-change="changed"]');
  await tool.getByText('settle', { exact: true }).waitFor();
  const shown = await tool.innerText();
  expect(shown).toContain(settle.description);
  expect(shown).toContain('Refund an order.⟨U+200B⟩ <');
  expect(shown).toContain('Input schema › properties › order');
  expect(await page.evaluate('window.executed')).toBeUndefined();
});

test('what is asserted otherwise than before stands beside it', async () => {
  const content = section('Cases and checks');
  await content.getByRole('heading', { name: 'Tracks', exact: true }).waitFor();
  expect(await content.innerText()).toContain('No tool fails');
});

test('a span has a link of its own, which opens and scrolls to it', async () => {
  const now = page.getByRole('region', { name: 'In run 1' });
  await now.getByRole('link', { name: 'Open the whole trace' }).click();
  const spans = page.locator('.timeline li');
  await spans.last().waitFor();
  await spans.last().getByRole('link').click();
  const address = page.url();
  expect(address).toContain('#span-');
  const other = await watched.context.newPage();
  await other.setViewportSize({ width: 1440, height: 500 });
  await other.goto(address);
  const named = other.locator(`[id="${decodeURIComponent(new URL(address).hash.slice(1))}"]`);
  await named.waitFor();
  await expect.poll(() => named.getAttribute('aria-current')).toBe('true');
  await expect
    .poll(async () => {
      const box = await named.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 500;
    })
    .toBe(true);
  await other.close();
});

test('a trial that failed leads to its case, from the run and from its own page', async () => {
  const toCase = page.getByRole('link', { name: 'Edit the case' });
  const isCase = async () => {
    await heading().filter({ hasText: 'Pays back' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`/suites/${suiteId}/cases/\\w+$`));
  };
  await page.goto(`${projectUrl}/runs/${runs[1]}`);
  await toCase.click();
  await isCase();
  await page.goBack();
  await page.getByRole('link', { name: 'Open trace' }).click();
  await page.waitForURL('**/trials/*');
  await toCase.click();
  await isCase();
});

test('it is reached from the suite and from home, and an older address leads to it', async () => {
  await page.goto(`${projectUrl}/suites/${suiteId}`);
  await page.getByRole('link', { name: 'Compare run 2 with the run before' }).click();
  await heading().filter({ hasText: 'Not clearly different from run 1' }).waitFor();
  await page.goto(service.url);
  await page.getByRole('link', { name: 'See what changed since the run before' }).click();
  await heading().filter({ hasText: 'Not clearly different from run 1' }).waitFor();
  await page.goto(`${projectUrl}/runs/${runs[0]}?base=${runs[1]}`);
  await heading().filter({ hasText: '1 case passes now that failed before' }).waitFor();
  await page.getByLabel('Compare with').waitFor();
  await page.goto(`${projectUrl}/runs/${runs[0]}/compare/before`);
  await page.getByRole('heading', { name: 'There is no run before this one' }).waitFor();
  await page.getByRole('link', { name: 'Back to the run' }).click();
  await page.getByRole('heading', { name: 'Beside another run' }).waitFor();
  expect(await page.getByRole('link', { name: /^Compare with/ }).count()).toBe(0);
});

test('the failure is waived and the waiver revoked', async () => {
  await page.goto(`${projectUrl}/runs/${runs[1]}`);
  await button('Waive…').click();
  await dialog().getByLabel('Reason').fill('The description is written anew.');
  await dialog().getByRole('button', { name: 'Waive', exact: true }).click();
  await page.locator('.waiver').getByText('The description is written anew.').waitFor();
  await button('Revoke waiver').click();
  await dialog().getByRole('button', { name: 'Revoke waiver' }).click();
  await expect.poll(() => page.locator('.waiver').count()).toBe(0);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
