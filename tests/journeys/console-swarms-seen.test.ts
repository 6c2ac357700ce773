import { writeFileSync } from 'node:fs';
import {
  type Look,
  openBrowser,
  type SilentConnections,
  sidewaysIn,
  watchedPage,
} from '@proofmark/harness/journeys/open-browser.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeReporterKey,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { startOpenAiServer } from '@proofmark/harness/model-servers/start-openai-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const looks: Look[] = [
  ['light', 1280],
  ['dark', 360],
];
let workspace: SharedWorkspace;
let service: ServiceHere;
let stock: StockServers;
let models: Awaited<ReturnType<typeof startOpenAiServer>>;
let answerNarrator: () => void;
let browser: Browser;
let watched: SilentConnections;
let page: Page;
let projectUrl: string;
let ask: ProjectApi;
let personaId: string;
const environments: Record<string, string> = {};

beforeAll(async () => {
  stock = await startStockServers();
  const asked = new Promise<void>((resolve) => {
    answerNarrator = resolve;
  });
  models = await startOpenAiServer({
    failing: () => ({ status: 500 }),
    narrator: async () => {
      await asked;
      return { text: 'No JSON at all.' };
    },
  });
  workspace = createSharedWorkspace();
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.baseUrl };
  const offered = [{ name: 'failing' }, { name: 'narrator' }];
  const config = { modelProviders: [{ ...provider, models: offered }] };
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify(config));
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_BRAKES: 'off',
    PROOFMARK_INSIGHTS_MODEL: 'local/narrator',
  });
  const { apiKey } = await makeReporterKey(workspace);
  await workspace.admin('set-feature', 'My organization', 'swarms', 'on');
  browser = await openBrowser();
  watched = await watchedPage(browser, service.url);
  page = watched.page;
  await page.goto(service.events().find(({ event }) => event === 'signInLink')?.['url'] ?? '');
  await link('Default').click();
  await link('Evals').waitFor();
  projectUrl = page.url();
  ask = projectApi(service.url, projectUrl.split('/').at(-1) as string, apiKey);
  personaId = (await ask('POST', 'personas', { name: 'Ann', role: 'Storekeeper' })).id;
  await makeEnvironment('Shop', { url: stock.url });
  await makeEnvironment('Nowhere', { url: 'http://127.0.0.1:9/mcp' });
  await makeEnvironment('Strict', { url: stock.url, requireToolApproval: true });
  await makeEnvironment('Mute', { url: stock.url, modelId: 'local/failing' });
});
afterAll(async () => {
  stock?.release();
  answerNarrator?.();
  await browser?.close();
  await service?.stop();
  await workspace?.remove();
  await stock?.stop();
  await models?.stop();
});

async function makeEnvironment(name: string, options: { url: string } & Record<string, unknown>) {
  const { url, ...client } = options;
  const server = { name, enabled: true, transportType: 'http', url };
  const { id } = await ask('POST', 'servers', server);
  const config = { modelId: 'proofmark/lexical-1', serverIds: [id], ...client };
  const { id: hostId } = await ask('POST', 'clients', { name, config });
  environments[name] = (await ask('POST', 'environments', { name, hostId })).id;
}

const advisory = {
  label: 'Weighs them too',
  predicate: { type: 'toolCalledAtLeastOnce', toolName: 'weigh', role: 'advisory' },
};
const holds = { label: 'No errors', predicate: { type: 'noToolErrors' } };
const fails = {
  label: 'Weighs',
  predicate: { type: 'toolCalledAtLeastOnce', toolName: 'weigh' },
};

async function makeJourney(name: string, where: string, more: object = {}): Promise<string> {
  const goal = 'Count the stock of the item "pens".';
  const numbers = { sessionsPerTarget: 1, maxTurns: 3 };
  const environmentIds = [environments[where]];
  const body = { name, goal, personaId, ...numbers, environmentIds, rubric: [holds], ...more };
  return (await ask('POST', 'journeys', body)).id;
}

async function playedPage(journeyId: string): Promise<string> {
  const { id, waveId } = await ask('POST', `journeys/${journeyId}/runs`, {});
  await until(async () => (await ask('GET', `waves/${waveId}`)).terminal, 'the wave has ended');
  await page.goto(`${projectUrl}/journey-runs/${id}`);
  return waveId;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

async function isWellLaidOut(): Promise<void> {
  expect(await sidewaysIn(page, looks)).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 800 });
}

