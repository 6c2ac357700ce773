import {
  type Look,
  type SilentConnections,
  sidewaysIn,
} from '@proofmark/harness/journeys/open-browser.ts';
import { makeSuite } from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { ChatOutcome } from '@proofmark/harness/model-servers/start-openai-server.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  button,
  closedWith,
  enter,
  field,
  link,
  notice,
  type Published,
  say,
  sendAndAwaitAnswer,
  startUserTestingStage,
  type UserTestingStage,
  visitState,
} from './user-testing-stage.ts';

const looks: Look[] = [
  ['dark', 360],
  ['light', 1280],
];
const narrations: ((outcome: ChatOutcome) => void)[] = [];
let stage: UserTestingStage;
let till: FakeMcpServer;
let page: Page;
let visitor: SilentConnections;
let desk: Published;
let deskUrl: string;

beforeAll(async () => {
  till = await startFakeMcpServer({
    'tools/list': {
      tools: [
        {
          name: 'count_stock',
          description: 'Counts the stock of an item.',
          inputSchema: { type: 'object', properties: { item: { type: 'string' } } },
        },
      ],
    },
    'tools/call': (response, request) => {
      const content = [{ type: 'text', text: 'Shelf 17 is locked.' }];
      sendJson(response, rpcResult(request, { content, isError: true }));
    },
  });
  stage = await startUserTestingStage(
    {
      dear: () => ({ text: 'That costs.' }),
      narrator: () => new Promise<ChatOutcome>((resolve) => narrations.push(resolve)),
    },
    { PROOFMARK_INSIGHTS_MODEL: 'local/narrator' },
  );
  const server = { name: 'till', enabled: true, transportType: 'http', url: till.url };
  const { id } = await stage.ask('POST', 'servers', server);
  desk = await stage.publish({ name: 'Desk', serverIds: [id] });
  deskUrl = `${stage.projectUrl}/user-testing/${desk.id}`;
  page = stage.owner.page;
  visitor = await stage.somebody();
});
afterAll(async () => {
  for (const answer of narrations) answer('cut');
  await stage?.stop();
  await till?.stop();
});

const shownLink = async () => (await page.locator('.the-link code').innerText()).trim();
const settings = () => page.goto(`${deskUrl}?section=settings`);

async function narrate(nth: number, outcome: ChatOutcome): Promise<void> {
  await until(() => narrations.length >= nth, `the narrator was asked ${nth} times`);
  narrations[nth - 1]?.(outcome);
}

