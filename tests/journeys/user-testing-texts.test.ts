/**
 * Sixty texts that have run as scripts in other products must be shown as text. They are in every
 * name and text of people, models and servers, on the visitors' page and on every console page with
 * visitors' data. The content security policy is off.
 */

import type { SilentConnections } from '@proofmark/harness/journeys/open-browser.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { ChatRequest } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isOnlyText,
  nameOfPayloads,
  namesOfAllPayloads,
  payloadsOfPart as perTurn,
  scriptPayloads,
  textOfPart,
  unfold,
} from './script-payloads.ts';
import {
  button,
  enter,
  type Published,
  sendAndAwaitAnswer,
  startUserTestingStage,
  type UserTestingStage,
  visitState,
} from './user-testing-stage.ts';

const outside = 'https://evil.example/in-output';
let stage: UserTestingStage;
let mcp: FakeMcpServer;
let visitor: SilentConnections;
let serverId: string;
let visited: Published;

beforeAll(async () => {
  mcp = await startFakeMcpServer({
    'tools/list': {
      tools: scriptPayloads.map((payload, at) => ({
        name: `tool ${at} ${payload}`,
        description: payload,
        inputSchema: { type: 'object' },
      })),
    },
    'tools/call': (response, request) => {
      const { name, arguments: given } = Object(request.message['params']);
      const text = `${name}\n${JSON.stringify(given)}\n${outside}`;
      const result = { content: [{ type: 'text', text }], isError: true };
      sendJson(response, rpcResult(request, result));
    },
  });
  stage = await startUserTestingStage({ reciter: recite });
  const server = {
    name: `Reciter ${nameOfPayloads(3)}`,
    enabled: true,
    transportType: 'http',
    url: mcp.url,
  };
  ({ id: serverId } = await stage.ask('POST', 'servers', server));
  visitor = await stage.somebody({ bypassCSP: true });
});
afterAll(async () => {
  await stage?.stop();
  await mcp?.stop();
});

function recite({ messages, tools = [] }: ChatRequest) {
  const last = messages.at(-1);
  if (last?.role !== 'user') return { text: textOfPart(lastPart(messages)) };
  const part = lastPart(messages);
  const named = tools.slice(part * perTurn, (part + 1) * perTurn);
  return {
    toolCalls: named.map(({ function: { name } }, at) => ({
      name,
      arguments: { said: scriptPayloads[part * perTurn + at] },
    })),
  };
}

function lastPart(messages: ChatRequest['messages']): number {
  const content = messages.filter(({ role }) => role === 'user').at(-1)?.content;
  return Number(/^Part (\d)/.exec(typeof content === 'string' ? content : content?.[0]?.text)?.[1]);
}

async function areShownAsText(names: readonly string[]): Promise<void> {
  const { page, foreign } = visitor;
  const links: Published[] = [];
  const serverIds: string[] = [];
  for (const name of names) {
    const server = { name, enabled: true, transportType: 'http', url: mcp.url };
    serverIds.push((await stage.ask('POST', 'servers', server)).id);
  }
  for (const name of names) links.push(await stage.publish({ name, serverIds }));
  for (const [at, one] of links.entries()) {
    const texts = { description: textOfPart(at % 4), welcome: textOfPart((at + 1) % 4) };
    await stage.ask('PATCH', one.place, texts);
    await page.goto(one.link);
    await visitState(page, 'notice');
    expect(await page.locator('h1').innerText()).toBe(names[at]);
    await isOnlyText(page, foreign);
  }
}

describe('what is published under such names is shown under them', () => {
  const names = namesOfAllPayloads();
  test('there are sixty texts', () => {
    expect(new Set(scriptPayloads).size).toBe(60);
  });

  test('every name', async () => {
    await areShownAsText(names);
  });
});

test('what is said, called and answered is text to a visitor, with no link in what tools said', async () => {
  const { page, foreign } = visitor;
  visited = await stage.publish({
    name: `Visited ${nameOfPayloads(20)}`,
    modelId: 'local/reciter',
    serverIds: [serverId],
  });
  await stage.ask('PATCH', visited.place, { feedback: 'thumbs' });
  await enter(page, visited.link);
  for (const part of [0, 1, 2, 3]) {
    await sendAndAwaitAnswer(page, `Part ${part}\n${textOfPart(part)}`);
    const turn = page.locator('.turn').nth(part);
    expect(await turn.locator('details').count()).toBe(perTurn);
    await page.evaluate(unfold);
    await turn.locator('.tool-output').last().getByText(outside).waitFor();
  }
  expect(await page.locator('.tool-output').count()).toBe(scriptPayloads.length);
  expect(await page.locator('.tool a').count()).toBe(0);
  await isOnlyText(page, foreign);
  await button(page, 'End').click();
  await visitState(page, 'ended');
  await button(page, 'Not helpful').last().click();
  await page.getByLabel('Anything to add?').fill(textOfPart(1).slice(0, 1900));
  await button(page, 'Add comment').click();
  await page.getByText('Your comment was added.').waitFor();
  await isOnlyText(page, foreign);
});

test('the owner reads all of it as text, in every section', async () => {
  const { context, page, foreign } = await stage.somebody({ bypassCSP: true });
  await context.addCookies(await stage.owner.context.cookies());
  const scenarioUrl = `${stage.projectUrl}/user-testing/${visited.id}`;
  const [session] = (await stage.ask('GET', `${visited.place}/sessions`)).items;
  const shows = async (url: string, found: string) => {
    await page.goto(url);
    await page.locator(found).first().waitFor({ timeout: 60_000 });
    await isOnlyText(page, foreign);
  };
  await shows(`${stage.projectUrl}?section=user-testing`, 'tbody tr');
  await shows(scenarioUrl, '.visits li');
  await shows(`${scenarioUrl}/sessions/${session.id}`, '.said-list li');
  await shows(`${scenarioUrl}?section=numbers`, '.breakdowns table');
  await shows(`${scenarioUrl}?section=settings`, 'form');
  await shows(`${scenarioUrl}?section=findings`, '.finding');
  await button(page, 'Explain what was found').click();
  await page.getByText('Written by proofmark/narrator-1').waitFor();
  await page.evaluate(unfold);
  await isOnlyText(page, foreign);
  expect(await page.locator('.excerpt a').count()).toBe(0);
});
