import {
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import { broken, confused, refused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
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
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { unreadableTexts } from './unreadable-texts.ts';

let workspace: TestWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let stock: StockServers;
let ask: ProjectApi;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  stock = await startStockServers();
  stock.writeConfig(workspace.folder);
  service = await workspace.serveHere([], manyRuns);
  const made = await makeReporterKey(workspace);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, made.apiKey);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = () => page.getByRole('heading', { level: 1 });
const trials = () => page.locator('[data-trial]');
const focusedTrial = () => page.evaluate('document.activeElement?.dataset?.trial');
const ingest = (path: string, body: unknown) => ask('POST', `eval-ingest/${path}`, body);

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
    expect(about).toMatch(/graded: 3 of 3 configured trials.* of the cases were not reported\./s);
    expect(await page.locator('.numbers').innerText()).toMatch(/1 of 3\s+each with all/);
  });

  test('shows the six stages of each failing trial in order, by word and not by colour alone', async () => {
    await expect.poll(() => trials().count()).toBe(2);
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
    const why = await page.locator('.trial-facts').innerText();
    expect(why).toMatch(/Selection failed because .*Next: Compare the tools the case expects/s);
    for (const name of ['Steps', 'Conversation', 'Turn 1', 'Timeline']) {
      await page.getByRole('heading', { name: new RegExp(`^${name}`) }).waitFor();
    }
    await expect.poll(() => page.locator('.timeline li').count()).toBe(4);
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
  await expect.poll(() => page.locator('.tone-fail').count()).toBeGreaterThan(0);
});

test('what did not pass of a large run comes first, told once; the rest is read page by page', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...(index > 53 ? confused : tracked),
    externalIterationId: `t${index}`,
  }));
  await open(await report(many), /failed: 1 of 2 case variants; all 6 failing trials stop/i);
  await page.getByText('Trials that did not pass: 6 of 60 trials examined').waitFor();
  const shownTrials = await trials().allInnerTexts();
  expect(shownTrials).toEqual([expect.stringContaining('by e-mail, trials 1 to 6: failed')]);
  expect(shownTrials[0]).toMatch(/The same in: trial 2, trial 3, trial 4, trial 5, trial 6\./);
  await button('Show all trials').click();
  const rows = page.locator('.all-trials tbody tr');
  await expect.poll(() => rows.count()).toBe(10);
  for (const range of ['11 to 20', '21 to 30', '31 to 40', '41 to 50', '51 to 60']) {
    await button('Next').click();
    await page.getByText(`${range} of`).waitFor();
  }
  await expect.poll(() => button('Next').isDisabled()).toBe(true);
  await rows.filter({ hasText: 'passed' }).last().getByRole('link').click();
  await heading()
    .filter({ hasText: /^Track a parcel, trial \d+: passed$/ })
    .waitFor();
});

test('a run that goes on changes before one’s eyes, without a reload', async () => {
  const { runId } = await ingest('runs/start', {
    suiteName: 'Order desk',
    externalRunId: 'live',
    expectedIterations: 2,
    verdictPolicy: {},
  });
  await open(runId, /^running: no verdict yet$/i);
  await page.evaluate('window.stillHere = true');
  await page.getByText('0 of 2 trials done').waitFor();
  await ingest('runs/iterations', { runId, results: [confused] });
  await page.getByText('1 failed so far').waitFor();
  await expect.poll(() => trials().count()).toBe(1);
  await ingest('runs/iterations', { runId, results: [tracked] });
  await ingest('runs/finalize', { runId });
  await heading()
    .filter({ hasText: /failed: 1 of 2 case variants/i })
    .waitFor();
  expect(await page.evaluate('window.stillHere')).toBe(true);
  await expect.poll(() => button('Cancel run').count()).toBe(0);
});

test('a trial far down a large run has its stages at an address of its own', async () => {
  const { trace: _trace, ...passing } = tracked;
  const results = Array.from({ length: 205 }, (_, index) => ({
    ...(index === 204 ? confused : passing),
    externalIterationId: `t${index}`,
  }));
  const runId = await report(results);
  const first = await ask('GET', `eval-runs/${runId}/iterations?limit=200`);
  const rest = await ask('GET', `eval-runs/${runId}/iterations?cursor=${first.nextCursor}`);
  await page.goto(`${projectUrl}/runs/${runId}/trials/${rest.items.at(-1).id}`);
  await heading()
    .filter({ hasText: /^Find an order by e-mail, trial \d+: failed$/ })
    .waitFor();
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('listitem');
  await expect.poll(() => stages.count()).toBe(6);
});

