/**
 * Takes a picture of every page of the console, light, dark and on a phone, so that a person can
 * look at them one by one: `npm run screenshots -- --all FOLDER`. Without a folder it does nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { SilentConnections } from '@proofmark/harness/journeys/open-browser.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  type ConsolePage,
  type FurnishedConsole,
  furnishConsole,
  openConsolePage,
  pagesOfSample,
} from './furnished-console.ts';
import { enter, sendAndAwaitAnswer, visitState } from './user-testing-stage.ts';

const folder = process.env['PROOFMARK_PICTURES'];
/** Only the pages whose path contains this text. */
const wanted = process.env['PROOFMARK_PICTURED_PATH'] ?? '';

const forms = [
  { name: 'light', colorScheme: 'light', width: 1360, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1360, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
] as const;

const names = [
  ...['Bookshop', 'Find a book by its author', 'Opening hours', 'Ask for a book in stock'],
  ...['Bookshop kit', 'Shop servers', 'Shop assistant', 'Staging with the new search'],
  ...['Mara', 'hurried reader who types on a phone', 'Readers', 'Find a present in time'],
  ...['No tool fails', 'Bookshop assistant, spring test', 'Nightly reports'],
];
const texts = [
  'Answers questions about books, their authors and when the shop is open.',
  'There are four books by Ida Moreau in stock. The newest is “The Quiet Coast”.',
  'Find me a book for a ten-year-old who likes boats. It must be here by Friday.',
  'The shelf index is being rebuilt. Try again in a minute.',
];

test.skipIf(folder === undefined)(
  'a picture of every page in every form',
  async () => {
    const furnished = await furnishConsole({
      name: (at) => names[at % names.length] as string,
      text: (at) => texts[at % texts.length] as string,
    });
    try {
      await takeAll(furnished, folder as string);
    } finally {
      await furnished.stop();
    }
  },
  1_800_000,
);

async function takeAll(furnished: FurnishedConsole, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const { stage } = furnished;
  const pages = [...furnished.pages, ...(await pagesOfSample(furnished))];
  const owner = await stage.somebody({ locale: 'en-GB', timezoneId: 'UTC' });
  await owner.context.addCookies(await stage.owner.context.cookies());
  const shown = { ...furnished, pages: pages.filter(({ path }) => path.includes(wanted)) };
  for (const [at, one] of shown.pages.entries()) {
    await openConsolePage(owner.page, shown, at);
    await takeForms(owner.page, `${target}/${number(at)}-${slugOf(one)}`);
  }
  if (wanted !== '') return;
  await takeOthers(owner, furnished, target);
  await takeVisit(furnished, target);
}

async function takeOthers(
  { page }: SilentConnections,
  { stage }: FurnishedConsole,
  target: string,
): Promise<void> {
  await page.goto(stage.projectUrl);
  await page.locator('main h2').first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await takeForms(page, `${target}/90-menu`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await takeForms(page, `${target}/91-keys`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  await takeForms(page, `${target}/92-search`);
}

async function takeVisit({ stage, visitLink }: FurnishedConsole, target: string): Promise<void> {
  const { page } = await stage.somebody();
  await page.goto(visitLink);
  await visitState(page, 'notice');
  await takeForms(page, `${target}/93-visit-notice`);
  await enter(page, visitLink);
  await sendAndAwaitAnswer(page, texts[2] as string);
  await takeForms(page, `${target}/94-visit`);
}

async function takeForms(page: Page, path: string): Promise<void> {
  for (const { name, colorScheme, width, height } of forms) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.locator('.loading, .map-to-come').count()).toBe(0);
    const picture = await page.screenshot({ fullPage: true, caret: 'hide' });
    expect(picture.length).toBeGreaterThan(0);
    writeFileSync(`${path}-${name}.png`, picture);
  }
}

function number(at: number): string {
  return String(at + 1).padStart(2, '0');
}

function slugOf({ route, path }: ConsolePage): string {
  const query = /\?section=(\w[\w-]*)|\?kind=(\w+)/.exec(path);
  const words = route.replaceAll(/\$\w+|\b[a-z]{3}_\w+/g, '').split('/');
  return (
    [...words, query?.[1] ?? query?.[2] ?? ''].filter((word) => word !== '').join('-') || 'home'
  );
}