describe('before Run is pressed', () => {
  test('sessions, models, cost and launches left are told', async () => {
    const journeyId = await makeJourney('Priced at nothing', 'Shop');
    await page.goto(`${projectUrl}/journeys/${journeyId}`);
    const estimate = page.locator('.estimate');
    await estimate.getByText('1 session on 1 target, at most 3 turns each.').waitFor();
    const words = await estimate.innerText();
    expect(words).toContain('The assistant is proofmark/lexical-1');
    expect(words).toContain('the user is proofmark/scripted-user-1; nobody judges.');
    expect(words).toContain('This costs nothing.');
    expect(words).toMatch(/Left today: \d+ launches\./);
  });

  test('a price that nobody knows is told, and so is what would be refused', async () => {
    const unpriced = await makeJourney('Unpriced', 'Mute');
    await page.goto(`${projectUrl}/journeys/${unpriced}`);
    await page.getByText('No price is known for local/failing.').waitFor();
    const untargeted = await makeJourney('Without targets', 'Shop', { environmentIds: undefined });
    await page.goto(`${projectUrl}/journeys/${untargeted}`);
    await page.getByText('It cannot be run as it is:').waitFor();
  });

  test('of all journeys of a swarm the sum is told', async () => {
    const swarm = { name: 'Both', sessionsPerTarget: 1, maxTurns: 3 };
    const { id: swarmId } = await ask('POST', 'swarms', swarm);
    for (const name of ['First', 'Second']) await makeJourney(name, 'Shop', { swarmId });
    await page.goto(`${projectUrl}/swarms/${swarmId}`);
    await page.getByText(/^2 sessions in 2 runs\. This costs nothing\./).waitFor();
    await isWellLaidOut();
  });
});

describe('checks and judge', () => {
  test('advice that was not met is amber and said to be advice; nothing of it is red', async () => {
    const judgeConfig = { goalCompletion: { autoRun: true } };
    const rubric = [holds, advisory];
    await playedPage(await makeJourney('Judged', 'Shop', { rubric, judgeConfig }));
    await heading(/^passed: the deciding check held in 1 graded session\.$/i);
    const unmet = row('Weighs them too').getByText('advice: did not hold', { exact: true });
    expect(await unmet.getAttribute('class')).toBe('tone-hold');
    await page.getByText('advice: 1 check did not hold').waitFor();
    expect(await page.locator('.tone-fail').count()).toBe(0);
    await isWellLaidOut();
  });

  test('what the judge says stands apart from them, on the run and on the session', async () => {
    const judge = region('Judge: goal completion');
    await judge.getByText('The judge finds the goal met in 1 of 1 judged session').waitFor();
    expect(await judge.innerText()).toContain('Judged by proofmark/rule-judge-1.');
    expect(await judge.innerText()).not.toContain('graded');
    await page.getByText('judge: goal met, 100 %').waitFor();
    await link('Session 1').click();
    await heading(/^Shop, session 1: passed$/);
    const words = await judge.innerText();
    for (const text of ['met', '100 %; 70 % or more counts as met', 'proofmark/rule-judge-1']) {
      expect(words.replaceAll('\u00a0', ' ')).toContain(text);
    }
    const unmet = row('Weighs them too').getByText('advice: did not hold', { exact: true });
    expect(await unmet.getAttribute('class')).toContain('tone-hold');
    expect(await page.locator('.tone-fail').count()).toBe(0);
    await isWellLaidOut();
  });

  test('where nobody judged nothing is shown of a judge', async () => {
    await playedPage(await makeJourney('Unjudged', 'Shop'));
    await heading(/^passed: /i);
    expect(await region('Judge: goal completion').count()).toBe(0);
    await link('Session 1').click();
    await heading(/session 1: passed$/);
    expect(await region('Judge: goal completion').count()).toBe(0);
  });
});

