import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Look,
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { modernAnswers } from '@proofmark/harness/mcp-servers/modern-answers.ts';
import {
  type ModernServer,
  startModernServer,
} from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

const hostileText = '<img src=x onerror="document.title=\'taken\'"><b>bold</b>';
const hidden = {
  name: 'find_book',
  inputSchema: {
    type: 'object',
    properties: { shelf: { type: 'string', 'x-mcp-header': 'My Shelf' } },
  },
};
const modernChecks = ['Probe', 'Connection', 'Initialization', 'Capabilities', 'Tools'];

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: TestWorkspace;
let service: ServiceHere;
let modern: ModernServer;
let hiding: FakeMcpServer;
let hostile: Awaited<ReturnType<typeof startSlowHostileServer>>;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  [modern, hostile, hiding, service] = await Promise.all([
    startModernServer(),
    startSlowHostileServer(),
    startFakeMcpServer(modernAnswers({ tools: [hidden, { name: 'list_books' }] })),
    workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off', PROOFMARK_SAMPLE: 'on' }),
  ]);
  await waitForSample(service);
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('link', { name: 'Sample bookshop' }).waitFor();
  projectUrl = page.url();
  await save('Modern', modern.url);
  await save('Hostile', hostile.url);
  await save('Hiding', hiding.url);
  await save('Gone', 'http://127.0.0.1:1/mcp');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await modern?.stop();
  await hostile?.stop();
  await hiding?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const check = (title: string) => page.getByRole('list', { name: 'Checks' }).getByText(title);

async function save(name: string, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Add server', exact: true }).click();
  await field('Address').fill(url);
  // The project's page also has a name field, and stays visible until this page is loaded.
  await field('Name').fill(name);
  await button('Add server').click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.goto(projectUrl);
  await page.getByRole('cell', { name: url, exact: true }).waitFor();
}

async function open(server: string, section: string): Promise<void> {
  await page.goto(projectUrl);
  // A server that does not answer also stands above the tables, with a link to its doctor.
  await page.getByRole('table').getByRole('link', { name: server, exact: true }).click();
  const sections = page.getByRole('navigation', { name: 'Sections of this server' });
  await sections.getByRole('link', { name: section, exact: true }).click();
}

const states = () =>
  page.evaluate<string[]>(
    '[...document.querySelectorAll("[data-check]")].map((row) => row.dataset.state)',
  );

/** Evaluated in the page: returns the controls without a label. */
const controlsWithoutName = `[...document.querySelectorAll('main input, main select, main textarea, main button')]
  .filter((one) => !(one.labels?.length > 0 || one.ariaLabel || one.innerText))
  .map((one) => one.outerHTML)`;

