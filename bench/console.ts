/**
 * Measures how soon the console shows the first failed trial of a run with 100,000 trials. The time
 * is counted from the arrival of the response to the painted frame. Needs the built command and a
 * Chromium in PROOFMARK_CHROMIUM.
 */
import { embeddedUrl } from '@proofmark/harness/journeys/in-database.ts';
import { multiplyTrials } from '@proofmark/harness/journeys/large-run.ts';
import { openBrowser, watchedPage } from '@proofmark/harness/journeys/open-browser.ts';

import { confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import {
  makeReporterKey,
  manyRuns,
  projectApi,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';

const [trials, loads, mostMs] = [100_000, 9, 300];

/**
 * A string, because the code runs in the page. As TypeScript it would need the browser's types in
 * this file.
 */
const watchForFirst = `new MutationObserver((_, observer) => {
  if (document.querySelector('[data-trial]') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstPaintedAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const answeredAt = `() => performance.getEntriesByType('resource')
  .find(({ name }) => name.includes('result=notPassed')).responseEnd`;

const workspace = createTestWorkspace();
const service = await workspace.serve([], manyRuns);
const browser = await openBrowser();
try {
  const { apiKey } = await makeReporterKey(workspace);
  const { page } = await watchedPage(browser, service.url, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  const projectUrl = page.url();
  const ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  const runId = await makeLargeRun(ask);
  await page.addInitScript(watchForFirst);
  const measured: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    await page.goto(`${projectUrl}/runs/${runId}`);
    await page.locator('[data-trial]').first().waitFor();
    await page.waitForFunction('window.firstPaintedAt !== undefined');
    measured.push(await page.evaluate<number>(`window.firstPaintedAt - (${answeredAt})()`));
  }
  const median = measured.toSorted((one, other) => one - other)[Math.floor(loads / 2)] ?? 0;
  const isSoon = median <= mostMs;
  console.log(
    `first trial of ${trials} painted ${Math.round(median)} ms after its answer (at most ${mostMs}): ${isSoon ? 'holds' : 'does not hold'}`,
  );
  if (!isSoon) process.exitCode = 1;
} finally {
  await browser.close();
  await service.stop();
  await workspace.remove();
}
// `openBrowser` keeps its browser open, so the process would not end without `exit`.
process.exit();

async function makeLargeRun(ask: ReturnType<typeof projectApi>): Promise<string> {
  const post = (path: string, body: unknown) => ask('POST', `eval-ingest/${path}`, body);
  const begun = { suiteName: 'Large', externalRunId: 'large', expectedIterations: trials };
  const { runId } = await post('runs/start', {
    ...begun,
    passCriteria: { minimumPassRate: 100 },
  });
  for (let hundred = 0; hundred < 10; hundred += 1) {
    const results = Array.from({ length: 100 }, (_, index) => ({
      ...tracked,
      caseId: `parcel-${hundred}-${index}`,
      caseTitle: `Track parcel ${hundred}-${index}`,
    }));
    await post('runs/iterations', { runId, results });
  }
  await multiplyTrials(embeddedUrl(workspace.dataDir), runId, trials - 5);
  const late = Array.from({ length: 5 }, (_, index) => ({
    ...confused,
    externalIterationId: `late-${index}`,
    error: `Late failure ${index}.`,
  }));
  await post('runs/iterations', { runId, results: late });
  await post('runs/finalize', { runId });
  return runId as string;
}