describe('handing it out', () => {
  test('the link is copied, and replaced by a new one', async () => {
    await stage.owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await settings();
    await button(page, 'Copy the link').click();
    await page.getByText('Copied to the clipboard.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(desk.link);
    await button(page, 'Replace the link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await notice(page, 'The link is a new one.');
    await until(async () => (await shownLink()) !== desk.link, 'the new link is shown');
    await visitor.page.goto(desk.link);
    await closedWith(visitor.page, 'This link does not work');
    await visitor.page.goto(await shownLink());
    await visitState(visitor.page, 'notice');
  });

  test('who may open it is said; an invitation is shown once, and taken back', async () => {
    await field(page, 'Access to the link').selectOption('invited_only');
    await button(page, 'Save access').click();
    await notice(page, 'Access saved.');
    await page.getByText('Members of this project, and invited people may open it.').waitFor();
    const invite = async () => {
      await field(page, 'E-mail address').fill('ann@example.org');
      await button(page, 'Invite').click();
      await page.getByText('It works once, for seven days, and is not shown again.').waitFor();
      return (await page.locator('[role=status] code').innerText()).trim();
    };
    const invitation = await invite();
    expect(invitation).toMatch(/#invite=[\w-]{43}$/);
    await page.reload();
    await page.getByText('ann@example.org', { exact: true }).waitFor();
    expect(await page.getByText(invitation).count()).toBe(0);
    const ann = await stage.somebody();
    await enter(ann.page, invitation);
    await page.reload();
    await page.locator('.invited').getByText('came ').waitFor();
    await button(page, 'Remove ann@example.org').click();
    await notice(page, 'Removed ann@example.org.');
    await ann.page.reload();
    await closedWith(ann.page, 'This link is not open to everybody');
    await ann.context.close();

    await field(page, 'Access to the link').selectOption('anyone_with_link');
    await button(page, 'Save access').click();
    await page.getByText('Anybody who has the link may open it.').waitFor();
    await invite();
    await button(page, 'Remove ann@example.org').click();
    await notice(page, 'Removed ann@example.org; anybody with the link still gets in.');
    await page.getByText('Nobody is invited.').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
  });

  test('what strangers may spend is bounded, and what they spent is told on both sides', async () => {
    const dear = await stage.publish({ name: 'Dear', modelId: 'local/dear' });
    const stranger = await stage.somebody();
    await enter(stranger.page, dear.link);
    await say(stranger.page, 'Hello');
    await closedWith(stranger.page, 'This assistant answers nobody without an account');
    await page.goto(`${stage.projectUrl}/user-testing/${dear.id}?section=settings`);
    await page.getByText('Spent or set aside today: 0 of 0 credits.').waitFor();
    await field(page, 'Models with a price').check();
    await field(page, 'Credits a day').fill('many');
    await page.getByText('Write a number, 0 or more.').waitFor();
    await field(page, 'Credits a day').fill('500');
    await button(page, 'Save spending of guests').click();
    await notice(page, 'Spending of guests saved.');
    await stranger.page.goto(dear.link);
    await sendAndAwaitAnswer(stranger.page, 'Hello');
    await stranger.page.getByText('That costs.').waitFor();
    await page.reload();
    await page.getByText(/Spent or set aside today: [\d.]*[1-9][\d.]* of 500 credits\./).waitFor();
    await field(page, 'Credits a day').fill('0');
    await button(page, 'Save spending of guests').click();
    await notice(page, 'Spending of guests saved.');
    await say(stranger.page, 'And again');
    await visitState(stranger.page, 'limit');
    await stranger.page.getByText('The credits of this assistant for today are used up.').waitFor();
    await stranger.page.getByText('It takes messages again').waitFor();
    expect(await sidewaysIn(stranger.page, looks)).toEqual([]);
    await button(stranger.page, 'End').click();
    await visitState(stranger.page, 'ended');
    await stranger.context.close();
  });
});

describe('what people do with it', () => {
  test('conversations show up while they happen, and so does what is said in them', async () => {
    await page.goto(deskUrl);
    await page.getByText('Nobody has said anything yet').waitFor();
    await enter(visitor.page, await shownLink());
    await sendAndAwaitAnswer(visitor.page, 'Count the stock of item: pens');
    await link(page, 'Count the stock of item: pens').click();
    await page.locator('.said-list').getByText('Count the stock of item: pens').waitFor();
    await sendAndAwaitAnswer(visitor.page, 'Count the stock of item: ink');
    await page.locator('.said-list').getByText('Count the stock of item: ink').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
  });

  test('a look at one’s own link is counted nowhere', async () => {
    await page.goto(deskUrl);
    const [preview] = await Promise.all([
      stage.owner.context.waitForEvent('page'),
      link(page, 'Preview').click(),
    ]);
    await button(preview, 'Accept').click();
    await preview.getByText('Preview: counted nowhere').waitFor();
    await sendAndAwaitAnswer(preview, 'Count the stock of item: chalk');
    await preview.close();
    expect((await stage.ask('GET', `${desk.place}/sessions`)).items).toHaveLength(1);
  });

  test('numbers say what they are of, of visitors, of simulated people and of both', async () => {
    await link(page, 'Numbers').click();
    await page.getByText('1 conversation of 1 visitor').waitFor();
    await page.getByText(/\(2 calls, 2 failed\)/).waitFor();
    await page.getByText('Without an account, first visit').waitFor();
    await field(page, 'People').selectOption({ label: 'Simulated people' });
    await page.getByText('0 conversations of 0 personas').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
  });

  test('a finding leads to its evidence; it is dismissed and brought back', async () => {
    await button(visitor.page, 'End').click();
    await link(page, 'Findings').click();
    const finding = page.locator('.finding').filter({ hasText: 'count_stock' }).first();
    await finding.locator('summary').click({ timeout: 60_000 });
    await button(page, 'Dismiss').first().click();
    await finding.getByText('dismissed').waitFor();
    await button(page, 'Show again').first().click();
    await finding.getByText('dismissed').waitFor({ state: 'detached' });
    await finding.getByRole('link', { name: 'Conversation in which it happened, 1' }).click();
    await page.locator('.said-list').getByText('item: pens').waitFor();
  });

  test('it is explained on demand: given up, failed, and told with its author and evidence', async () => {
    await page.goto(`${deskUrl}?section=findings`);
    const ask = button(page, 'Explain what was found');
    await page.getByText('Nobody has asked yet to have explained').waitFor();
    await ask.click();
    await page.getByText('is being explained').waitFor();
    await until(() => narrations.length === 1, 'the narrator was asked');
    await button(page, 'Stop explaining').click();
    await page.getByText('Nobody has asked yet to have explained').waitFor();
    await ask.click();
    await narrate(2, { status: 400 });
    await page.getByText('It could not be explained').waitFor();
    await button(page, 'Try again').click();
    const summary = 'Shelf 17 stays locked.';
    await narrate(narrations.length + 1, { text: JSON.stringify({ summary, candidates: [] }) });
    await page.getByText(summary).waitFor();
    await page.getByText('Written by local/narrator').waitFor();
    const claims = page.locator('section', { has: page.locator('#insights') });
    await claims.locator('summary').first().click();
    await page.getByText('Conversations from').waitFor();
    expect(await sidewaysIn(page, looks)).toEqual([]);
    await claims
      .getByRole('link', { name: /^Conversation in which/ })
      .first()
      .click();
    await page.locator('.said-list').getByText('item: pens').waitFor();
  });

  test('a conversation becomes a case under a title, and is deleted', async () => {
    await makeSuite(stage.ask, { name: 'Of visitors', serverUrl: till.url });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /^Guest / }).waitFor();
    await button(page, 'Make a case').click();
    await field(page, 'Suite').selectOption({ label: 'Of visitors' });
    await field(page, 'Title').fill('Pens for a stranger');
    await button(page, 'Make case').click();
    await notice(page, 'Case Pens for a stranger made.');
    await page.getByRole('heading', { level: 1, name: 'Of visitors' }).waitFor();
    await page.goBack();
    await button(page, 'Delete conversation').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
    await notice(page, 'The conversation was deleted.');
    await page.getByText('Nobody has said anything yet').waitFor();
  });
});

test('it plays another environment, and goes on', async () => {
  const other = await stage.ask('POST', 'environments', { name: 'Depot', hostId: desk.hostId });
  await settings();
  await field(page, 'Environment').selectOption({ label: 'Depot' });
  await button(page, 'Save environment').click();
  await notice(page, 'Environment saved.');
  await button(visitor.page, 'Begin another conversation').click();
  await sendAndAwaitAnswer(visitor.page, 'Count the stock of item: glue');
  await page.goto(deskUrl);
  await link(page, 'Count the stock of item: glue').waitFor();
  const [session] = (await stage.ask('GET', `${desk.place}/sessions`)).items;
  expect(session.environmentId).toBe(other.id);
});

test('it is closed, for good and at once', async () => {
  await button(page, 'Unpublish link').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish link' }).click();
  await notice(page, 'Desk is closed.');
  await say(visitor.page, 'Anybody there?');
  await closedWith(visitor.page, 'This conversation was closed');
  await visitor.page.getByText('Anybody there?').waitFor();
  for (const { complaints, foreign } of [stage.owner, visitor]) {
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
  }
});
