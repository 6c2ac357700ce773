/**
 * Changes the access of a link during turns. Every visitor's page must show the change, and a turn
 * that was running when its visitor was locked out must store no text. All tests share one service
 * and one browser.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { SilentConnections } from '@proofmark/harness/journeys/open-browser.ts';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  button,
  closedWith,
  enter,
  type PublishedLink,
  say,
  sendAndAwaitAnswer,
  startUserTestingStage,
  type UserTestingStage,
  visitState,
} from './user-testing-stage.ts';

const dead = 'This link does not work';
const notForAll = 'This link is not open to everybody';
const shutOut = 'This conversation was closed';
const counted = 'Count the stock of item: pens';
const held = 'Count the stock of item: ink';

let stage: UserTestingStage;
beforeAll(async () => {
  stage = await startUserTestingStage();
});
afterEach(() => stage.stock.release());
afterAll(() => stage?.stop());

async function inConversation(url: string): Promise<SilentConnections> {
  const visitor = await stage.somebody();
  await enter(visitor.page, url);
  await sendAndAwaitAnswer(visitor.page, counted);
  return visitor;
}

async function beginTurn(page: Page): Promise<void> {
  stage.stock.hold();
  await say(page, held);
  await page.locator('.turn').last().locator('summary').getByText('in use…').waitFor();
}

async function strangerOn(url: string): Promise<Page> {
  const { page } = await stage.somebody();
  await page.goto(url);
  return page;
}

async function kept({ place }: PublishedLink): Promise<string[][]> {
  const { items } = await stage.ask('GET', `${place}/sessions`);
  const read = items.map(async ({ id }: { id: string }) => {
    const { messages } = await stage.ask('GET', `${place}/sessions/${id}`);
    return messages
      .filter(({ role }: { role: string }) => role === 'user')
      .map(({ text }: { text: string }) => text);
  });
  return ((await Promise.all(read)) as string[][]).sort();
}

/**
 * Checks that the visitor is locked out, that the text on the screen stays, and that the turn
 * stored no text.
 */
async function isShutOut({ page, complaints }: SilentConnections): Promise<void> {
  await closedWith(page, shutOut);
  await page.getByText(counted).waitFor();
  await page.locator('.answer > p').first().waitFor();
  expect(await button(page, 'Send').count()).toBe(0);
  await button(page, 'Delete this conversation').waitFor();
  expect(complaints).toEqual([]);
}

async function newLink({ place }: PublishedLink): Promise<string> {
  return (await stage.ask('POST', `${place}/rotate-link`, {})).link;
}