test('suites and their runs are found from the project', async () => {
  const [latest] = [await report([tracked, broken]), await report([confused])].slice(1);
  await page.goto(`${projectUrl}?section=evals`);
  const row = page.getByRole('row').filter({ hasText: 'Order desk' });
  expect(await row.getByRole('link', { name: 'failed' }).getAttribute('href')).toContain(latest);
  expect(await row.innerText()).toContain('0 of 1');
  await link('Order desk').click();
  await heading().filter({ hasText: 'Order desk' }).waitFor();
  await link('Run 1').waitFor();
  const verdicts = await page.locator('table').first().getByRole('row').allInnerTexts();
  expect(verdicts[1]).toMatch(/^Run \d+\s+failed/);
  expect(verdicts[1]).toContain('0 of 1');
  expect(verdicts.some((row) => /inconclusive\s+1 of 2/.test(row))).toBe(true);
});

test('a suite tells the trials of a run, its checks, its schedule, and models to use instead', async () => {
  const patch = { settings: { checks: [{ type: 'noToolErrors' }] } };
  const checks = { mode: 'extend', list: [{ type: 'responseContains', needle: 'four' }] };
  const ofCase = { checks, models: [{ model: 'openai/unheard-of' }] };
  const options = { name: 'Told', serverUrl: stock.url, repetitions: 10, everyMinutes: 60 };
  const suiteId = await makeSuite(ask, { ...options, patch, ofCase });
  await page.goto(`${projectUrl}/suites/${suiteId}`);
  await page.getByText('10 trials in each run').waitFor();
  const text = await page.locator('main').innerText();
  expect(text).toMatch(/Checks of every case\s+Check No tool fails\s/);
  expect(text).toContain('Check The last answer contains a text: "four"');
  expect(text).toMatch(/Runs by itself every hour on the servers of the suite; next on \d/);
  await button('Run').click();
  await page.getByRole('alert').getByRole('listitem').getByText('proofmark/lexical-1').waitFor();
});

test('a suite is run by a button, and one sees how it ends', async () => {
  await page.goto(`${projectUrl}?section=evals`);
  await link('Sample: questions to a bookshop').click();
  await page.locator('.estimate').getByText('This costs nothing.').waitFor();
  await button('Run').click();
  await page.waitForURL('**/runs/run_*');
  await heading()
    .filter({ hasText: /failed: 2 of 8 case variants/i })
    .waitFor();
  await expect.poll(() => trials().count()).toBe(2);
  const facts = await page.locator('.facts').innerText();
  expect(facts).toMatch(/Used\s+[\d,]+ tokens in, [\d,]+ out; free/);
});

