// `npm run screenshots`: takes pictures of the main pages for the README and the guides, in both
// themes, from a separate service with sample data. Needs the built command, and PROOFMARK_CHROMIUM
// or an installed Chromium. With `-- --all FOLDER` it writes pictures of every page instead, light,
// dark and on a phone, to look at; `--path TEXT` limits them to the pages whose path contains it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBrowser, watchedPage } from '@proofmark/harness/journeys/open-browser.ts';
import {
  makeReporterKey,
  manyRuns,
  projectApi,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { findBrowser } from './find-browser.mjs';
import { palettePng } from './palette-png.mjs';

const { values: flags } = parseArgs({
  options: { all: { type: 'string' }, path: { type: 'string' } },
});
if (flags.all !== undefined) process.exit(takeEveryPage(flags.all, flags.path));

const size = { width: 1440, height: 900 };
const largestBytes = 150_000;
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });
process.env['PROOFMARK_CHROMIUM'] ??= findBrowser({ install: false });

const workspace = createTestWorkspace();
const service = await workspace.serve([], manyRuns);
const browser = await openBrowser();
try {
  const event = (wanted) => service.events().find((one) => one.event === wanted);
  await until(() => event('sample') !== undefined, 'the sample is told', 60_000);
  const { page } = await watchedPage(browser, service.url, {
    viewport: size,
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await page.goto(event('signInLink').url);
  await page.getByRole('button', { name: 'Not now', exact: true }).click();
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  const projectUrl = page.url();
  const { apiKey } = await makeReporterKey(workspace);
  const ask = projectApi(service.url, projectUrl.split('/').at(-1), apiKey);
  for (const [name, open] of Object.entries(await pagesOf(page, projectUrl, ask))) {
    await open();
    await takePictures(page, name);
  }
} finally {
  await browser.close();
  await service.stop();
  await workspace.remove();
}
// The shared browser would keep the process alive, so the process is ended here.
process.exit();

function takeEveryPage(target, pictured) {
  const test = 'tests/journeys/page-pictures.test.ts';
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'journeys', test], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      PROOFMARK_PICTURES: path.resolve(target),
      ...(pictured !== undefined && { PROOFMARK_PICTURED_PATH: pictured }),
    },
  });
  return status ?? 1;
}

async function pagesOf(page, projectUrl, ask) {
  const [server] = (await ask('GET', 'servers')).items;
  const [suite] = (await ask('GET', 'eval-suites')).items;
  const [run] = (await ask('GET', `eval-suites/${suite.id}/runs`)).items;
  await ask('POST', `servers/${server.id}/doctor`, {});
  const again = await ask('POST', 'eval-runs', { suiteId: suite.id });
  const isOver = async () => (await ask('GET', `eval-runs/${again.runId}`)).status === 'completed';
  await until(isOver, 'the second run has ended', 60_000);
  const shows = (path, selector) => async () => {
    await page.goto(`${projectUrl}${path}`);
    await page.locator(selector).first().waitFor();
  };
  const button = (name) => page.getByRole('button', { name, exact: true });
  return {
    home: async () => {
      await page.goto(new URL('/', projectUrl).href);
      await page.locator('#home-latest').waitFor();
    },
    run: shows(`/runs/${run.id}`, '.stage-map'),
    trial: async () => {
      await shows(`/runs/${run.id}`, '[data-trial]')();
      await page.getByRole('link', { name: 'Open trace' }).first().click();
      await page.locator('.turn').first().waitFor();
    },
    suite: shows(`/suites/${suite.id}`, '#cases'),
    compare: shows(`/runs/${again.runId}/compare/${run.id}`, 'h2'),
    server: async () => {
      await shows(`/servers/${server.id}`, '.choices a')();
      await page.getByRole('link', { name: /^search_books/ }).click();
      await page.getByLabel(/^query/).fill('Ida Moreau');
      await button('Call the tool').click();
      await page.getByText('The tool answered').waitFor();
    },
    playground: async () => {
      await shows('?section=playground', '.begin-chat select')();
      await button('Begin').click();
      await page.getByLabel('Message', { exact: true }).fill('Search for books by "Ida Moreau".');
      await button('Send').click();
      await page.getByRole('log').getByText('done').waitFor();
      await button('Send').waitFor();
    },
  };
}

async function takePictures(page, name) {
  // Pending answers and fonts must arrive before the screenshot.
  await page.waitForLoadState('networkidle');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const picture = palettePng(await page.screenshot({ caret: 'hide', animations: 'disabled' }));
    if (picture.length > largestBytes) throw new Error(`The picture of ${name} is too large.`);
    writeFileSync(`${folder}${name}-${colorScheme}.png`, picture);
    console.log(`docs/images/${name}-${colorScheme}.png ${Math.round(picture.length / 1000)} kB`);
  }
}