describe('the doctor', () => {
  test('shows the eight checks before it runs, and each as it becomes known', async () => {
    await open('Hostile', 'Doctor');
    await check('Probe').waitFor();
    expect(await states()).toEqual(Array(8).fill('waiting'));
    await button('Run the doctor').click();
    // The tools of this server wait until they are released, so that their check is visible as
    // running.
    await page.locator('[data-check="tools"][data-state="running"]').waitFor();
    expect(await states()).toEqual([
      ...['ok', 'ok', 'ok', 'ok', 'running'],
      ...['waiting', 'waiting', 'waiting'],
    ]);
    await page.getByText('4 of 8 checks done').waitFor();
    hostile.letGo();
    await button('Run it again').waitFor();
    expect(await states()).not.toContain('running');
  });

  test('ends in a verdict with what the server is', async () => {
    await open('Modern', 'Doctor');
    await button('Run the doctor').click();
    await page.getByText('Ready:').waitFor();
    expect(await states()).toEqual(Array(8).fill('ok'));
    for (const title of modernChecks) await check(title).first().waitFor();
    await page.getByText('Modern sample 1.2.3').waitFor();
    await page.getByRole('definition').getByText('2026-07-28', { exact: true }).waitFor();
    await page.getByText('Use echo first. – Zuerst „echo“.').waitFor();
    const revisions = page.getByRole('list', { name: 'Revisions of MCP' });
    expect(await revisions.locator('[data-revision][data-state="ok"]').count()).toBe(5);
  });

  test('tells where a revision is broken, and the tools that clients must hide', async () => {
    await open('Hiding', 'Doctor');
    await button('Run the doctor').click();
    await page.getByText('Ready:').waitFor();
    const revisions = page.getByRole('list', { name: 'Revisions of MCP' });
    const broken = revisions.locator('[data-revision="2026-07-28"][data-state="error"]');
    await broken.getByText(/\(header-parameter-invalid\)$/).waitFor();
    await page.getByText('find_book: x-mcp-header: "My Shelf" is not an HTTP token.').waitFor();
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByRole('link', { name: /^list_books/ }).waitFor();
    expect(await page.getByRole('link', { name: /^find_book/ }).count()).toBe(0);
    await page.getByText('clients must hide these tools').waitFor();
  });

  test('says what is wrong and what to do, and stays while another section is looked at', async () => {
    await open('Gone', 'Doctor');
    await button('Run the doctor').click();
    await page.getByText('Failed:').waitFor();
    const probe = page.locator('[data-check="probe"]');
    expect(await probe.getAttribute('data-state')).toBe('error');
    await probe.getByText('Next:').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Doctor', exact: true }).click();
    await page.getByText('Failed:').waitFor();
  });

  test('who leaves the page ends the examination', async () => {
    hostile.hold();
    await open('Hostile', 'Doctor');
    await button('Run the doctor').click();
    await page.locator('[data-check="tools"][data-state="running"]').waitFor();
    const ended = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/doctor'),
    );
    await page.getByRole('link', { name: 'Reference', exact: true }).click();
    await ended;
    hostile.letGo();
  });
});

describe('tools', () => {
  test('of the sample are called by a form, and the address remembers which', async () => {
    await open('Sample bookshop', 'Tools');
    await page.getByRole('link', { name: /^search_books/ }).click();
    await page.getByText('Connected. The server listed its tools.').waitFor();
    expect(await page.getByText('Not examined yet').count()).toBe(0);
    await button('Call the tool').click();
    await page.getByText('Enter a text').waitFor();
    await field('query (required)').fill('quiet');
    expect(JSON.parse(await field('Arguments as JSON').inputValue())).toEqual({ query: 'quiet' });
    await button('Call the tool').click();
    await page.getByText('The tool answered').waitFor();
    await page.locator('pre', { hasText: 'The Quiet Compiler' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'search_books' }).waitFor();
  });

  test('form and JSON are in step both ways, and wrong arguments are told first', async () => {
    await page.getByRole('link', { name: /^order_book/ }).click();
    await button('Call the tool').click();
    await page.getByText('Not sent: 2 arguments are not right yet.').waitFor();
    // The first invalid field has the focus, and keeps it during the correction.
    await page.keyboard.type('12');
    expect(await field('bookId (required)').inputValue()).toBe('12');
    await field('Arguments as JSON').fill('{"bookId": 3, "copies": 20}');
    expect(await field('copies (required)').inputValue()).toBe('20');
    await button('Call the tool').click();
    await page.getByText('This must be at most 10.').waitFor();
    await field('copies (required)').fill('5');
    expect(JSON.parse(await field('Arguments as JSON').inputValue())).toEqual({
      bookId: 3,
      copies: 5,
    });
    await button('Call the tool').click();
    await page.getByText('The tool reports an error').waitFor();
    await page.locator('pre', { hasText: 'Only 2 copies are in stock.' }).waitFor();
    await field('Arguments as JSON').fill('{"bookId": ');
    await page.getByText('This is not valid JSON yet.').waitFor();
  });

  test('wrong arguments can be sent on purpose', async () => {
    await field('Arguments as JSON').fill('{"bookId": "three", "copies": 1}');
    await button('Call the tool').click();
    await button('Send it as it is').click();
    await page.getByText(/The tool reports an error|The server refused the arguments/).waitFor();
  });

  test('are read page by page, and pictures are drawn', async () => {
    await open('Modern', 'Tools');
    await page.getByRole('link', { name: /^echo/ }).waitFor();
    const links = page.getByRole('list', { name: 'tools', exact: true }).getByRole('link');
    await expect.poll(() => links.count()).toBe(5);
    while ((await button('Load more').count()) > 0) {
      const before = await links.count();
      await button('Load more').click();
      await expect.poll(() => links.count()).toBeGreaterThan(before);
    }
    await expect.poll(() => links.count()).toBe(20);
    await page.getByRole('link', { name: /^picture/ }).click();
    await button('Call the tool').click();
    await page.getByRole('img', { name: 'Sent by the server' }).first().waitFor();
    const width = () => page.evaluate('document.querySelector("article img").naturalWidth');
    await expect.poll(width).toBe(1);
  });

  test('keep what a hostile server says as text, and its links harmless', async () => {
    await open('Hostile', 'Tools');
    await page.getByRole('link', { name: /^evil/ }).click();
    await page.locator('article').getByText(hostileText).first().waitFor();
    await button('Call the tool').click();
    await page.locator('pre', { hasText: hostileText }).waitFor();
    await page.getByText('javascript:document.title=1').waitFor();
    const found = await page.evaluate<string[]>(
      '[...document.querySelectorAll("article img, article a")].map((one) => one.outerHTML)',
    );
    expect(found).toHaveLength(1);
    expect(found.join()).toMatch(/href="https:\/\/a\.example\/".*rel="noopener noreferrer"/);
    expect(await page.title()).not.toContain('taken');
    await page.getByText('The first 4,000 of 50,000 characters.').waitFor();
    await button('Show all').click();
    await button('Show all').waitFor({ state: 'detached' });
  });
});