describe('a run of our own', () => {
  const live = (text: string) => page.locator('.live').getByText(text).waitFor();
  const start = async (suiteId: string) => {
    await page.goto(`${projectUrl}/suites/${suiteId}`);
    await button('Run').click();
  };

  test('counts its trials up without a reload, still for those who want no motion', async () => {
    const options = { name: 'Followed', serverUrl: stock.url, expects: 'weigh', repetitions: 3 };
    const suiteId = await makeSuite(ask, options);
    stock.hold();
    await start(suiteId);
    await live('0 of 3 trials done');
    await page.evaluate('window.stillHere = true');
    stock.release(1);
    await live('1 of 3 trials done, 1 failed so far.');
    const motion = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.trial')).animationName`);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await motion()).toBe('appear');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await motion()).toBe('none');
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    stock.release(1);
    await live('2 of 3 trials done');
    stock.release();
    await heading()
      .filter({ hasText: /^failed: 1 of 1 case variant/i })
      .waitFor();
    await trials().getByText('Count the pens, trials 1 to 3: failed').waitFor();
    expect(await page.evaluate('window.stillHere')).toBe(true);
  });

  test('shows which tools a trial was offered, read when one looks', async () => {
    await link('Open the first trace').click();
    const block = page.locator('section[aria-labelledby="offered-tools"]');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const isRead = () => asked.some((url) => url.endsWith('/tools'));
    await block.getByText('Tools offered to the model').waitFor();
    expect(isRead()).toBe(false);
    await block.getByText('Tools offered to the model').click();
    await block.getByRole('heading', { name: 'Followed 1 tool' }).waitFor();
    expect(isRead()).toBe(true);
    const tool = block.getByRole('listitem').filter({ hasText: 'count_stock' });
    await tool.getByText('Counts.').waitFor();
    await tool.getByText('Input schema (JSON)').click();
    await tool.getByText('"required"').waitFor();
  });

  test('is stopped by a button, which asks first, and is no failure then', async () => {
    const options = { name: 'Stopped', serverUrl: stock.url, repetitions: 3 };
    const suiteId = await makeSuite(ask, options);
    stock.hold();
    await start(suiteId);
    stock.release(1);
    await live('1 of 3 trials done');
    await button('Cancel run').click();
    await button('Let it go on').click();
    await button('Cancel run').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await heading()
      .filter({ hasText: /^inconclusive: .* 1 of 3 configured trials/i })
      .waitFor();
    await expect.poll(() => button('Cancel run').count()).toBe(0);
    expect(await page.locator('main .tone-fail').count()).toBe(0);
    await page.goto(`${projectUrl}?section=evals`);
    const row = page.getByRole('row').filter({ hasText: 'Stopped' });
    await row.getByRole('link', { name: 'inconclusive' }).waitFor();
    expect(await row.innerText()).toContain('1 of 3');
    stock.release();
  });

  test('asks for the environment where the suite has several', async () => {
    const suiteId = await makeSuite(ask, { name: 'Placed', serverUrl: stock.url });
    const { environment } = await ask('GET', `eval-suites/${suiteId}`);
    const { serverIds } = environment;
    const client = await ask('POST', 'clients', {
      name: 'Desk',
      config: { modelId: 'proofmark/lexical-1' },
    });
    const group = await ask('POST', 'server-attachments', { name: 'Shelf', serverIds });
    const places = { hostId: client.id, serverAttachmentId: group.id };
    const [staging, production] = [
      await ask('POST', 'environments', { name: 'Staging', ...places }),
      await ask('POST', 'environments', { name: 'Production', ...places }),
    ];
    const environmentIds = [staging.id, production.id];
    await ask('PATCH', `eval-suites/${suiteId}`, { environmentIds });
    await start(suiteId);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Production').waitFor();
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(2);
    expect(await dialog.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
    expect(await page.locator('.estimate').count()).toBe(0);
    await dialog.getByLabel('Production').check();
    await dialog.getByText('1 trial, without a model.').waitFor();
    await dialog.getByRole('button', { name: 'Run' }).click();
    await heading()
      .filter({ hasText: /^passed: the only case variant/i })
      .waitFor();
    expect(await page.locator('main').innerText()).toContain('Production');
  });

  test('shows what the judge said once it has, as advice that changes no verdict', async () => {
    const judge = { enabled: true, autoRun: true, model: 'local/judge', threshold: 0.7 };
    const patch = { settings: { judge } };
    const suiteId = await makeSuite(ask, { name: 'Judged', serverUrl: stock.url, patch });
    stock.hold();
    await start(suiteId);
    await live('0 of 1 trial done');
    stock.release(1);
    const block = page.locator('section[aria-labelledby="judge"]');
    await block.getByText('has not answered yet').waitFor();
    stock.release();
    await block.getByText('It counted and did not say of what.').waitFor();
    const text = await block.innerText();
    expect(text).toContain('It advises and decides nothing.');
    expect(text).toMatch(/50\s?%/);
    expect(text).toMatch(/Count the pens\s+50/);
    expect(text).toContain('not reached');
    expect(await heading().innerText()).toMatch(/^passed/i);
    expect(await page.locator('main .tone-fail').count()).toBe(0);
  });
});

test('is readable and fits a phone, light and dark', async () => {
  const look = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      expect(await sidewaysIn(page, [[colorScheme, 360]])).toEqual([]);
      expect(await unreadableTexts(page), colorScheme).toEqual([]);
    }
  };
  const runId = await report([tracked, confused, refused]);
  await open(runId, /failed/i);
  await look();
  await link('Open trace').first().click();
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  await look();
});

test('no page complained or went anywhere else', () => {
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
});
