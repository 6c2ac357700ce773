import {
  type Look,
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: TestWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let clientUrl: string;
let environmentUrl: string;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off', PROOFMARK_SAMPLE: 'on' });
  await waitForSample(service);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Sample bookshop').waitFor();
  projectUrl = page.url();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const notice = (text: string) => page.getByRole('status').getByText(text).first().waitFor();
const changes = (label: string) => page.getByRole('list', { name: label, exact: true });
const json = async (label: string) => JSON.parse(await field(label).inputValue());

async function openSection(name: string): Promise<void> {
  await page.goto(projectUrl);
  const sections = page.getByRole('navigation', { name: 'Sections of this project' });
  await sections.getByRole('link', { name: 'Set-up', exact: true }).click();
  const setUp = page.getByRole('navigation', { name: 'Set-up' });
  await setUp.getByRole('link', { name, exact: true }).click();
  await heading(name);
}

// biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
async function elsewhere(method: string, path: string, body?: unknown): Promise<any> {
  const call = JSON.stringify({ method, path, body });
  return await page.evaluate(`(async () => {
    const { method, path, body } = ${call};
    const { csrfToken } = await (await fetch('/console/v1/session')).json();
    const send = () => fetch('/api/v1' + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let answer = await send();
    // A session has a limit of its own, which pages that are opened this fast can reach.
    while (answer.status === 429) {
      const waitMs = 1000 * Number(answer.headers.get('retry-after') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      answer = await send();
    }
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  })()`);
}

const apiPath = (url: string) => new URL(url).pathname;

describe('a client', () => {
  test('is made from a template, which shows what it starts with', async () => {
    await openSection('Clients');
    // The environment of the client has the same name and is listed too.
    await page.getByRole('rowheader', { name: 'Sample', exact: true }).waitFor();
    await link('New client').click();
    await page.getByRole('radio', { name: /^VS Code/ }).check();
    await expect.poll(() => page.getByRole('radio').count()).toBe(17);
    expect(page.url()).toContain('from=vscode');
    expect((await json('Config as JSON')).modelId).toBe('openai/gpt-5');
    await page.getByRole('radio', { name: /^Proofmark/ }).check();
    await field('Name').fill('Lexical');
    // The newest server is preselected; this client gets its server later.
    await page.getByRole('checkbox', { name: /^Sample bookshop/ }).uncheck();
    await button('Create client').click();
    await heading('Lexical');
    expect(await field('Model').inputValue()).toBe('proofmark/lexical-1');
    clientUrl = page.url();
  });

  test('is edited by form and JSON in step, and wrong values are told before they are sent', async () => {
    await field('Temperature').fill('7');
    await button('Review changes').click();
    await page.getByText('Enter a number from 0 to 2.').first().waitFor();
    await field('Temperature').fill('0.5');
    await field('Sample bookshop').selectOption('required');
    await button('Add header').click();
    await field('Header 1 name').fill('X-Team');
    await field('Header 1 value').fill('quality');
    const config = await json('Config as JSON');
    expect(config).toMatchObject({
      temperature: 0.5,
      connectionDefaults: { headers: { 'X-Team': 'quality' } },
    });
    expect(config.serverIds).toHaveLength(1);
    await field('Config as JSON').fill(JSON.stringify({ ...config, temperature: 0.25 }));
    expect(await field('Temperature').inputValue()).toBe('0.25');
    await field('Config as JSON').fill(JSON.stringify({ ...config, surprise: 1 }));
    await button('Review changes').click();
    await page
      .getByText(/surprise/)
      .last()
      .waitFor();
    await field('Config as JSON').fill(JSON.stringify(config));
  });

  test('shows what changes before it is saved, in words', async () => {
    await button('Review changes').click();
    const list = changes('Changes');
    await list.waitFor();
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/Header › X-Team\s+not stated → quality/),
      expect.stringMatching(/Required server\s+Sample bookshop added/),
      expect.stringMatching(/Temperature\s+not stated → 0.5/),
    ]);
    await button('Save these changes').click();
    await notice('Saved.');
    await page.reload();
    expect(await field('Temperature').inputValue()).toBe('0.5');
    await button('Review changes').click();
    await notice('Nothing was changed.');
  });

  test('that was changed meanwhile shows both edits, and mine can be put on theirs', async () => {
    const path = apiPath(clientUrl);
    const read = await elsewhere('GET', path);
    await elsewhere('PATCH', path, {
      name: 'Renamed by another',
      set: { temperature: 1, systemPrompt: 'Written by another.' },
      expectedConfigId: read.configId,
      expectedName: read.name,
    });
    await field('Temperature').fill('2');
    await field('Approval of each tool call').selectOption('yes');
    await button('Review changes').click();
    await button('Save these changes').click();
    await heading('Not saved: this client was changed meanwhile');
    const theirs = (await changes('They changed').allInnerTexts()).join();
    expect(theirs).toContain('Written by another.');
    expect(theirs).toContain('Lexical → Renamed by another');
    expect(theirs).toMatch(/0\.5 → 1/);
    const mine = await changes('You changed').getByRole('listitem').allInnerTexts();
    expect(mine).toEqual([
      expect.stringMatching(/Approval of each tool call\s+not stated → yes/),
      expect.stringMatching(/Temperature\s*they changed this too\s+0\.5 → 2/),
    ]);
    await button('Reapply my changes on theirs').click();
    await changes('Changes').getByText('Temperature').waitFor();
    await button('Save these changes').click();
    await notice('Saved.');
    await heading('Renamed by another');
    const saved = await elsewhere('GET', path);
    expect(saved.config).toMatchObject({
      temperature: 2,
      systemPrompt: 'Written by another.',
      requireToolApproval: true,
    });
  });

  test('that was changed meanwhile can be taken over as it is', async () => {
    const path = apiPath(clientUrl);
    const { configId } = await elsewhere('GET', path);
    await elsewhere('PATCH', path, { set: { temperature: 0 }, expectedConfigId: configId });
    await field('System prompt').fill('Mine.');
    await button('Review changes').click();
    await button('Save these changes').click();
    await button('Take theirs, drop mine').click();
    expect(await field('Temperature').inputValue()).toBe('0');
    expect(await field('System prompt').inputValue()).toBe('Written by another.');
  });

  test('is duplicated, and the copy is deleted', async () => {
    await button('Duplicate').click();
    await page.getByRole('heading', { level: 1, name: /Renamed by another.+/ }).waitFor();
    await button('Delete client').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No environment uses this client.').waitFor();
    await dialog.getByRole('button', { name: 'Delete client' }).click();
    await heading('Clients');
    await link('Renamed by another').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
  });

  test('is made from JSON', async () => {
    await link('New client').click();
    await page.getByRole('radio', { name: /^From JSON/ }).check();
    await field('Name').fill('Bare');
    await field('Config as JSON').fill('{"modelId": ""}');
    await button('Create client').click();
    await page.getByText('modelId must not be blank.').waitFor();
    await field('Config as JSON').fill('{"modelId": "proofmark/lexical-1"}');
    await button('Create client').click();
    await heading('Bare');
  });
});