test('sections, lists and forms are used by keyboard alone', async () => {
  await open('Modern', 'Settings');
  await page.getByRole('link', { name: 'Tools', exact: true }).focus();
  await page.keyboard.press('Enter');
  const echo = page.getByRole('link', { name: /^echo/ });
  await echo.waitFor();
  await echo.focus();
  await page.keyboard.press('Enter');
  await field('text (required)').focus();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  await page.locator('pre', { hasText: 'Hello' }).waitFor();
  expect(page.url()).toContain('section=tools&item=echo');
});

describe('prompts and resources', () => {
  test('a prompt is rendered with its arguments', async () => {
    await open('Modern', 'Prompts');
    await page.getByRole('link', { name: /^greeting/ }).click();
    await field('name (required)').fill('Ada');
    await button('Render the prompt').click();
    await page.locator('pre', { hasText: 'Greet Ada in English.' }).waitFor();
  });

  test('a resource is read by its URI, by a template too, and bytes are downloaded', async () => {
    await open('Modern', 'Resources');
    await page.getByRole('link', { name: /^notes:\/\/\{id\}/ }).click();
    await button('Read it').click();
    await page.getByText('Put a value in place of each part in braces.').last().waitFor();
    await field('URI').fill('notes://seven');
    await button('Read it').click();
    await page.locator('pre', { hasText: 'Notiz über notes://seven' }).waitFor();
    await page.getByRole('link', { name: /^pictures:\/\/one/ }).click();
    await button('Read it').click();
    const downloading = page.waitForEvent('download');
    await button('Download').click();
    expect((await downloading).suggestedFilename()).toBe('one');
  });

  test('what a server does not offer is said calmly, and a failure with what to do', async () => {
    await open('Sample bookshop', 'Prompts');
    await page.getByText('This server offers no prompts').waitFor();
    expect(await page.getByRole('alert').getByText('prompts').count()).toBe(0);
    await open('Gone', 'Tools');
    await page.getByText('The server could not be reached').first().waitFor();
    await button('Try again').waitFor();
  });
});

