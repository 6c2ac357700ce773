import { writeFileSync } from 'node:fs';
import {
  openBrowser,
  type SilentConnections,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

let workspace: SharedWorkspace;
let service: ServiceHere;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  const stdioServers = [{ name: 'Files', command: '/bin/true' }];
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify({ stdioServers }));
  service = await workspace.serveHere();
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
});

const heading = (name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const notice = (text: string) => page.getByRole('status').getByText(text).first().waitFor();

const focusedControl = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element === document.body ? '' : element.innerText || element.id;
  return { name, outlined: outlineStyle !== 'none' && outlineWidth !== '0px' };
})()`;

const framesLater = `new Promise((resolve) => {
  let left = 30;
  const next = () => (left-- === 0 ? resolve() : requestAnimationFrame(next));
  next();
})`;

describe('the console', () => {
  test('asks a stranger to sign in, and remembers where they wanted to go', async () => {
    await page.goto(`${service.url}/api-keys`);
    await heading('Sign in');
    await field('E-mail').fill('owner@localhost');
    await field('Password').fill('not the password');
    await button('Sign in').click();
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
  });

  test('lets the owner in by the printed link, and takes the token out of the address', async () => {
    const link = service.events().find((event) => event['event'] === 'signInLink')?.['url'] ?? '';
    await page.goto(link);
    await heading('Nothing has run yet');
    expect(page.url()).not.toContain('token');
    await page.getByRole('link', { name: 'Default', exact: true }).waitFor();
    const stranger = await watchedPage(browser, service.url);
    await stranger.page.goto(link);
    await stranger.page.getByText('This sign-in link was already used or has expired.').waitFor();
    await stranger.context.close();
  });

  test('stays signed in when the answer that nobody was arrives late', async () => {
    const { url } = await workspace.admin('create-link', 'owner@localhost', '--url', service.url);
    const slow = await watchedPage(browser, service.url);
    let isSignedIn = () => {};
    const signedIn = new Promise<void>((resolve) => {
      isSignedIn = resolve;
    });
    let held = 0;
    await slow.page.route('**/console/v1/session', async (route) => {
      const answer = await route.fetch();
      if (route.request().method() === 'GET' && held === 0) {
        held += 1;
        await signedIn;
      }
      // The page may have cancelled the request, so an error is ignored.
      await route.fulfill({ response: answer }).catch(() => undefined);
    });
    await slow.page.goto(url);
    const home = slow.page.getByRole('heading', { level: 1, name: 'Nothing has run yet' });
    await home.waitFor();
    isSignedIn();
    await slow.page.waitForTimeout(500);
    expect([held, await home.isVisible()]).toEqual([1, true]);
    await slow.context.close();
  });

  test('sets a password, with which one signs in the next time', async () => {
    await page.getByRole('link', { name: 'Set a password', exact: true }).click();
    await heading('Account');
    await field('New password').fill('short');
    await button('Save password').click();
    await page.getByText('A password needs at least 12 characters.').waitFor();
    await field('New password').fill('correct horse battery');
    await button('Save password').click();
    await notice('Password saved.');
    await button('Sign out').click();
    await heading('Sign in');
    await field('E-mail').fill('owner@localhost');
    await field('Password').fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await heading('Projects');
  });

  test('creates, edits and deletes a project', async () => {
    await page.getByRole('link', { name: 'New project', exact: true }).click();
    await field('Name').fill('Checkout');
    await button('Create project').click();
    await heading('Checkout');
    await page
      .getByRole('navigation', { name: 'Sections of this project' })
      .getByRole('link', { name: 'Settings', exact: true })
      .click();
    await field('Description').fill('The shop’s servers.');
    await button('Save settings').click();
    await notice('Settings saved.');
    await button('Delete project').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type the project’s name to confirm').fill('Checkout');
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await notice('Project Checkout deleted.');
    await heading('Projects');
  });

  test('saves a server, shows that credentials are stored and never what they are', async () => {
    await page.getByRole('link', { name: 'Default', exact: true }).click();
    await heading('Default');
    projectUrl = page.url();
    await page.getByRole('link', { name: 'Add server', exact: true }).click();
    await field('Address').fill('ftp://wrong.example');
    // The project's page also has a name field, and stays visible until this page is loaded.
    await field('Name').fill('<img src=x onerror=alert(1)>');
    await button('Add server').click();
    await page.getByText('The url must start with http:// or https://.').waitFor();
    await field('Address').fill('https://mcp.example/mcp');
    await button('Add header').click();
    await field('Header 1 name').fill('Authorization');
    await field('Header 1 value').fill('Bearer planted-secret');
    await button('Add server').click();
    await heading('<img src=x onerror=alert(1)>');
    await page.goto(projectUrl);
    await page.getByRole('cell', { name: '1 header' }).waitFor();
    // The server may also be listed above as a server with problems, so only this section is
    // searched.
    const servers = page.getByRole('region', { name: 'Servers', exact: true });
    await servers.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click();
    await heading('<img src=x onerror=alert(1)>');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await field('Address').waitFor();
    expect(await page.content()).not.toContain('planted-secret');
  });

  test('warns before stored credentials are dropped by another origin', async () => {
    await field('Address').fill('https://elsewhere.example/mcp');
    await button('Save server').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 header').waitFor();
    await dialog.getByRole('button', { name: 'Save and drop them' }).click();
    await notice('saved.');
    await page.goto(projectUrl);
    await page.getByRole('cell', { name: 'https://elsewhere.example/mcp' }).waitFor();
    await expect.poll(() => page.getByRole('cell', { name: '1 header' }).count()).toBe(0);
  });

  test('shows the operator’s stdio server, which cannot be edited', async () => {
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await heading('Files');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('operator’s configuration').first().waitFor();
    expect(await button('Save server').count()).toBe(0);
  });

  test('makes an API key that works, shows it once, and revokes it', async () => {
    await page.getByRole('link', { name: 'People and settings', exact: true }).click();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await button('Create API key').click();
    await page.getByRole('dialog').getByLabel('Name').fill('From the browser');
    await button('Create key').click();
    const shown = await page.getByRole('dialog', { name: 'Your new API key' }).innerText();
    const key = /sk_[A-Za-z0-9]{42}/.exec(shown)?.[0] ?? '';
    const me = () =>
      fetch(`${service.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    expect((await me()).status).toBe(200);
    await button('Done').click();
    await page.reload();
    await page.getByRole('cell', { name: 'From the browser' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await button('Revoke From the browser').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await notice('Key From the browser revoked.');
    expect((await me()).status).toBe(401);
  });

  test('opens a run by the address that published reporters print, after signing in too', async () => {
    const { apiKey } = await workspace.admin(
      ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
      ...['--name', 'reporter'],
    );
    const answer = await fetch(`${service.url}/sdk/v1/evals/report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        suiteName: 'Printed',
        results: [{ caseTitle: 'Rome', passed: true }],
      }),
    });
    const { suiteId, runId, projectId } = (await answer.json()) as Record<string, string>;
    const printed = `${service.url}/evals/suite/${suiteId}/runs/${runId}`;
    const runPage = `${service.url}/projects/${projectId}/runs/${runId}`;
    const verdict = { level: 1, name: /passed: the only case variant/i } as const;
    for (const address of [`${printed}?project=${projectId}`, printed]) {
      await page.goto(address);
      await page.getByRole('heading', verdict).waitFor();
      expect(page.url()).toBe(runPage);
    }
    await page.goto(printed.replace(/.$/, '_'));
    await page.getByText('There is nothing here, or you have no access to it.').waitFor();
    const later = await watchedPage(browser, service.url);
    await later.page.goto(`${printed}?project=${projectId}`);
    await later.page.getByLabel('E-mail', { exact: true }).fill('owner@localhost');
    await later.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await later.page.keyboard.press('Enter');
    await later.page.getByRole('heading', verdict).waitFor();
    expect(later.page.url()).toBe(runPage);
    await later.context.close();
  });

  test('tells who runs the installation how it is, and leads nobody else there', async () => {
    await page.getByRole('link', { name: 'People and settings', exact: true }).click();
    await page.getByRole('link', { name: 'Health', exact: true }).click();
    await heading('Health');
    // The disk of the test machine may be nearly full, which is not a failure of the service.
    await page.getByText(/^(Nothing is wrong|The disk is nearly full)\./).waitFor();
    await page.getByRole('cell', { name: 'alive' }).waitFor();
    const [email, organization] = ['owner@guests.example', 'Guests'];
    await workspace.admin('bootstrap', '--email', email, '--organization', organization);
    const { url } = await workspace.admin('create-link', email, '--url', service.url);
    const guest = await watchedPage(browser, service.url);
    await guest.page.goto(url);
    await guest.page.getByRole('link', { name: 'People and settings', exact: true }).click();
    await guest.page.getByRole('link', { name: 'Account', exact: true }).waitFor();
    expect(await guest.page.getByRole('link', { name: 'Health', exact: true }).count()).toBe(0);
    await guest.page.goto(`${service.url}/health`);
    await guest.page
      .getByText(
        'Only owners and admins of the first organization may see the health of the installation.',
      )
      .waitFor();
    await guest.context.close();
  });

  test('is used by keyboard alone: every control is reached and its focus is seen', async () => {
    await page.goto(`${service.url}/projects/new`);
    await heading('New project');
    const reached = new Set<string>();
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<{ name: string; outlined: boolean }>(focusedControl);
      if (focused.name !== '') expect(focused.outlined).toBe(true);
      reached.add(focused.name);
    }
    expect([...reached].join('\n')).toContain('Create project');
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('shows the API reference, also to strangers, and filters it', async () => {
    const stranger = await watchedPage(browser, service.url);
    await stranger.page.goto(`${service.url}/reference#getEvalRunDecisionSummary`);
    const linked = stranger.page.locator('article#getEvalRunDecisionSummary');
    await linked.waitFor();
    // Articles get their full height when they become visible. The linked one must stay in place
    // meanwhile.
    await stranger.page.evaluate(framesLater);
    expect(Math.round((await linked.boundingBox())?.y ?? -1)).toBe(16);
    await stranger.page.getByRole('searchbox').fill('saved MCP server');
    await stranger.page.locator('article#getMe').waitFor({ state: 'detached' });
    await expect.poll(() => stranger.page.locator('article#getProjectServer').count()).toBe(1);
    expect(stranger.complaints).toEqual([]);
    expect(stranger.foreign).toEqual([]);
    await stranger.context.close();
  });

  test('made no request elsewhere, ran no foreign script and raised no error in all of this', () => {
    expect(watched.foreign).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });
});