describe('while a turn is running', () => {
  test('unpublishing ends it; the old link is dead, and a new one begins anew', async () => {
    const shop = await stage.publish({ name: 'Unpublished' });
    const visitor = await inConversation(shop.link);
    await beginTurn(visitor.page);
    await stage.ask('DELETE', `environments/${shop.environmentId}/scenario`);
    await isShutOut(visitor);
    stage.stock.release();
    expect(await kept(shop)).toEqual([[counted]]);

    await closedWith(await strangerOn(shop.link), dead);
    const again = await stage.publishAgain(shop.environmentId);
    await closedWith(await strangerOn(shop.link), dead);
    await inConversation(again.link);
    expect(await kept(again)).toEqual([[counted]]);

    await visitor.page.reload();
    await closedWith(visitor.page, dead);
    await visitor.page.getByText(counted).waitFor();
    expect(await visitor.page.getByText(held).count()).toBe(0);
    expect(await kept(shop)).toEqual([[counted]]);
  });

  test('opening it to fewer shuts strangers out; a member of the project goes on', async () => {
    const shop = await stage.publish({ name: 'Tightened' });
    const visitor = await inConversation(shop.link);
    const member = await stage.owner.context.newPage();
    await enter(member, shop.link);
    await sendAndAwaitAnswer(member, counted);
    await beginTurn(visitor.page);
    await beginTurn(member);
    await stage.ask('PATCH', shop.place, { mode: 'project_members' });
    stage.stock.release();
    await isShutOut(visitor);
    await button(member, 'Send').waitFor();
    await sendAndAwaitAnswer(member, 'Count the stock of item: chalk');
    await visitState(member, 'chatting');
    expect(await kept(shop)).toEqual([
      [counted],
      [counted, held, 'Count the stock of item: chalk'],
    ]);

    await visitor.page.reload();
    await closedWith(visitor.page, notForAll);
    const stranger = await strangerOn(shop.link);
    await closedWith(stranger, notForAll);
    await stranger.getByRole('link', { name: 'Sign in' }).waitFor();
    const rotated = await newLink(shop);
    await closedWith(await strangerOn(rotated), notForAll);
    await closedWith(await strangerOn(shop.link), dead);
    await member.goto(rotated);
    await visitState(member, 'chatting');
    await member.getByText('item: chalk').waitFor();
    await member.close();
    expect(await kept(shop)).toHaveLength(2);
  });

  test('removing somebody shuts them out alone; the others notice nothing', async () => {
    const shop = await stage.publish({ name: 'Removed', mode: 'invited_only' });
    const invite = async (email: string): Promise<string> =>
      (await stage.ask('PUT', `${shop.place}/members`, { email })).inviteUrl;
    await closedWith(await strangerOn(shop.link), notForAll);
    const inviteOfAnn = await invite('ann@example.org');
    const ann = await inConversation(inviteOfAnn);
    const ben = await inConversation(await invite('ben@example.org'));
    await closedWith(await strangerOn(inviteOfAnn), notForAll);

    await beginTurn(ann.page);
    await beginTurn(ben.page);
    await stage.ask('DELETE', `${shop.place}/members/ann%40example.org`);
    stage.stock.release();
    await isShutOut(ann);
    await button(ben.page, 'Send').waitFor();
    await sendAndAwaitAnswer(ben.page, 'Count the stock of item: chalk');
    await visitState(ben.page, 'chatting');
    expect(ben.complaints).toEqual([]);
    expect(await kept(shop)).toEqual([
      [counted],
      [counted, held, 'Count the stock of item: chalk'],
    ]);

    for (const url of [shop.link, inviteOfAnn]) {
      await ann.page.goto(url);
      await closedWith(ann.page, notForAll);
    }
    const rotated = await newLink(shop);
    await ann.page.goto(rotated);
    await closedWith(ann.page, notForAll);
    await ben.page.goto(rotated);
    await visitState(ben.page, 'chatting');
    await ben.page.getByText('item: chalk').waitFor();

    await enter(ann.page, await invite('ann@example.org'));
    expect(await ann.page.getByText(counted).count()).toBe(0);
    expect(ann.page.url()).not.toContain('invite');
  });

  test('a new link disturbs nobody who is in; the old one lets nobody in any more', async () => {
    const shop = await stage.publish({ name: 'Rotated' });
    const visitor = await inConversation(shop.link);
    await beginTurn(visitor.page);
    const rotated = await newLink(shop);
    await closedWith(await strangerOn(shop.link), dead);
    const other = await stage.somebody();
    await enter(other.page, rotated);
    stage.stock.release();
    await button(visitor.page, 'Send').waitFor();
    await visitor.page.locator('.turn').nth(1).locator('summary').getByText('done').waitFor();
    // A message that is sent before the conversation is loaded would begin another conversation.
    await visitor.page.route('**/sessions/cht_*', async (route) => {
      await after(500);
      await route.continue();
    });
    await visitor.page.reload();
    await visitState(visitor.page, 'chatting');
    await sendAndAwaitAnswer(visitor.page, 'Count the stock of item: chalk');
    await sendAndAwaitAnswer(other.page, counted);
    expect(await kept(shop)).toEqual([
      [counted],
      [counted, held, 'Count the stock of item: chalk'],
    ]);
    expect([...visitor.complaints, ...other.complaints]).toEqual([]);
    expect([...visitor.foreign, ...other.foreign]).toEqual([]);
  });
});

test('whoever is signed in needs no invitation link, and is out when removed', async () => {
  const email = 'mia@example.org';
  const organization = 'My organization';
  const signIn = async (page: Page) => {
    const { url } = stage.service;
    await page.goto((await stage.workspace.admin('create-link', email, '--url', url)).url);
    // The page stays at the sign-in address until the link is redeemed.
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
  };
  const shop = await stage.publish({ name: 'Members', mode: 'project_members' });
  await stage.workspace.admin('add-member', organization, email);
  const { page, complaints } = await stage.somebody();
  await signIn(page);
  await enter(page, shop.link);
  await sendAndAwaitAnswer(page, counted);
  await stage.workspace.admin('remove-member', organization, email);
  await say(page, held);
  await closedWith(page, shutOut);
  await page.getByText(counted).waitFor();
  await page.goto(shop.link);
  await closedWith(page, notForAll);

  await signIn(page);
  await page.goto(shop.link);
  await closedWith(page, notForAll);
  await stage.ask('PATCH', shop.place, { mode: 'invited_only' });
  await page.reload();
  await closedWith(page, notForAll);
  await stage.ask('PUT', `${shop.place}/members`, { email });
  // Opening the same address again would not reload the page, so a blank page is opened first.
  await page.goto('about:blank');
  await page.goto(shop.link);
  await visitState(page, 'chatting');
  await page.getByText(counted).waitFor();
  await sendAndAwaitAnswer(page, 'Count the stock of item: chalk');
  expect(await kept(shop)).toEqual([[counted, 'Count the stock of item: chalk']]);
  expect(complaints).toEqual([]);
});