describe('whose doing it was', () => {
  test.each([
    [
      ...['Nowhere', {}, 'set-up', 'a server could not be opened or used'],
      'the set-up: a server of the target',
    ],
    [
      ...[
        'Mute',
        {},
        'model provider',
        'the model provider of the assistant failed or limited the requests',
      ],
      'the provider of the model that plays the assistant',
    ],
    [
      ...['Strict', {}, 'policy', 'a call was not allowed'],
      'a policy: the client or the environment did not allow a call',
    ],
    [
      ...['Shop', { personaModel: 'local/failing' }, 'simulated user', 'the simulated user failed'],
      'the model that plays the user, not the server',
    ],
  ] as [string, object, string, string, string][])(
    'a session that ended in %s %j was %s',
    async (where, more, word, why, doer) => {
      await playedPage(await makeJourney(`Ends by ${word}`, where, more));
      await heading(
        new RegExp(`^not established: none of 1 session was graded \\(${why}\\)\\.$`, 'i'),
      );
      await page.getByText(`not played: ${word}`, { exact: true }).waitFor();
      await link('Session 1').click();
      await heading(`${where}, session 1: not played: ${word}`);
      await page.getByText(`Cause: ${doer}`).waitFor();
      expect(await page.locator('h1, .why').locator('.tone-fail').count()).toBe(0);
      await isWellLaidOut();
    },
  );

  test('one that was canceled says so', async () => {
    stock.hold();
    const journeyId = await makeJourney('Canceled', 'Shop');
    const { id } = await ask('POST', `journeys/${journeyId}/runs`, {});
    await page.goto(`${projectUrl}/journey-runs/${id}`);
    await page.getByText('talking').waitFor();
    await button('Cancel run').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('not played: canceled', { exact: true }).waitFor();
    stock.release();
    await link('Session 1').click();
    await page.getByText('Cause: the person who canceled the run.').waitFor();
  });
});

test('lists of journeys and of runs tell the verdict, what it rests on and what was not graded', async () => {
  const both = { environmentIds: [environments['Shop'], environments['Nowhere']] };
  const journeyId = await makeJourney('Fails here', 'Shop', { ...both, rubric: [fails, advisory] });
  await makeJourney('Never played', 'Shop');
  await playedPage(journeyId);
  await heading(/^failed: the check “weighs” did not hold in 1 of 1 graded session\.$/i);
  const rests =
    'The check “Weighs” did not hold in 1 of 1 graded session. 1 session not graded: a server could not be opened or used.';
  await page.goto(`${projectUrl}?section=swarms`);
  const journeys = region('Journeys');
  const listed = journeys.getByRole('row').filter({ hasText: 'Fails here' });
  await listed.getByText(rests).waitFor();
  expect(await listed.locator('b').innerText()).toBe('failed');
  const never = journeys.getByRole('row').filter({ hasText: 'Never played' });
  expect(await never.innerText()).toContain('never run');
  await region('Latest runs').getByRole('row').filter({ hasText: rests }).waitFor();
  await isWellLaidOut();
  await page.goto(`${projectUrl}/journeys/${journeyId}`);
  await region('Runs').getByRole('row').filter({ hasText: rests }).waitFor();
});

test('a finding names its journey and leads to a transcript in one click, by keyboard too', async () => {
  await until(
    async () => (await ask('GET', 'journey-findings')).items.length > 0,
    'the wave was looked through',
  );
  await page.goto(`${projectUrl}?section=swarms`);
  const finding = page.locator('.finding-row').first();
  await finding.getByRole('link', { name: 'Fails here', exact: true }).waitFor();
  await finding.locator('summary').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Transcript that shows/);
  await page.keyboard.press('Enter');
  await heading(/^Shop, session 1: failed$/);
  await page.goBack();
  await finding.getByRole('link', { name: 'Fails here', exact: true }).click();
  await heading('Fails here');
});

describe('a wave', () => {
  test('that goes on is followed on its page', async () => {
    stock.hold();
    const journeyId = await makeJourney('Watched', 'Shop', {
      sessionsPerTarget: 2,
      rubric: [fails],
    });
    const { waveId } = await ask('POST', `journeys/${journeyId}/runs`, {});
    await page.goto(`${projectUrl}/waves/${waveId}`);
    await page.getByText('0 of 2 sessions done; 1 of 1 run goes on.').waitFor();
    await page.getByText('2 sessions have not ended yet.').waitFor();
    stock.release(1);
    await page.getByText('1 of 2 sessions done; 1 of 1 run goes on.').waitFor();
    stock.release();
    await heading(/^failed: 1 of 1 run failed\.$/i);
    await page.getByText('2 of 2 sessions graded.').waitFor();
    await button('Explain what was found').waitFor();
    expect(await page.locator('progress').count()).toBe(0);
    await isWellLaidOut();
  });

  test('its insights are asked for, stopped, asked for again, and their failure is told', async () => {
    await button('Explain what was found').click();
    await page.getByText('What was found in 2 sessions is being explained.').waitFor();
    await button('Stop explaining').click();
    await page.getByText('Nobody has asked yet').waitFor();
    await button('Explain what was found').click();
    await button('Stop explaining').waitFor();
    answerNarrator();
    await page.getByText(/^It could not be explained: /).waitFor();
  });
});

test('nothing complained or left the service', () => {
  expect([watched.complaints, watched.foreign]).toEqual([[], []]);
});
