import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { multiplyTrials } from '@proofmark/harness/journeys/large-run.ts';
import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import { confused, refused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  makeSuite,
  manyRuns,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';
import { unreadableTexts } from './unreadable-texts.ts';

let workspace: SharedWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let stock: StockServers;
let ask: ProjectApi;
const wider: string[] = [];

beforeAll(async () => {
  workspace = createSharedWorkspace();
  stock = await startStockServers();
  stock.writeConfig(workspace.folder);
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
  await stock?.stop();
});

const wide = { width: 1440, height: 900 };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = () => page.getByRole('heading', { level: 1 });
const trials = () => page.locator('[data-trial]');
const search = () => new URL(page.url()).searchParams;
const ingest = (path: string, body: unknown) => ask('POST', `eval-ingest/${path}`, body);
const named = (trial: object, externalIterationId: string) => ({ ...trial, externalIterationId });

async function report(results: readonly unknown[]): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
  return (await ingest('report', body)).runId;
}

async function open(runId: string, query = ''): Promise<void> {
  await page.goto(`${projectUrl}/runs/${runId}${query}`);
  await heading().filter({ hasText: /:/ }).waitFor();
}

/**
 * Checks on a phone and in the dark theme that nothing scrolls sideways and all texts are readable.
 */
async function look(): Promise<void> {
  wider.push(
    ...(await sidewaysIn(page, [
      ['light', 360],
      ['dark', 1280],
    ])),
  );
  expect(await unreadableTexts(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}

function judgesOf(many: number) {
  const envelope = {
    status: 'completed',
    errorCode: null,
    summary: 'Most answers name the parcel.',
    generatedAt: 1_800_000_000_000,
    modelUsed: 'local/judge',
    threshold: 0.7,
  };
  const cases = Array.from({ length: many }, (_, index) => ({
    caseKey: `parcel-${index}`,
    score: 0.5,
    passed: false,
    reason: 'It names the parcel and not the day. '.repeat(8),
  }));
  return {
    goalCompletion: { ...envelope, cases: cases.map((one) => ({ ...one, rubricHits: [] })) },
    groundedness: {
      ...envelope,
      cases: cases.map((one) => ({ ...one, unsupportedClaims: ['It arrives today.'] })),
    },
  };
}

describe('a run of 100,000 trials with five late failures', () => {
  let runId: string;

  test('has the first in view without scrolling, and all five without a click', async () => {
    const begun = { suiteName: 'Large', externalRunId: 'large', expectedIterations: 100_000 };
    ({ runId } = await ingest('runs/start', {
      ...begun,
      // A policy decides at most 500 cases with 100 trials each.
      passCriteria: { minimumPassRate: 100 },
    }));
    for (const hundred of Array.from({ length: 10 }, (_, index) => index * 100)) {
      const results = Array.from({ length: 100 }, (_, index) => ({
        ...tracked,
        caseId: `parcel-${hundred + index}`,
        caseTitle: `Track parcel ${hundred + index}`,
      }));
      await ingest('runs/iterations', { runId, results });
    }
    await multiplyTrials(await workspace.databaseUrl(), runId, 99_995);
    const late = Array.from({ length: 5 }, (_, index) => ({
      ...named(index < 3 ? confused : refused, `late-${index}`),
      error: `Late failure ${index}.`,
    }));
    await ingest('runs/iterations', { runId, results: late });
    await ingest('runs/finalize', { runId });
    await open(runId);
    await expect.poll(() => trials().count()).toBe(5);
    expect(await heading().innerText()).toMatch(/^failed: /i);
    // The stage map is above the trials, and counts all of them.
    await page.locator('.stage-map').waitFor();
    const box = await trials().first().locator('h3').boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
    expect(await page.evaluate('scrollY')).toBe(0);
    const shown = (await trials().allInnerTexts()).join('\n');
    for (const index of [0, 1, 2, 3, 4]) expect(shown).toContain(`Late failure ${index}.`);
  });

  test('says where it breaks over all of them', async () => {
    const rows = page.locator('.stage-map tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.first().innerText()).toMatch(/Find an order by e-mail[\s\S]*3[\s\S]*0 of 3/);
    expect(await rows.first().innerText()).toContain('0 of 3');
    await button('Show 200 case variants').click();
    await page.getByText('The first 200 of 1,002 case variants.').waitFor();
    expect(await rows.last().innerText()).toMatch(/Track parcel \d+[\s\S]*100 of 100/);
  });

  test('is at most three screens high, whatever is opened, with few nodes', async () => {
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.route(`**/eval-runs/${runId}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), judges: judgesOf(1000) } });
    });
    await open(runId);
    await expect.poll(() => trials().count()).toBe(5);
    await page.locator('.stage-map').waitFor();
    const parts = page.locator('.page-part > summary');
    await expect.poll(() => parts.count()).toBeGreaterThan(3);
    const tooHigh: string[] = [];
    const measure = async (what: string) => {
      const [height = 0, nodes = 0] = await page.evaluate<number[]>(
        `[document.documentElement.scrollHeight, document.querySelectorAll('main *').length]`,
      );
      if (height > 3 * 900 || nodes > 2500) tooHigh.push(`${what}: ${height} px, ${nodes} nodes`);
    };
    await measure('nothing opened');
    await button('Show 200 case variants').click();
    await measure('the stage map');
    for (const part of await parts.all()) {
      await part.click();
      await page.locator('.page-part-body').waitFor();
      expect(await page.locator('.page-part[open]').count()).toBe(1);
      await measure(await part.innerText());
    }
    expect(tooHigh).toEqual([]);
    await page.unroute(`**/eval-runs/${runId}`);
  });

  test('its trials are read page by page, by buttons and by keys', async () => {
    await open(runId);
    await page.locator('summary').filter({ hasText: 'All trials' }).click();
    const pages = page.getByRole('navigation', { name: 'Pages of trials' });
    await pages.getByText('1 to 10 of at least 50').waitFor();
    for (const _ of Array.from({ length: 5 })) {
      await pages.getByRole('button', { name: 'Next' }).click();
    }
    await pages.getByText('51 to 60 of at least 100').waitFor();
    expect(await page.locator('.page-part tbody tr').count()).toBe(10);
    await pages.getByRole('button', { name: 'Previous' }).click();
    await pages.getByText('41 to 50 of at least 100').waitFor();
  });
});

describe('what is shown of a run', () => {
  let runId: string;

  beforeAll(async () => {
    const good = Array.from({ length: 3 }, (_, index) => named(tracked, `good-${index}`));
    await report(good);
    runId = await report([
      ...good,
      { ...named(confused, 'large'), model: 'large-1' },
      named(confused, 'small'),
      named(refused, 'refused'),
    ]);
  });

  test('a cell of the stage map leads to its trials, and the address says so', async () => {
    await open(runId);
    await button('Show 4 case variants').click();
    await page
      .getByRole('link', { name: '1 trial of Refund a shipped order first failed at response' })
      .click();
    await page.getByRole('heading', { name: /^1 trial that first failed at response/ }).waitFor();
    expect(await trials().allInnerTexts()).toEqual([expect.stringContaining('Refund a shipped')]);
    expect([...search().keys()].sort()).toEqual(['case', 'model', 'stage']);
    await page.reload();
    await expect.poll(() => trials().count()).toBe(1);
    await look();
    await button('Clear').click();
    await expect.poll(() => trials().count()).toBe(3);
    expect(search().size).toBe(0);
  });

  test('text, result and model pick by the filter of the service', async () => {
    await open(runId);
    await expect.poll(() => trials().count()).toBe(3);
    await page.keyboard.press('/');
    // After a pause in typing, the cursor must stay in the field.
    await page.keyboard.type('PAYMENT ');
    await expect.poll(() => search().get('text')).toBe('PAYMENT');
    await page.keyboard.type('provider');
    await page.getByRole('heading', { name: /^1 trial that did not pass, with/ }).waitFor();
    await expect.poll(() => search().get('text')).toBe('PAYMENT provider');
    await open(runId, '?model=large-1');
    await expect.poll(() => trials().count()).toBe(1);
    await page.getByLabel('Model').selectOption('');
    await page.getByLabel('Result').selectOption('passed');
    await page.getByRole('heading', { name: '3 trials that passed' }).waitFor();
    await expect.poll(() => page.locator('.trial-list tbody tr').count()).toBe(3);
  });

  test('one goes from trial to trial by links and keys, within what was picked', async () => {
    await open(runId, '?model=small-1');
    await expect.poll(() => trials().count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    const walk = page.getByRole('navigation', { name: 'Trials of the run' });
    await walk.getByText('1 of 2 that did not pass, on small-1').waitFor();
    await walk.getByRole('link', { name: 'Next trial' }).click();
    await heading()
      .filter({ hasText: /^Refund a shipped order/ })
      .waitFor();
    await walk.getByText('2 of 2').waitFor();
    expect(await walk.getByRole('link', { name: 'Next trial' }).count()).toBe(0);
    await page.keyboard.press('k');
    await heading()
      .filter({ hasText: /^Find an order/ })
      .waitFor();
  });

  test('the gate is waived with a reason, and that is taken back', async () => {
    await open(runId);
    await button('Waive…').click();
    await dialog().getByRole('button', { name: 'Waive', exact: true }).click();
    await dialog().getByText('reason must say why').waitFor();
    await dialog().getByLabel('Reason').fill('The index is rebuilt.');
    await dialog().getByRole('button', { name: 'Waive', exact: true }).click();
    await page.locator('.waiver').getByText('The index is rebuilt.').waitFor();
    await heading()
      .filter({ hasText: /failed/i })
      .waitFor();
    await button('Revoke waiver').click();
    await dialog().getByRole('button', { name: 'Revoke waiver' }).click();
    await expect.poll(() => page.locator('.waiver').count()).toBe(0);
  });

  test('it stands beside a run that one chooses', async () => {
    await open(runId);
    await page.getByRole('link', { name: 'Compare with…' }).click();
    await heading()
      .filter({ hasText: /run \d+: / })
      .waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/compare\/run_\w+$/);
    await page.getByLabel(/^Compare with/).selectOption({ label: 'run 1, passed' });
    await heading().filter({ hasText: 'Other cases than run 1: 2 of 3 cases are new.' }).waitFor();
  });

  test('it is saved in every format', async () => {
    await open(runId);
    for (const [format, name, content] of [
      ['JSON', /\.json$/, '"verdict":"failed"'],
      ['Markdown', /\.md$/, 'Find an order by e-mail'],
      ['JUnit XML', /\.xml$/, '<testsuite'],
      ['HTML', /\.html$/, '<!doctype html>'],
    ] as const) {
      await button('Export…').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog().getByRole('button', { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(name);
      expect(readFileSync(await download.path(), 'utf8')).toContain(content);
    }
  });
});

describe('a trial', () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  test('reads as a conversation, with its calls in place, its image, and the evidence marked', async () => {
    const content = [{ type: 'image', data: dot, mimeType: 'image/png' }];
    const { trace } = refused;
    const messages = [
      ...trace.messages.slice(0, 2),
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'refund',
            output: { type: 'json', value: { isError: true, content } },
          },
        ],
      },
    ];
    const runId = await report([{ ...refused, trace: { ...trace, messages } }]);
    await open(runId);
    await page.getByRole('link', { name: 'Open trace' }).click();
    const turn = page.locator('#turn-1');
    await turn.getByText('Refund order 1041.').waitFor();
    expect(await turn.locator('.message-role').allInnerTexts()).toEqual(['user', 'call']);
    await turn.getByText('as an error').waitFor();
    const width = '.naturalWidth';
    expect(await page.evaluate(`document.querySelector('#turn-1 img')${width}`)).toBe(1);
    await turn.getByText('evidence of response').waitFor();
    const box = await page.locator('.evidence').first().boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(900);
    await look();
    await page.getByText('Read this trace in a terminal').click();
    const shown = page.locator('.as-command code');
    await expect.poll(() => shown.count()).toBe(2);
    const copied = await shown.allInnerTexts();
    expect(copied[0]).toMatch(/^proofmark eval trace run_\w+ itr_\w+$/);
    expect(copied[1]).toContain(`curl ${service.url}/api/v1/projects/`);
  });

  test('that goes on is followed to its end', async () => {
    const suiteId = await makeSuite(ask, { name: 'Held', serverUrl: stock.url });
    stock.hold();
    const { runId } = await ask('POST', 'eval-runs', { suiteId });
    await open(runId);
    await button('Show all trials').click();
    await page.locator('.all-trials').getByRole('link').click();
    await page.getByText('This trial has not ended.').waitFor();
    stock.release();
    await heading()
      .filter({ hasText: /: passed$/ })
      .waitFor();
    await page.locator('#turn-1').waitFor();
  });

  test('of our own tells how its calls are made again, and becomes a case', async () => {
    const suiteId = await makeSuite(ask, { name: 'Stock', serverUrl: stock.url, expects: 'weigh' });
    const { runId } = await ask('POST', 'eval-runs', { suiteId });
    await open(runId);
    await page.getByRole('link', { name: 'Open trace' }).click();
    await page.getByText('Make this call again').click();
    const code = page.locator('.turn .as-command code');
    expect(await code.first().innerText()).toBe(
      `proofmark call Stock count_stock --args '{"item":"pens"}'`,
    );
    await button('Make a case of this').click();
    await dialog().getByLabel('Title').fill('Counted again');
    await dialog().getByLabel('Expect the calls that succeeded').check();
    await dialog().getByRole('button', { name: 'Make case' }).click();
    await page.waitForURL(`**/suites/${suiteId}`);
    await page.getByRole('heading', { name: 'Counted again' }).waitFor();
    const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
    expect(items.at(-1)).toMatchObject({
      title: 'Counted again',
      steps: [{ kind: 'toolCall', serverName: 'Stock', toolName: 'count_stock' }],
    });
  });
});

test('one cause that took many trials down is told once, above them', async () => {
  const serverUrl = 'http://127.0.0.1:9/mcp';
  const suiteId = await makeSuite(ask, { name: 'Away', serverUrl, repetitions: 4 });
  await page.goto(`${projectUrl}/suites/${suiteId}`);
  const plan = page.getByLabel('Estimate of the run');
  await plan.getByText('4 trials, without a model.').waitFor();
  await plan.getByRole('link', { name: 'Away' }).waitFor();
  await button('Run').click();
  const cause = page.locator('.cause');
  await cause.getByText('took 4 trials down').waitFor();
  await expect.poll(() => trials().count()).toBe(1);
  await look();
});

test('a service stopped under an open page is missed within ten seconds, with the time, and found again', async () => {
  const { runId } = await ingest('runs/start', {
    suiteName: 'Order desk',
    externalRunId: 'lost',
    expectedIterations: 2,
    verdictPolicy: {},
  });
  await open(runId);
  await page.getByText('0 of 2 trials done').waitFor();
  await page.evaluate('window.stillHere = true');
  const { port } = new URL(service.url);
  await service.stop();
  const lost = page.getByRole('alert').filter({ hasText: 'Connection lost.' });
  await lost.waitFor({ timeout: 10_000 });
  expect(await lost.innerText()).toMatch(/since \d\d:\d\d:\d\d/);
  service = await workspace.serveHere(['--port', port], manyRuns);
  await ingest('runs/iterations', { runId, results: [confused] });
  await page.getByText('1 of 2 trials done').waitFor();
  await expect.poll(() => lost.count()).toBe(0);
  expect(await page.evaluate('window.stillHere')).toBe(true);
});

test('the script of the first load is under 250 kB as it is sent', async () => {
  const html = await (await fetch(service.url)).text();
  const paths = html.match(/\/assets\/[^"]+\.js/g) ?? [];
  expect(paths.length).toBeGreaterThan(0);
  const sizes = paths.map(async (path) => {
    const answer = await fetch(`${service.url}${path}`);
    return gzipSync(await answer.text()).length;
  });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(250_000);
});

test('a first run of a suite is not asked how its tools differ from those of the run before', () => {
  expect(watched.refused.filter((path) => path.endsWith('/surface'))).toEqual([]);
});

test('nothing scrolled sideways, complained or left the service', () => {
  expect(wider).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
