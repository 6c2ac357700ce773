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
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1440],
  ['dark', 390],
];
const html = `<!doctype html><title>Order</title><label>Copies <input data-testid="copies" value="1"></label>
<button>Place order</button><p></p><script>
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ data }) => {
  if (data.id === 1) send({ method: 'ui/notifications/initialized', params: {} });
});
send({ id: 1, method: 'ui/initialize', params: {
  protocolVersion: '2025-11-21', appInfo: { name: 'order', version: '1' }, appCapabilities: {} } });
console.error('<img src=x onerror="document.title=1">');
document.querySelector('button').onclick = () => {
  document.querySelector('p').textContent = 'Ordered ' + document.querySelector('input').value;
};
</script>`;
const uri = 'ui://shop/order';
let workspace: SharedWorkspace;
let service: ServiceHere;
let mcp: FakeMcpServer;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let ask: ProjectApi;
let serverId: string;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  const inputSchema = { type: 'object', properties: {} };
  mcp = await startFakeMcpServer({
    'tools/list': {
      tools: [{ name: 'order_form', inputSchema, _meta: { ui: { resourceUri: uri } } }],
    },
    'resources/read': {
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }],
    },
  });
  const chromium = process.env['PROOFMARK_CHROMIUM'] ?? '';
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CHROMIUM: chromium,
  });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals' }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const server = { name: 'Shop', enabled: true, transportType: 'http', url: mcp.url };
  serverId = (await ask('POST', 'servers', server)).id;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await mcp?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('it is looked at after a call, and a step is tried in it', async () => {
  await page.goto(`${projectUrl}/servers/${serverId}`);
  await page.getByRole('link', { name: 'order_form' }).first().click();
  await button('Call the tool').click();
  await button('Show the widget').click();
  await page.getByText(/^Rendered in/).waitFor();
  await page.getByText('<img src=x onerror="document.title=1">').waitFor();
  await page.getByLabel('Text', { exact: true }).fill('Place order');
  await button('Try the step').click();
  await page.getByText('done', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'The widget of order_form, after step 1' }).waitFor();
  await button('The widget of order_form, after step 1: show it larger').click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Text', { exact: true }).fill('Nothing says this');
  expect(await sidewaysIn(page, looks)).toEqual([]);
});

test('a trial shows the picture after each step, and what the widget did', async () => {
  const act = (id: string, action: object) => ({
    id,
    kind: 'interact',
    toolName: 'order_form',
    action,
  });
  const steps = [
    { id: 'open', kind: 'toolCall', serverName: 'Shop', toolName: 'order_form', arguments: {} },
    act('two', { kind: 'type', target: { testId: 'copies' }, text: '2' }),
    act('order', { kind: 'click', target: { text: 'Place order' } }),
    {
      id: 'said',
      kind: 'assert',
      assertion: { kind: 'textVisible', toolName: 'order_form', text: 'Ordered 2' },
    },
  ];
  const { suiteId } = await ask('POST', 'eval-suites', {
    name: 'Orders',
    serverIds: [serverId],
    model: 'proofmark/lexical-1',
    tests: [{ title: 'Order two', steps }],
  });
  const { runId } = await ask('POST', 'eval-runs', { suiteId });
  const status = async () => (await ask('GET', `eval-runs/${runId}`)).status;
  await until(async () => (await status()) === 'completed', 'the run has ended', 60_000);
  const trial = (await ask('GET', `eval-runs/${runId}/iterations`)).items[0];
  expect(trial).toMatchObject({ result: 'passed' });
  await page.goto(`${projectUrl}/runs/${runId}/trials/${trial.id}`);
  const row = page.getByRole('row', { name: /^order / });
  await row.getByRole('img', { name: 'The widget of order_form, after step order' }).waitFor();
  const widgets = page.getByRole('region', { name: 'Widgets' });
  await widgets.getByText(/^Rendered in/).waitFor();
  await widgets.getByText('<img src=x onerror="document.title=1">').waitFor();
  const shown = await page.evaluate<number[]>(
    '[...document.querySelectorAll(".widget-pictures img")].map((one) => one.naturalWidth)',
  );
  expect(shown.length).toBeGreaterThanOrEqual(3);
  expect(await sidewaysIn(page, looks)).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