// The test console-pages checks the same pages; here they show answers of real servers.
test('no section scrolls sideways, light and wide or dark and narrow', async () => {
  await open('Modern', 'Tools');
  const base = page.url().split('?')[0];
  for (const search of [
    '',
    '?section=settings',
    '?section=doctor',
    '?section=tools',
    '?section=tools&item=echo',
    '?section=prompts&item=greeting',
    '?section=resources',
  ]) {
    await page.goto(`${base}${search}`);
    await page.getByRole('heading', { level: 1, name: 'Modern' }).waitFor();
    await page.getByText(/Asking the server/).waitFor({ state: 'detached' });
    expect(await sidewaysIn(page, looks)).toEqual([]);
    expect(await page.evaluate<string[]>(controlsWithoutName)).toEqual([]);
  }
});

test('a suite tells that the last launch of its schedule was refused', async () => {
  // A schedule is due after five minutes at the earliest. The test therefore replaces the service's
  // answer with the one after a refused launch.
  const error = { code: 'VALIDATION_ERROR', message: 'The suite has no case that runs.' };
  const scheduled = { enabled: true, intervalMinutes: 60, lastAttempt: { at: Date.now(), error } };
  const suites = /\/eval-suites\/ste_\w+$/;
  await page.route(suites, async (route) => {
    const response = await route.fetch();
    const suite = await response.json();
    const schedule = { ...suite.schedule, ...scheduled };
    await route.fulfill({ response, json: { ...suite, schedule } });
  });
  await page.goto(`${projectUrl}?section=evals`);
  await page.getByRole('link', { name: 'Sample: questions to a bookshop', exact: true }).click();
  const notice = page.getByRole('status').filter({ hasText: 'was refused' });
  expect(await notice.innerText()).toMatch(
    /^The launch on \d.* was refused: The suite has no case/,
  );
  await page.unroute(suites);
});

test('the conformance suite is started on the page of a server, and its run opens', async () => {
  await open('Modern', 'Tools');
  await button('Conformance…').click();
  const dialog = page.getByRole('dialog', { name: 'Official conformance suite' });
  await dialog.getByLabel('Revision').selectOption('2025-11-25');
  await dialog.getByLabel('Expected failures').fill('- ping\n- ping:answered');
  await dialog.getByRole('button', { name: 'Run the suite' }).click();
  await dialog.getByText('"ping:answered" is redundant').waitFor();
  await dialog.getByLabel('Expected failures').fill('- ping');
  await dialog.getByRole('button', { name: 'Run the suite' }).click();
  await page.waitForURL(/\/runs\//);
  await page.getByText('Conformance 2025-11-25: Modern').first().waitFor();
});

test('nothing went elsewhere, no foreign script ran and no error was raised', () => {
  expect(watched.foreign).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

/**
 * Starts a server whose list of tools can be held back, and whose texts all try to inject markup.
 */
async function startSlowHostileServer() {
  let gate = newGate();
  const answers: Record<string, () => unknown> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: hostileText, version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'evil', description: hostileText, inputSchema: { type: 'object' } }],
    }),
    'tools/call': () => ({
      content: [
        { type: 'text', text: hostileText },
        { type: 'text', text: 'long '.repeat(10_000) },
        { type: 'image', data: 'PHN2Zz4=', mimeType: 'image/svg+xml' },
        { type: 'resource_link', uri: 'javascript:document.title=1', name: hostileText },
        { type: 'resource_link', uri: 'https://a.example/', name: 'A page' },
      ],
    }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/list') await gate.passed;
    const result = answers[method]?.();
    const error = { code: -32601, message: 'Method not found' };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    letGo: () => gate.open(),
    hold: () => {
      gate = newGate();
    },
    async stop() {
      gate.open();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function newGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