describe('what environments point to', () => {
  test('a server group, a skill with versions and a plugin are made', async () => {
    await openSection('Server groups');
    await page.getByText('No server groups yet').waitFor();
    await link('New server group').click();
    await field('Name').fill('Shop');
    await button('Create server group').click();
    await page.getByText('Choose at least one server.').waitFor();
    await page.getByLabel('Sample bookshop').check();
    await button('Create server group').click();
    await heading('Shop');

    await openSection('Skills');
    await link('New skill').click();
    await field('Name').fill('Ordering');
    await field('Text').fill('Search first.\nThen order.');
    await button('Create skill').click();
    await heading('Text of version 1');
    await button('New version').click();
    await field('Text').fill('Search first.\nThen ask.\nThen order.');
    expect(await page.locator('.line.in').allInnerTexts()).toEqual(['+Then ask.']);
    await button('Save version 2').click();
    await heading('Text of version 2');

    await openSection('Plugins');
    await link('New plugin').click();
    await field('Name').fill('Shop kit');
    await field('Version').fill('1.0.0');
    await page.getByLabel('Ordering').check();
    await button('Create plugin').click();
    await page
      .getByRole('row', { name: /1\.0\.0/ })
      .getByText('active')
      .waitFor();
  });
});

describe('an environment', () => {
  test('is made by a form, and resolves to what would run', async () => {
    await openSection('Environments');
    await link('New environment').click();
    await button('Create environment').click();
    await page.getByText('Enter a name.').first().waitFor();
    await field('Name').fill('Staging');
    await field('Client').selectOption({ label: 'Renamed by another' });
    await field('Shop kit').selectOption({ index: 1 });
    expect((await json('Environment as JSON')).pluginVersionIds).toHaveLength(1);
    await button('Create environment').click();
    await heading('Resolved environment');
    environmentUrl = page.url().split('?')[0] as string;
    expect(page.url()).toContain('section=preview');
    const facts = await page.locator('dl.facts').first().innerText();
    for (const part of [
      ...['Renamed by another', 'proofmark/lexical-1', 'from the client'],
      ...['Servers (1)', 'Sample bookshop', 'Plugins (1)', 'Shop kit', 'Skills (1)', 'Ordering'],
    ]) {
      expect(facts).toContain(part);
    }
    // The config is folded under *Details*.
    await page.getByText('"requireToolApproval": true').waitFor({ state: 'attached' });
  });

  test('shows what was changed meanwhile, and its own model wins over that of the client', async () => {
    await link('Settings').click();
    await field('Model').fill('proofmark/other');
    const { revision } = await elsewhere('GET', apiPath(environmentUrl));
    await elsewhere('PATCH', apiPath(environmentUrl), {
      expectedRevision: revision,
      description: 'By another.',
    });
    await button('Review changes').click();
    await page.getByText(/not stated → proofmark\/other/).waitFor();
    await button('Save these changes').click();
    await heading('Not saved: this environment was changed meanwhile');
    await changes('They changed').getByText('By another.').waitFor();
    await page.getByText('You changed different things, so both can stand.').waitFor();
    await button('Reapply my changes on theirs').click();
    await button('Save these changes').click();
    await notice('Saved.');
    expect(await field('Description').inputValue()).toBe('By another.');
    await link('Preview').click();
    await page.getByText('from the environment').waitFor();
  });

  test('keeps what it uses from being deleted, and says why', async () => {
    await page.goto(clientUrl);
    await button('Delete client').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In use by 1 live environment.').waitFor();
    await dialog.getByRole('button', { name: 'Delete client' }).click();
    await dialog.getByText('Environments use this client').waitFor();
    await openSection('Plugins');
    await link('Shop kit').click();
    await button('Delete plugin').click();
    await dialog.getByRole('link', { name: 'Staging' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete plugin' }).click();
    await dialog.getByText('An environment uses this plugin').waitFor();
  });

  test('that cannot run says why and where to mend it', async () => {
    await openSection('Environments');
    await link('New environment').click();
    await field('Name').fill('Empty');
    await field('Client').selectOption({ label: 'Bare' });
    await button('Create environment').click();
    await heading('It cannot run: it has no servers');
    await link('Open its client').click();
    await heading('Bare');
  });

  test('is archived, listed on request, and restored', async () => {
    await page.goto(environmentUrl);
    await button('Archive').click();
    await button('Archive environment').click();
    await page.getByText('It is archived.').waitFor();
    await link('Preview').click();
    await heading('It cannot run: it is archived');
    await openSection('Environments');
    await link('Empty').waitFor();
    await expect.poll(() => link('Staging').count()).toBe(0);
    await page.getByLabel('Show archived ones too').check();
    await link('Staging').click();
    await button('Restore').click();
    await button('Restore environment').click();
    await notice('Environment Staging restored.');
    await button('Review changes').waitFor();
  });
});

test('no page scrolls sideways, light and wide or dark and narrow', async () => {
  for (const url of [
    ...['clients', 'environments', 'server-groups', 'skills', 'plugins'].map(
      (section) => `${projectUrl}?section=${section}`,
    ),
    ...['clients/new', 'environments/new', 'plugins/new'].map((path) => `${projectUrl}/${path}`),
    ...[clientUrl, environmentUrl, `${environmentUrl}?section=preview`],
  ]) {
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    expect(await sidewaysIn(page, looks)).toEqual([]);
    expect(await page.evaluate<string[]>(controlsWithoutName)).toEqual([]);
  }
});

test('nothing went elsewhere and no error was raised', () => {
  expect(watched.foreign).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

/** Evaluated in the page: returns the controls without a label. */
const controlsWithoutName = `[...document.querySelectorAll('main input, main select, main textarea, main button')]
  .filter((one) => !(one.labels?.length > 0 || one.ariaLabel || one.innerText))
  .map((one) => one.outerHTML)`;
