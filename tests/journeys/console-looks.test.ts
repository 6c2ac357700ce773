/**
 * Tests the layout that all pages share: the header, the tabs, the columns of forms, and the accent
 * of each family of pages.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUserTestingStage, type UserTestingStage } from './user-testing-stage.ts';

let stage: UserTestingStage;
let page: Page;
let serverUrl: string;

beforeAll(async () => {
  stage = await startUserTestingStage();
  await stage.workspace.admin('set-feature', 'My organization', 'swarms', 'on');
  page = stage.owner.page;
  await page.getByRole('button', { name: 'Not now', exact: true }).click();
  const [server] = (await stage.ask('GET', 'servers')).items;
  serverUrl = `${stage.projectUrl}/servers/${server.id}`;
});
afterAll(async () => {
  await stage?.stop();
});

async function open(url: string): Promise<void> {
  await page.goto(url);
  await page.locator('main h1').waitFor();
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
}

describe('the header', () => {
  const tops = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('header a, header button')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
        .map(({ top, height }) => Math.round(top + height / 2))`,
    );

  test.each([360, 390, 720, 721, 900, 1360])('is one line at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await open(stage.projectUrl);
    const found = await tops();
    expect(found.length).toBeGreaterThan(2);
    expect(Math.max(...found) - Math.min(...found)).toBeLessThanOrEqual(1);
    const box = await page.locator('header').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(50);
  });

  test.each([360, 1360])('clips no text of its dialogs at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await open(stage.projectUrl);
    for (const key of ['?', 'Control+k']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      if (key !== '?') await page.getByRole('option').first().waitFor();
      const clipped = await page.evaluate<string[]>(
        `[...document.querySelectorAll('dialog, dialog *')]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .map((one) => one.textContent)`,
      );
      expect(clipped).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  test('has its links behind a button on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(stage.projectUrl);
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const reference = page.getByRole('link', { name: 'Reference', exact: true });
    expect(await reference.isVisible()).toBe(false);
    await menu.click();
    await reference.waitFor();
    await page.keyboard.press('Escape');
    await reference.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
    await menu.click();
    await page.getByRole('link', { name: 'People and settings', exact: true }).click();
    await page.waitForURL('**/organizations/**');
    await reference.waitFor({ state: 'hidden' });
  });
});

/** Positions of all tabs, in each state in which a tab is chosen. */
async function placesOfTabs(name: string): Promise<Set<string>> {
  const tabs = page.getByRole('navigation', { name, exact: true }).getByRole('link');
  const places = () =>
    tabs.evaluateAll((links) =>
      links
        .map((link) => link.getBoundingClientRect())
        .map(({ x, y, width }) => [x, y, width].map(Math.round).join(' '))
        .join(', '),
    );
  const found = new Set<string>();
  // Between two pages that are loaded on demand there may be none for a moment.
  const add = (shown: string) => shown !== '' && found.add(shown);
  const count = await tabs.count();
  expect(count).toBeGreaterThan(1);
  for (let at = 0; at < count; at += 1) {
    await tabs.nth(at).click();
    await expect.poll(() => tabs.nth(at).getAttribute('aria-current')).not.toBeNull();
    add(await places());
    await expect.poll(() => page.locator('main .loading').count()).toBe(0);
    add(await places());
  }
  return found;
}

describe.each([1360, 390])('tabs at %i pixels', (width) => {
  beforeAll(async () => {
    await page.setViewportSize({ width, height: 844 });
  });

  test('of a project stay where they are, whichever is chosen', async () => {
    await open(stage.projectUrl);
    expect([...(await placesOfTabs('Sections of this project'))]).toHaveLength(1);
  });

  test('of a server do', async () => {
    await open(serverUrl);
    expect([...(await placesOfTabs('Sections of this server'))]).toHaveLength(1);
  });

  test('of people and settings do, from page to page', async () => {
    await open(`${stage.service.url}/organizations`);
    await page.waitForURL('**/members');
    const found = [...(await placesOfTabs('People and settings'))];
    expect(found).toEqual(found.slice(0, 1));
  });
});

test('a scroll bar moves nothing, because its room is always kept', async () => {
  await open(stage.projectUrl);
  const overflow = await page.evaluate('getComputedStyle(document.documentElement).overflowY');
  expect(overflow).toBe('scroll');
});

describe('forms', () => {
  const routes = [
    '../projects/new',
    'servers/new',
    'servers/new?kind=program',
    'clients/new',
    'environments/new',
    'server-groups/new',
    'skills/new',
    'plugins/new',
    'suites/new',
    'personas/new',
    'swarms/new',
    'drafts',
    '?section=settings',
  ];
  /** The part of the width of the page that fields and their explanations take. */
  const used = () =>
    page.evaluate<number>(`(() => {
      const main = document.querySelector('main').getBoundingClientRect();
      const room = main.width - 56;
      const parts = [...document.querySelectorAll('main :is(input, select, textarea, pre, .panel, label)')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect().right - main.left - 28);
      return Math.max(...parts) / room;
    })()`);
  /** How many columns parts stand in. Parts inside a panel are a little further right. */
  const columns = () =>
    page.evaluate<number>(`new Set([...document.querySelectorAll(
      'main .form-fields > :is(.field, .choice-field), main .two-columns > *, main .workbench > *',
    )].map((one) => Math.floor(one.getBoundingClientRect().left / 360))).size`);

  beforeAll(async () => {
    await stage.publish({ name: 'Open to all' });
  });

  test.each(routes)('%s uses both halves of a wide page, and one column of a phone', async (to) => {
    await page.setViewportSize({ width: 1360, height: 900 });
    const url = to.startsWith('?') ? `${stage.projectUrl}${to}` : `${stage.projectUrl}/${to}`;
    await open(to.startsWith('..') ? `${stage.service.url}/projects/new` : url);
    await page.locator('main :is(input, select, textarea)').first().waitFor();
    expect(await used()).toBeGreaterThan(0.9);
    expect(await columns()).toBeGreaterThan(1);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await columns()).toBe(1);
  });
});

test('evals, swarms and user testing have an accent each, in light and dark', async () => {
  await page.setViewportSize({ width: 1360, height: 900 });
  const marks = async (section: string) => {
    await open(`${stage.projectUrl}?section=${section}`);
    const tab = page.locator(`.sections [data-family="${section}"]`);
    const colours: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      colours.push(
        await tab.evaluate(
          (link) => (globalThis as never as Globals).getComputedStyle(link).borderBottomColor,
        ),
      );
    }
    return colours;
  };
  const found = [
    ...(await marks('evals')),
    ...(await marks('swarms')),
    ...(await marks('user-testing')),
  ];
  expect(new Set(found).size).toBe(6);
});

interface Globals {
  getComputedStyle(element: unknown): { readonly borderBottomColor: string };
}
