/** A person looks at runs in the browser: the verdict first, what did not pass, the trace, and a run that still goes on. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../harness/test-service.ts';
import { openBrowser, type Watched, watchedPage } from './open-browser.ts';
import { broken, confused, refused, tracked } from './reported-orders.ts';
import type { StartedProofmark } from './start-proofmark.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

let workplace: Workplace;
let service: StartedProofmark;
let browser: Browser;
let watched: Watched;
let page: Page;
let projectUrl: string;
let projectId: string;
let key: string;

beforeAll(async () => {
  workplace = createWorkplace();
  service = await workplace.serve([], { PROOFMARK_RATE_LIMIT: 'off', PROOFMARK_SAMPLE: 'on' });
  const made = await workplace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
    ...['--name', 'reporter'],
  );
  key = made.apiKey;
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  projectId = new URL(projectUrl).pathname.split('/').at(-1) as string;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workplace?.remove();
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = () => page.getByRole('heading', { level: 1 });
const trials = () => page.locator('[data-trial]');
const focusedTrial = () => page.evaluate('document.activeElement?.dataset?.trial');

// biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
async function ingest(path: string, body: unknown): Promise<any> {
  const url = `${service.url}/api/v1/projects/${projectId}/eval-ingest/${path}`;
  const answer = await call(url, { method: 'POST', key, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

async function report(results: readonly unknown[], terms: object = {}): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, ...terms, results };
  return (await ingest('report', body)).runId;
}

async function open(runId: string, firstLine: RegExp): Promise<void> {
  await page.goto(`${projectUrl}/runs/${runId}`);
  await heading().filter({ hasText: firstLine }).waitFor();
}

describe('a run that failed', () => {
  let runId: string;

  test('says so first, then where it breaks and whether everything was measured', async () => {
    runId = await report([tracked, confused, refused]);
    await open(runId, /failed: 2 of 3 case variants/i);
    const about = await page.locator('.about-run').innerText();
    expect(about).toContain('1 failing trial at selection and 1 failing trial at response');
    expect(about).toContain('Everything was measured: 3 of 3 configured trials');
    expect(await page.locator('.numbers').innerText()).toMatch(/1 of 3\s+each with all/);
  });

  test('shows the six stages of each failing trial in order, by word and not by colour alone', async () => {
    expect(await trials().count()).toBe(2);
    const states = await trials()
      .first()
      .getByRole('list', { name: 'Stages' })
      .getByRole('listitem')
      .evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(states).toEqual([
      expect.stringMatching(/connection.*passed$/),
      expect.stringMatching(/discovery.*passed$/),
      expect.stringMatching(/✗.*selection.*failed$/),
      expect.stringMatching(/call.*not reached$/),
      expect.stringMatching(/response.*not reached$/),
      expect.stringMatching(/user value.*not reached$/),
    ]);
  });

  test('puts expected beside observed and marks what differs, with one next action', async () => {
    const [first, second] = [trials().first(), trials().nth(1)];
    expect(await first.locator('mark').allInnerTexts()).toEqual([
      'search_orders',
      'search_customers',
    ]);
    expect(await second.locator('mark').allInnerTexts()).toEqual(['"late"', '"too late"']);
    expect(await first.innerText()).toContain('Next: Compare the tools the case expects');
  });

  test('is walked through by j and k, o opens the trace, and ? lists the keys', async () => {
    const [first, second] = await trials().evaluateAll((rows) => rows.map((row) => row.id));
    await page.keyboard.press('j');
    expect(await focusedTrial()).toBe(first);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focusedTrial()).toBe(second);
    await page.keyboard.press('k');
    expect(await focusedTrial()).toBe(first);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('open the trace of that trial').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await page.waitForURL(`**/runs/${runId}/trials/${first}`);
  });

  test('the trace shows steps, turns, spans and messages, and stands at an address of its own', async () => {
    await page.reload();
    await heading()
      .filter({ hasText: /^Find an order by e-mail, trial \d+: failed$/ })
      .waitFor();
    for (const name of ['Steps', 'Turns', 'Timeline', 'Messages']) {
      await page.getByRole('heading', { name: new RegExp(`^${name}`) }).waitFor();
    }
    expect(await page.locator('.timeline li').count()).toBe(4);
    await page.getByText('search_orders was not called.').waitFor();
    await page.getByText('I found no order.').waitFor();
  });
});

test('what was not measured is never red', async () => {
  await open(await report([tracked, broken]), /inconclusive: too little was measured/i);
  const colour = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
  const hold = await colour('.verdict-word');
  await open(await report([confused]), /failed: 1 of 1 case variant/i);
  expect(await colour('.verdict-word')).not.toBe(hold);
  expect(await page.locator('.tone-fail').count()).toBeGreaterThan(0);
});

test('a large run is read page by page', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...(index % 10 === 9 ? confused : tracked),
    externalIterationId: `t${index}`,
  }));
  await open(await report(many), /failed/i);
  await page.getByText('5 of 50 trials examined on this page').waitFor();
  expect(await trials().count()).toBe(5);
  await button('Load more trials').click();
  await page.getByText('6 of 60 trials examined').waitFor();
  expect(await trials().count()).toBe(6);
  expect(await button('Load more trials').count()).toBe(0);
});

test('a run that goes on changes before one’s eyes, without a reload', async () => {
  const { runId } = await ingest('runs/start', {
    suiteName: 'Order desk',
    externalRunId: 'live',
    expectedIterations: 2,
    verdictPolicy: {},
  });
  await open(runId, /not established: the run has not ended/i);
  await page.evaluate('window.stillHere = true');
  await page.getByText('0 of 2 trials done').waitFor();
  await ingest('runs/iterations', { runId, results: [confused] });
  await page.getByText('1 failed so far').waitFor();
  expect(await trials().count()).toBe(1);
  await ingest('runs/iterations', { runId, results: [tracked] });
  await ingest('runs/finalize', { runId });
  await heading()
    .filter({ hasText: /failed: 1 of 2 case variants/i })
    .waitFor();
  expect(await page.evaluate('window.stillHere')).toBe(true);
  expect(await button('Cancel run').count()).toBe(0);
});

test('suites and their runs are found from the project', async () => {
  await page.goto(`${projectUrl}?section=evals`);
  await link('Order desk').click();
  await heading().filter({ hasText: 'Order desk' }).waitFor();
  await link('Run 1').waitFor();
  const verdicts = await page.locator('table').first().getByRole('row').allInnerTexts();
  expect(verdicts[1]).toMatch(/^Run \d+\s+failed/);
  expect(verdicts.some((row) => row.includes('inconclusive'))).toBe(true);
});

test('a suite is run by a button, and one sees how it ends', async () => {
  await page.goto(`${projectUrl}?section=evals`);
  await link('Sample: questions to a bookshop').click();
  await button('Run').click();
  await page.waitForURL('**/runs/run_*');
  await heading()
    .filter({ hasText: /failed: 2 of 8 case variants/i })
    .waitFor();
  expect(await trials().count()).toBe(2);
});

test.each(['light', 'dark'] as const)('fits a phone, %s', async (colorScheme) => {
  const runId = await report([tracked, confused, refused]);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 360, height: 740 });
  await open(runId, /failed/i);
  const sideways = () =>
    page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  expect(await sideways()).toBe(0);
  await link('Open trace').first().click();
  await page.getByRole('heading', { name: 'Messages' }).waitFor();
  expect(await sideways()).toBe(0);
});

test('no page complained or went anywhere else', () => {
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
