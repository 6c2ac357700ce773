import { writeFileSync } from 'node:fs';
import path from 'node:path';
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
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';
import { unreadableTexts } from './unreadable-texts.ts';

const workspace = createSharedWorkspace();
let model: OpenAiServer;
let weather: Awaited<ReturnType<typeof startFakeMcpServer>>;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let ask: ProjectApi;
let projectUrl: string;
let suiteId: string;

/** Returns a model with which exactly one trial fails. */
function allButOne(): ModelScript {
  let begun = 0;
  return ({ messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'It is sunny in Rome.' };
    begun += 1;
    return begun === 3
      ? { text: 'I do not know.' }
      : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
  };
}

beforeAll(async () => {
  model = await startOpenAiServer({
    good: allButOne(),
    steady: allButOne(),
    bad: () => ({ text: 'No.' }),
  });
  weather = await startFakeMcpServer({
    'tools/list': (response, request) =>
      sendJson(response, rpcResult(request, { tools: stageTools })),
  });
  const provider = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: model.baseUrl,
    models: [{ name: 'good' }, { name: 'steady' }, { name: 'bad' }],
  };
  const settings = path.join(workspace.folder, 'proofmark.config.json');
  writeFileSync(settings, JSON.stringify({ modelProviders: [provider] }));
  service = await workspace.serveHere([], { ...manyRuns, PROOFMARK_SAMPLE: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url, { viewport: { width: 1360, height: 900 } });
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const server = { name: 'Weather', enabled: true, transportType: 'http', url: weather.url };
  const { id } = await ask('POST', 'servers', server);
  ({ suiteId } = await ask('POST', 'eval-suites', {
    name: 'Weather desk',
    serverIds: [id],
    model: 'local/good',
    tests: [
      { title: 'Weather in Rome', steps: whole },
      { title: 'A worse model', steps: whole, model: 'local/bad' },
      { title: 'Played twice', steps: whole, runs: 2, model: 'local/steady' },
    ],
  }));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace.remove();
  await weather?.stop();
  await model?.stop();
});

test('a person states a plan for a suite', async () => {
  await page.goto(`${projectUrl}/suites/${suiteId}/settings`);
  await page.getByText('As many trials as the answer needs').click();
  await page.getByLabel('Healthy pass rate').fill('0.95');
  await page.getByLabel('Drop to find').fill('0.15');
  await page.getByRole('button', { name: 'Save settings', exact: true }).click();
  await until(
    async () =>
      (await ask('GET', `eval-suites/${suiteId}`)).settings.verdictPolicyDefaults?.trials?.drop ===
      0.15,
    'the plan is saved',
  );
});

test('the page of the suite plans for a drop and starts nothing', async () => {
  await page.goto(`${projectUrl}/suites/${suiteId}`);
  const panel = page.getByRole('region', { name: 'Trials for a drop' });
  await panel.getByLabel('Drop of the pass rate, in percent').fill('15');
  await panel.getByRole('button', { name: 'Plan', exact: true }).click();
  const told = panel.locator('.plan-told');
  await told.waitFor();
  const text = (await told.innerText()).replaceAll(/\s+/g, ' ');
  // The figures of the plan from 95 % to 80 %.
  expect(text).toContain('38');
  expect(text).toContain('40');
  expect((await ask('GET', `eval-suites/${suiteId}/runs`)).items).toEqual([]);
  expect(await unreadableTexts(page)).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

test('the page of its run shows how each case stopped', async () => {
  const { runId } = await ask('POST', 'eval-runs', { suiteId });
  const read = () => ask('GET', `eval-runs/${runId}`);
  await until(async () => (await read()).status === 'completed', 'the run ends', 60_000);
  const { plans } = await read();
  expect(plans.cases.map(({ stop }: { stop: string }) => stop).sort()).toEqual([
    'failedEarly',
    'passedEarly',
  ]);
  await page.goto(`${projectUrl}/runs/${runId}`);
  const row = (name: string) => page.locator('.case-table tr', { hasText: name });
  await row('Weather in Rome').getByText('Passed early after').waitFor();
  expect(await row('Weather in Rome').locator('.plan-walk circle').count()).toBeGreaterThan(3);
  expect(await row('A worse model').locator('.plan-walk circle').count()).toBe(1);
  expect(await row('A worse model').innerText()).toContain(
    'Failed early after 4 of at most 40 trials.',
  );
  expect(await row('Weather in Rome').innerText()).not.toContain('interval');
  expect(await row('Played twice').innerText()).toContain('interval');
  expect(await row('Played twice').locator('.plan').count()).toBe(0);
  expect(await unreadableTexts(page)).toEqual([]);
  const looks = [
    ['light', 1360],
    ['dark', 390],
  ] as const;
  expect(await sidewaysIn(page, looks)).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
