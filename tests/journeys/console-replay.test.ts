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
  properties: { [property]: { type: 'string', description: 'As it is printed on the label.' } },
  required: [property],
});
const tools = [
  {
    name: 'advise',
    description: 'Tells where the money of an order is.',
    inputSchema: taking('reference'),
  },
  { name: 'settle', description: 'Does it.', inputSchema: taking('reference') },
  { name: 'track', description: 'Track a parcel.', inputSchema: taking('parcel') },
  { name: 'wrap', title: 'Wraps gifts in coloured paper', inputSchema: taking('colour') },
];
let answer = 'The parcel is on its way.';
let service: ServiceHere;
let shop: Awaited<ReturnType<typeof startFakeMcpServer>>;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
let suiteId: string;
let runId: string;

beforeAll(async () => {
  shop = await startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { readonly name: string };
      const text = name === 'track' ? answer : 'Done.';
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text }] }));
    },
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
  await makeRun();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace.remove();
  await shop?.stop();
});

/**
 * Creates a run in which one case finds its tool. The other case does not, since its tool has no
 * description.
 */
async function makeRun(): Promise<void> {
  const server = { name: 'Shop', enabled: true, transportType: 'http', url: shop.url };
  const { id } = await ask('POST', 'servers', server);
  const asked = (title: string, prompt: string, toolName: string) => ({
    title,
    steps: [
      { id: 'ask', kind: 'prompt', prompt },
      {
        id: 'expect',
        kind: 'assert',
        assertion: { type: 'toolCalledWith', toolName, args: { args: {} } },
      },
    ],
  });
  ({ suiteId } = await ask('POST', 'eval-suites', {
    name: 'Order desk',
    serverIds: [id],
    model: 'proofmark/lexical-1',
    tests: [
      asked('Pays back', 'Refund order "17" and pay the money back.', 'settle'),
      asked('Tracks', 'Track the parcel "B7".', 'track'),
    ],
  }));
  ({ runId } = await ask('POST', 'eval-runs', { suiteId }));
  await until(async () => (await ask('GET', `eval-runs/${runId}`)).status === 'completed', runId);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = () => page.getByRole('heading', { level: 1 });
const costs = (name: string) => dialog().getByLabel(name, { exact: true });

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

test('a replay says what it costs before it starts, and asks no model', async () => {
  await page.goto(`${projectUrl}/runs/${runId}`);
  await button('Replay…').click();
  await costs('Estimate of the replay').getByText('2 recorded trials.').waitFor();
  await dialog()
    .getByText('This costs nothing, because the answers of models are recorded.')
    .waitFor();
  await dialog().getByLabel('The model anew, against the recorded servers').check();
  await costs('Estimate of the replay').getByText('the model. No server.').waitFor();
  await look();
  await dialog().getByLabel('Only the grading anew').check();
  await costs('Estimate of the replay').getByText('nobody.').waitFor();
  await dialog().getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('No trial diverged: 2 trials played.').waitFor();
  await page.getByText('model and servers recorded, graded anew.').waitFor();
});

test('from a server that answers otherwise: the run says so first, the trial what and where', async () => {
  answer = `The parcel is lost.\u200b ${scriptPayloads[0]}`;
  // A replay of a replay replays the originally recorded run, here run 1.
  await button('Replay…').click();
  await dialog().getByRole('button', { name: 'Replay', exact: true }).click();
  const lines = page.locator('[data-replay]');
  await lines.getByText('1 of 2 trials diverged').waitFor();
  await lines.getByRole('link', { name: 'run 1', exact: true }).waitFor();
  expect(await lines.innerText()).toMatch(
    /the servers live.*Most often, in 1 trial: The tool "track" of "Shop" answered differently than recorded/,
  );
  await heading().filter({ hasText: 'No answer: 1 of 2 trials went as recorded' }).waitFor();
  await look();
  await lines.getByRole('link', { name: 'The first trial that did' }).click();
  const divergence = page.locator('.divergence');
  await divergence.getByText('The trial ended there without a result.').waitFor();
  const [before, after] = [
    divergence.locator('figure').nth(0),
    divergence.locator('figure').nth(1),
  ];
  expect(await before.innerText()).toMatch(/Recorded\s+The parcel is on its way\./);
  expect(await after.innerText()).toContain('The parcel is lost.⟨U+200B⟩ <');
  expect(await before.locator('mark').innerText()).toContain('on its way');
  const [left, right] = [await before.boundingBox(), await after.boundingBox()];
  expect(right?.y).toBe(left?.y);
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  expect(await page.evaluate('window.executed')).toBeUndefined();
  await look();
  await page.getByRole('link', { name: 'Run', exact: true }).click();
});

test('one that goes on live says so, and is graded', async () => {
  await button('Replay…').click();
  await dialog().getByLabel('Continue live if a trial diverges').check();
  await dialog().getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('trials that diverge continue live').waitFor();
  await page.getByText('1 of 2 trials diverged').waitFor();
  await button('Show all trials').click();
  await page.getByRole('link', { name: 'Tracks, trial 1' }).click();
  await page.locator('.divergence').getByText('From there the trial went on live.').waitFor();
  await heading().filter({ hasText: 'Tracks, trial 1: passed' }).waitFor();
});

test('other words for a tool are tried beside the words there are, and compared', async () => {
  await page.goto(`${projectUrl}/runs/${runId}`);
  await button('What if…').click();
  await dialog().getByLabel('Tool', { exact: true }).selectOption('settle');
  expect(
    await dialog()
      .getByRole('button', { name: /^Run both/ })
      .isDisabled(),
  ).toBe(true);
  const words = dialog().getByLabel('Description of settle');
  expect(await words.inputValue()).toBe('Does it.');
  await words.fill('Refund an order: pay the money back.');
  await dialog().getByLabel('Trials of each case').fill('5');
  await costs('Estimate of the run').getByText('10 trials on proofmark/lexical-1.').waitFor();
  await look();
  await dialog().getByRole('button', { name: 'Run both and compare' }).click();
  await page.waitForURL('**/compare/*');
  await page.locator('[data-what-if]').getByText('The overlay is better: +50 points').waitFor();
  await heading().filter({ hasText: 'Better than run' }).waitFor();
  const { items } = await ask('GET', `eval-suites/${suiteId}/runs`);
  expect(items.filter((one: { overlay?: object }) => one.overlay !== undefined)).toHaveLength(1);
  expect(items).toHaveLength(6);
  await look();
});

test('a finding of lint is tried with the run that is there, for half', async () => {
  await page.goto(`${projectUrl}/runs/${runId}`);
  const finding = page
    .locator('details.finding', { has: page.locator('button', { hasText: 'Try it…' }) })
    .first();
  await finding.locator('summary').first().click();
  await finding.getByRole('button', { name: 'Try it…' }).first().click();
  await dialog().getByLabel('Compare with run 1 instead of a new run').check();
  await dialog().getByRole('button', { name: 'Run and compare' }).click();
  await page.waitForURL(`**/compare/${runId}`);
  await page
    .locator('[data-what-if]')
    .getByText('Too few trials were graded for a comparison')
    .waitFor();
});

test('nothing of a suite that keeps no recordings can be replayed, in words', async () => {
  await ask('PATCH', `eval-suites/${suiteId}`, { settings: { recordings: 'off' } });
  const made = await ask('POST', 'eval-runs', { suiteId });
  const isDone = async () => (await ask('GET', `eval-runs/${made.runId}`)).status === 'completed';
  await until(isDone, made.runId);
  await page.goto(`${projectUrl}/runs/${made.runId}`);
  await button('Replay…').click();
  await dialog().getByText('Nothing of this run is recorded').waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog().count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Replay…');
  expect([watched.complaints, watched.foreign]).toEqual([[], []]);
});
