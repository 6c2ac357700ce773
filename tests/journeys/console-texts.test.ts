/**
 * Sixty texts that have become scripts in some page, in every name, description, prompt, call, answer and error that
 * people, servers and models can give, on every page of the console, with the content policy off: it is the second wall,
 * and would hide a hole in the first. With it on, that no page complains is seen where axe walks over all of them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FurnishedConsole, furnishConsole, openConsolePage } from './furnished-console.ts';
import type { Watched } from './open-browser.ts';
import { isOnlyText, namesOfAllPayloads, textOfPart, unfold } from './script-payloads.ts';

const names = namesOfAllPayloads();
let furnished: FurnishedConsole;

beforeAll(async () => {
  furnished = await furnishConsole({
    name: (at) => names[at % names.length] as string,
    text: (at) => textOfPart(at % 4),
  });
});
afterAll(async () => {
  await furnished?.stop();
});

describe('with the content policy off', () => {
  let watched: Watched;

  beforeAll(async () => {
    const { stage } = furnished;
    watched = await stage.somebody({ bypassCSP: true });
    await watched.context.addCookies(await stage.owner.context.cookies());
  });

  test('every page shows them as text', async () => {
    const { page, foreign } = watched;
    for (const at of furnished.pages.keys()) {
      await openConsolePage(page, furnished, at);
      await page.evaluate(unfold);
      await isOnlyText(page, foreign);
    }
  }, 300_000);

  test('so do the answer of a tool that is called, and the search', async () => {
    const { page, foreign } = watched;
    const server = furnished.pages.find(({ route }) => route.endsWith('/servers/$serverId'));
    await page.goto(`${furnished.stage.service.url}${server?.path}`);
    await page.getByRole('link', { name: /^count_0/ }).click();
    await page.getByRole('button', { name: 'Call the tool', exact: true }).click();
    await page
      .getByText(textOfPart(3).split('\n')[0] as string)
      .first()
      .waitFor();
    await isOnlyText(page, foreign);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or do something' }).fill('onerror');
    await page.getByRole('option').filter({ hasText: 'onerror' }).first().waitFor();
    await isOnlyText(page, foreign);
  });

  test('no page complained', () => {
    expect(watched.complaints).toEqual([]);
  });
});

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
