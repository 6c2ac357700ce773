/**
 * Tests every page of the console with sixty texts that have run as scripts in other products. They
 * are in every name, description, prompt, call, answer and error of people, servers and models. All
 * must be shown as text; axe must find nothing; texts must be readable, and no page may
 * be too wide on a phone or a desktop.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Look,
  type SilentConnections,
  tooWideBy,
} from '@proofmark/harness/journeys/open-browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FurnishedConsole, furnishConsole, openConsolePage } from './furnished-console.ts';
import { isOnlyText, namesOfAllPayloads, textOfPart, unfold } from './script-payloads.ts';
import { unreadableTexts } from './unreadable-texts.ts';
import { enter, sendAndAwaitAnswer, visitState } from './user-testing-stage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const router = readFileSync(
  new URL('../../packages/console/src/main/router.tsx', import.meta.url),
  'utf8',
);
/**
 * Every page is checked in both themes and at both widths, with axe in each. A page starts with the
 * theme and width with which the previous one ended.
 */
const looks: readonly Look[] = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 360],
  ['light', 360],
];
const names = namesOfAllPayloads();

let furnished: FurnishedConsole;
/**
 * The pages are opened without the content security policy. The policy would stop an injected
 * script and so hide that a page does not escape its texts.
 */
let watched: SilentConnections;

beforeAll(async () => {
  furnished = await furnishConsole({
    name: (at) => names[at % names.length] as string,
    text: (at) => textOfPart(at % 4),
  });
  watched = await ownersPage({ bypassCSP: true });
});
afterAll(async () => {
  await furnished?.stop();
});

async function ownersPage(options = {}): Promise<SilentConnections> {
  const { stage } = furnished;
  const opened = await stage.somebody(options);
  await opened.context.addCookies(await stage.owner.context.cookies());
  return opened;
}

async function problemsOf({ page, foreign }: SilentConnections): Promise<string[]> {
  await page.evaluate(unfold);
  await isOnlyText(page, foreign);
  const problems: string[] = [];
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const found = await unreadableTexts(page);
    found.push(...(await askAxe(page)));
    const tooWide = await tooWideBy(page);
    if (tooWide > 0) found.push(`it is wider than its window by ${tooWide}`);
    const { pathname, search } = new URL(page.url());
    problems.push(...found.map((one) => `${pathname}${search} ${colorScheme} ${width}: ${one}`));
  }
  return problems;
}

async function askAxe(page: SilentConnections['page']): Promise<string[]> {
  // axe stays loaded, since the console changes pages without a reload.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const options = { resultTypes: ['violations'] };
  // After a change of width, scrollable areas are updated only in the next frame.
  await page.evaluate(
    'new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))',
  );
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(
    ({ violations }) => violations
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

test('pages show texts as text, axe finds nothing, and none is wider than its window', async () => {
  const problems: string[] = [];
  for (const at of furnished.pages.keys()) {
    await openConsolePage(watched.page, furnished, at);
    problems.push(...(await problemsOf(watched)));
  }
  expect(problems).toEqual([]);
}, 600_000);

test('so do dialogs, the search, and the answer of a tool that is called', async () => {
  const { page } = watched;
  const problems: string[] = [];
  await page.goto(`${furnished.stage.service.url}/nowhere`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  problems.push(...(await problemsOf(watched)));
  const server = furnished.pages.find(({ route }) => route.endsWith('/servers/$serverId'));
  await page.goto(`${furnished.stage.service.url}${server?.path}`);
  await page.getByRole('link', { name: /^count_0/ }).click();
  await page.getByRole('button', { name: 'Call the tool', exact: true }).click();
  const answer = textOfPart(3).split('\n')[0] as string;
  await page.getByText(answer).first().waitFor();
  problems.push(...(await problemsOf(watched)));
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  problems.push(...(await problemsOf(watched)));
  await page.getByRole('combobox', { name: 'Search or do something' }).fill('onerror');
  await page.getByRole('option').filter({ hasText: 'onerror' }).first().waitFor();
  problems.push(...(await problemsOf(watched)));
  expect(problems).toEqual([]);
});

test('so do the pages of who is not signed in', async () => {
  const visitor = await furnished.stage.somebody({ bypassCSP: true });
  const { page } = visitor;
  const problems: string[] = [];
  await page.goto(`${furnished.stage.service.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  problems.push(...(await problemsOf(visitor)));
  await page.goto(furnished.visitLink);
  await visitState(page, 'notice');
  problems.push(...(await problemsOf(visitor)));
  await enter(page, furnished.visitLink);
  await sendAndAwaitAnswer(page, textOfPart(1));
  problems.push(...(await problemsOf(visitor)));
  expect(problems).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test('no page complained', () => {
  expect(watched.complaints).toEqual([]);
});

test('nor does any page, with the content policy on', async () => {
  const { page, foreign, complaints } = await ownersPage();
  const routes = new Set(furnished.pages.map(({ route }) => route));
  for (const route of routes) {
    const at = furnished.pages.findIndex((one) => one.route === route);
    await openConsolePage(page, furnished, at);
    await page.evaluate(unfold);
    await isOnlyText(page, foreign);
  }
  expect(complaints).toEqual([]);
}, 300_000);

test('a text that does become a script would be seen', async () => {
  const { stage } = furnished;
  const { page, foreign } = await stage.somebody({ bypassCSP: true });
  await page.goto(`${stage.service.url}/sign-in`);
  await page.locator('main form').waitFor();
  await isOnlyText(page, foreign);
  await page.evaluate(
    `document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x onerror=window.executed=1>')`,
  );
  await expect.poll(() => page.evaluate('window.executed')).toBe(1);
  await page.evaluate("document.querySelector('main img').remove()");
  await expect(isOnlyText(page, foreign)).rejects.toThrow();
});
