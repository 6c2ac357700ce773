/** Every page of the console, in both themes, on a phone and on a desk: axe finds nothing serious, and nothing is too wide. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FurnishedConsole, furnishConsole, openConsolePage } from './furnished-console.ts';
import type { Look, Watched } from './open-browser.ts';
import { unreadableTexts } from './unreadable-texts.ts';
import { enter, sayAndHear, visitState } from './user-testing-stage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const router = readFileSync(
  new URL('../../packages/console/src/router.tsx', import.meta.url),
  'utf8',
);
type AskedLook = readonly [...Look, asked: 'axe' | 'texts'];
/**
 * Every page is seen in both themes and at both widths. Axe, which takes most of the time, is asked in one of these two
 * looks, and every second page in the other; what it does not see of the second, that texts can be read, is looked at
 * there. `PROOFMARK_LOOKS=all` asks axe in all four.
 */
const looks: readonly (readonly AskedLook[])[] = [
  [
    ['light', 1440, 'axe'],
    ['dark', 360, 'texts'],
  ],
  [
    ['dark', 360, 'axe'],
    ['light', 1440, 'texts'],
  ],
];
const allLooks: readonly AskedLook[] = [
  ['light', 1440, 'axe'],
  ['dark', 1440, 'axe'],
  ['dark', 360, 'axe'],
  ['light', 360, 'axe'],
];
const isLong = process.env['PROOFMARK_LOOKS'] === 'all';
const names = ['Shop', 'Depot', 'Count the pens', 'Answer politely', 'Bundle', 'Shelf', 'Desk'];
const plain = {
  name: (at: number) => `${names[at % names.length]} ${at}`,
  text: (at: number) => `How many pens are there on shelf ${at}?\n\nTell me in **one** word.`,
};

let furnished: FurnishedConsole;
let owner: Watched;

beforeAll(async () => {
  furnished = await furnishConsole(plain);
  const { stage } = furnished;
  owner = await stage.somebody();
  await owner.context.addCookies(await stage.owner.context.cookies());
  await owner.context.addInitScript({ content: axe });
});
afterAll(async () => {
  await furnished?.stop();
});

/** How many pages were looked at. */
let seen = 0;

/** What is wrong with the page that is open, in words one can act on. */
async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = [];
  const due = isLong ? allLooks : (looks[seen++ % looks.length] ?? allLooks);
  for (const [colorScheme, width, asked] of due) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const found = asked === 'axe' ? await askAxe(page) : await unreadableTexts(page);
    const tooWide = await page.evaluate<number>(
      'document.documentElement.scrollWidth - innerWidth',
    );
    if (tooWide > 0) found.push(`it is wider than its window by ${tooWide}`);
    const { pathname, search } = new URL(page.url());
    problems.push(...found.map((one) => `${pathname}${search} ${colorScheme} ${width}: ${one}`));
  }
  return problems;
}

function askAxe(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        [id, html.slice(0, 160), failureSummary].join(' ')))
  )`);
}

test('the list has every page of the router', () => {
  const routes = [...router.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path]) => path);
  expect(routes.length).toBeGreaterThan(40);
  const opened = new Set(furnished.pages.map(({ route }) => route));
  expect(routes.filter((route) => !opened.has(route as string))).toEqual([]);
});

test('axe finds nothing serious on any page, none is wider than its window, and none complains', async () => {
  const { page } = owner;
  const problems: string[] = [];
  for (const at of furnished.pages.keys()) {
    await openConsolePage(page, furnished, at);
    problems.push(...(await problemsOf(page)));
  }
  expect(problems).toEqual([]);
  expect(owner.complaints).toEqual([]);
}, 300_000);

test('nor on the pages of who is not signed in, nor in dialogs', async () => {
  const { page } = owner;
  const problems: string[] = [];
  await page.goto(furnished.stage.projectUrl);
  await page.getByRole('link', { name: 'Evals', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  problems.push(...(await problemsOf(page)));
  await page.goto(`${furnished.stage.service.url}/nowhere`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  problems.push(...(await problemsOf(page)));
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  problems.push(...(await problemsOf(page)));
  const visitor = await furnished.stage.somebody();
  await visitor.context.addInitScript({ content: axe });
  await visitor.page.goto(`${furnished.stage.service.url}/sign-in`);
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  problems.push(...(await problemsOf(visitor.page)));
  await visitor.page.goto(furnished.visitLink);
  await visitState(visitor.page, 'notice');
  problems.push(...(await problemsOf(visitor.page)));
  await enter(visitor.page, furnished.visitLink);
  await sayAndHear(visitor.page, 'How many pens are there?');
  problems.push(...(await problemsOf(visitor.page)));
  expect(problems).toEqual([]);
});
