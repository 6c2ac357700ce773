/**
 * A service with data in every list, and the paths of all console pages that show it. The journey
 * supplies the texts of people, servers and models.
 */

import { confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ProjectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { call } from '@proofmark/harness/test-service.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitForSample } from './sample-report.ts';
import { enter, sendAndAwaitAnswer, startUserTestingStage } from './user-testing-stage.ts';

export interface FurnishedConsole {
  readonly stage: Awaited<ReturnType<typeof startUserTestingStage>>;
  readonly pages: readonly ConsolePage[];
  readonly visitLink: string;
  stop(): Promise<void>;
}

export interface ConsolePage {
  readonly route: string;
  readonly path: string;
  readonly shows: string;
  /** A text for the page's filter, for pages on which a few of very many equal items are enough. */
  readonly filter?: string;
}

export interface FurnishedTexts {
  name(at: number): string;
  text(at: number): string;
}

export async function furnishConsole(texts: FurnishedTexts): Promise<FurnishedConsole> {
  const mcp = await startTalkingServer(texts);
  const stage = await startUserTestingStage(
    { teller: () => ({ text: texts.text(1) }) },
    { PROOFMARK_SAMPLE: 'on' },
  );
  const stop = async () => {
    await stage.stop();
    await mcp.stop();
  };
  try {
    await waitForSample(stage.service);
    const { pages, visitLink } = await furnish(stage, mcp.url, texts);
    return { stage, pages, visitLink, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Opens a page of the list from the previous one. The console is not reloaded, because that takes
 * most of the time. Pages of the same route may keep their state, so an empty page is opened
 * between them.
 */
export async function openConsolePage(
  page: Page,
  { stage, pages }: FurnishedConsole,
  at: number,
): Promise<void> {
  const next = pages[at] as ConsolePage;
  const before = pages[at - 1]?.route;
  if (before === undefined) {
    await page.goto(`${stage.service.url}${next.path}`);
    await page.locator(next.shows).first().waitFor();
  } else {
    // Some pages redirect to the next one of the list.
    const isThere = page.url() === `${stage.service.url}${next.path}`;
    if (before === next.route || isThere) await goOn(page, '/nowhere', 'main h1');
    await goOn(page, next.path, next.shows);
  }
  await expect.poll(() => page.locator('main .loading').count(), { message: next.path }).toBe(0);
  if (next.filter !== undefined) await page.getByRole('searchbox').fill(next.filter);
}

/** The old content is marked, so that it is not mistaken for the next page. */
async function goOn(page: Page, path: string, shows: string): Promise<void> {
  await page.evaluate(`{
    for (const one of document.querySelectorAll('main *')) one.dataset.before = '';
    history.pushState(null, '', ${JSON.stringify(path)});
  }`);
  const fresh = shows.split(', ').map((one) => `${one}:not([data-before])`);
  await page.locator(fresh.join()).first().waitFor();
}

async function furnish(
  stage: FurnishedConsole['stage'],
  mcpUrl: string,
  texts: FurnishedTexts,
): Promise<Pick<FurnishedConsole, 'pages' | 'visitLink'>> {
  const { ask, service, workspace } = stage;
  await workspace.admin('set-feature', 'My organization', 'swarms', 'on');
  const isAnnounced = () => service.events().some(({ event }) => event === 'sample');
  await until(isAnnounced, 'the sample is told', 90_000);
  const asPerson = await consoleApi(stage);
  const projectId = stage.projectUrl.split('/').at(-1) as string;
  const { items } = await asPerson('GET', '/api/v1/organizations');
  const organizationId = items[0].id as string;

  const setUp = await makeSetUp(ask, texts, mcpUrl);
  const evals = await makeRuns(ask, texts, setUp.serverId);
  const swarms = await makeSwarms(ask, texts, setUp.environmentId);
  const chatSessionId = await makeChat(asPerson, projectId, setUp.serverId, texts);
  const visited = await makeVisit(stage, setUp.serverId, texts);
  const people = await makePeople(asPerson, organizationId, texts);

  const ids: Readonly<Record<string, string>> = {
    projectId,
    organizationId,
    chatSessionId,
    ...setUp,
    ...evals,
    ...swarms.ids,
    ...visited.ids,
    ...people.ids,
  };
  const page = (route: string, shows: string, query = '', own = {}): ConsolePage => {
    const known: Readonly<Record<string, string>> = { ...ids, ...own };
    const path = route.replaceAll(/\$(\w+)/g, (_, name: string) => known[name] ?? name);
    return { route, path: `${path}${query}`, shows };
  };
  const inProject = (route: string, shows: string, query = '', own = {}) =>
    page(`/projects/$projectId/${route}`, shows, query, own);
  const section = (name: string, shows: string) =>
    page('/projects/$projectId', shows, `?section=${name}`);
  const scenario = (name: string, shows: string) =>
    inProject('user-testing/$scenarioId', shows, `?section=${name}`);
  const organization = (route: string, shows: string) =>
    page(`/organizations/$organizationId/${route}`, shows);
  return {
    visitLink: visited.link,
    pages: [
      page('/', '.failing li, #home-latest, table'),
      page('/projects', 'tbody tr'),
      page('/projects/new', 'form'),
      page('/projects/$projectId', 'tbody tr'),
      section('playground', 'tbody tr, .chats li'),
      section('evals', 'tbody tr'),
      section('swarms', 'tbody tr'),
      section('user-testing', 'tbody tr'),
      section('environments', 'tbody tr'),
      section('clients', 'tbody tr'),
      section('server-groups', 'tbody tr'),
      section('skills', 'tbody tr'),
      section('plugins', 'tbody tr'),
      section('agent', 'textarea'),
      section('settings', 'form'),
      inProject('servers/new', 'form'),
      inProject('servers/new', 'main pre', '?kind=program'),
      inProject('servers/$serverId', 'main form, main li a'),
      inProject('servers/$serverId', 'main li', '?section=prompts'),
      inProject('servers/$serverId', 'main li', '?section=resources'),
      inProject('servers/$serverId', 'main li', '?section=doctor'),
      inProject('servers/$serverId', '.finding', '?section=lint'),
      inProject('servers/$serverId', 'form', '?section=settings'),
      inProject('clients/new', 'form'),
      inProject('clients/$clientId', 'form'),
      inProject('environments/new', 'form'),
      inProject('environments/$environmentId', 'form'),
      inProject('environments/$environmentId', 'main li, main dl', '?section=preview'),
      inProject('server-groups/new', 'form'),
      inProject('server-groups/$groupId', 'dl a'),
      inProject('skills/new', 'form'),
      inProject('skills/$skillId', 'pre'),
      inProject('plugins/new', 'form'),
      inProject('plugins/$pluginId', 'main li'),
      inProject('playground/$chatSessionId', '.chat-log .answer'),
      inProject('suites/new', 'form'),
      inProject('suites/$suiteId', 'tbody tr'),
      inProject('suites/$suiteId/settings', 'form'),
      inProject('suites/$suiteId/cases/new', 'form'),
      inProject('suites/$suiteId/cases/$caseId', 'form'),
      inProject('runs/$runId', '[data-trial]'),
      inProject('runs/$runId/compare/$baseRunId', 'tbody tr'),
      inProject('runs/$runId/trials/$trialId', '.conversation, .turn'),
      page('/evals/suite/$suiteId/runs/$runId', '[data-trial]'),
      inProject('personas/new', 'form'),
      inProject('personas/$personaId', 'form'),
      inProject('swarms/new', 'form'),
      inProject('swarms/$swarmId', 'form, tbody tr'),
      inProject('journeys/new', 'form'),
      inProject('journeys/$journeyId', 'tbody tr'),
      inProject('journeys/$journeyId', 'form', '?section=settings'),
      inProject('journey-runs/$runId', 'tbody tr', '', swarms.ofRun),
      inProject('journey-runs/$runId/sessions/$sessionId', 'main li', '', swarms.ofRun),
      inProject('waves/$waveId', 'tbody tr'),
      inProject('drafts', 'form'),
      inProject('user-testing/$scenarioId', '.visits li'),
      scenario('findings', 'main section'),
      scenario('numbers', 'table'),
      scenario('settings', 'form'),
      inProject('user-testing/$scenarioId/sessions/$sessionId', '.said-list li'),
      page('/organizations', 'main li, main table, main h1'),
      organization('members', 'tbody tr'),
      organization('members/$accountId', 'main select, main dl'),
      organization('models', 'tbody tr'),
      organization('spending', 'tbody tr'),
      organization('retention', 'tbody tr'),
      organization('audit-log', 'tbody tr'),
      page('/api-keys', 'tbody tr'),
      page('/health', 'tbody tr'),
      page('/account', 'form'),
      { ...page('/reference', 'main section'), filter: 'waiver' },
      page('/invitation', 'main p', people.invitationHash),
      page('/sign-in', 'main h1'),
      page('/nowhere', 'main h1'),
    ],
  };
}

function startTalkingServer(texts: FurnishedTexts): Promise<FakeMcpServer> {
  const properties = { item: { type: 'string', description: texts.text(2) } };
  return startFakeMcpServer({
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: texts.name(0), version: '1' },
      instructions: texts.text(0),
    },
    'tools/list': {
      tools: [0, 1, 2].map((at) => ({
        name: `count_${at} ${texts.name(at)}`,
        description: texts.text(at),
        inputSchema: { type: 'object', properties },
      })),
    },
    'prompts/list': { prompts: [{ name: texts.name(1), description: texts.text(1) }] },
    'resources/list': { resources: [{ uri: 'shop://shelf', name: texts.name(2) }] },
    'resources/templates/list': { resourceTemplates: [] },
    'tools/call': (response, request) =>
      sendJson(
        response,
        rpcResult(request, { content: [{ type: 'text', text: texts.text(3) }], isError: true }),
      ),
  });
}

async function consoleApi(stage: FurnishedConsole['stage']) {
  const { url } = stage.service;
  const cookies = await stage.owner.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const session = await call(`${url}/console/v1/session`, { headers: { cookie } });
  const headers = { cookie, origin: url, 'x-csrf-token': session.body.csrfToken as string };
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await call(`${url}${path}`, { method, headers, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
}

async function makeSetUp(ask: ProjectApi, texts: FurnishedTexts, url: string) {
  const description = texts.text(0).slice(0, 1900);
  const shop = { name: texts.name(0), enabled: true, transportType: 'http', url };
  const { id: serverId } = await ask('POST', 'servers', shop);
  await ask('POST', `servers/${serverId}/doctor`, {});
  const gone = { ...shop, name: `Gone ${texts.name(1)}`, url: 'http://127.0.0.1:9/mcp' };
  const { id: goneId } = await ask('POST', 'servers', gone);
  await ask('POST', `servers/${goneId}/doctor`, {});
  const skill = { name: texts.name(3), description, content: texts.text(1) };
  const { id: skillId } = await ask('POST', 'skills', skill);
  const plugin = { name: texts.name(4), description, serverIds: [serverId], skillIds: [skillId] };
  const { id: pluginId } = await ask('POST', 'plugins', plugin);
  const group = { name: texts.name(5), serverIds: [serverId] };
  const { id: groupId } = await ask('POST', 'server-attachments', group);
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: clientId } = await ask('POST', 'clients', { name: texts.name(6), config });
  const environment = {
    name: texts.name(7),
    description,
    hostId: clientId,
    serverAttachmentId: groupId,
    skillSelection: { mode: 'explicit', skillIds: [skillId] },
  };
  const { id: environmentId } = await ask('POST', 'environments', environment);
  return { serverId, skillId, pluginId, groupId, clientId, environmentId };
}

async function makeRuns(ask: ProjectApi, texts: FurnishedTexts, serverId: string) {
  const messages = [
    { role: 'user', content: texts.text(0) },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: texts.text(1) },
        { type: 'tool-call', toolName: texts.name(2), input: { said: texts.text(2) } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolName: texts.name(2), output: texts.text(3) }],
    },
    { role: 'assistant', content: texts.text(3) },
  ];
  const failed = {
    ...confused,
    caseTitle: texts.name(1),
    query: texts.text(0),
    error: texts.text(2).slice(0, 1900),
    actualToolCalls: [{ toolName: texts.name(2), arguments: { said: texts.text(1) } }],
    trace: { ...confused.trace, messages: messages },
  };
  const report = { suiteName: texts.name(0), verdictPolicy: {}, results: [tracked, failed] };
  const { runId: baseRunId } = await ask('POST', 'eval-ingest/report', report);
  const { runId } = await ask('POST', 'eval-ingest/report', report);
  const { items } = await ask('GET', `eval-runs/${runId}/iterations`);
  const trialId = items.find(({ result }: { result: string }) => result === 'failed').id;
  const prompt = { id: 'ask', kind: 'prompt', prompt: texts.text(3).slice(0, 1900) };
  const { suiteId } = await ask('POST', 'eval-suites', {
    name: `Own ${texts.name(2)}`,
    serverIds: [serverId],
    model: 'proofmark/lexical-1',
    tests: [{ title: texts.name(3), steps: [prompt] }],
  });
  const own = await ask('POST', 'eval-runs', { suiteId });
  const isEnded = async () =>
    ['completed', 'failed'].includes((await ask('GET', `eval-runs/${own.runId}`)).status);
  await until(isEnded, 'the run has ended', 60_000);
  const cases = await ask('GET', `eval-suites/${suiteId}/cases`);
  return { runId, baseRunId, trialId, suiteId, caseId: cases.items[0].id };
}

async function makeSwarms(ask: ProjectApi, texts: FurnishedTexts, environmentId: string) {
  const name = (at: number) => texts.name(at).slice(0, 120);
  const { id: personaId } = await ask('POST', 'personas', { name: name(8), role: name(9) });
  const numbers = { sessionsPerTarget: 1, maxTurns: 2 };
  const { id: swarmId } = await ask('POST', 'swarms', { name: name(10), ...numbers });
  const { id: journeyId } = await ask('POST', 'journeys', {
    name: name(11),
    goal: texts.text(2).slice(0, 1900),
    personaId,
    swarmId,
    ...numbers,
    environmentIds: [environmentId],
    rubric: [{ label: name(12).slice(0, 100), predicate: { type: 'noToolErrors' } }],
  });
  const { id: runId, waveId } = await ask('POST', `journeys/${journeyId}/runs`, {});
  const isEnded = async () => (await ask('GET', `waves/${waveId}`)).terminal;
  await until(isEnded, 'the wave has ended', 60_000);
  const { items } = await ask('GET', `journey-runs/${runId}/sessions`);
  return {
    ids: { personaId, swarmId, journeyId, waveId },
    ofRun: { runId, sessionId: items[0].id as string },
  };
}

type PersonApi = Awaited<ReturnType<typeof consoleApi>>;

async function makeChat(
  asPerson: PersonApi,
  projectId: string,
  serverId: string,
  texts: FurnishedTexts,
): Promise<string> {
  const place = `/console/v1/projects/${projectId}/chat-sessions`;
  const { id } = await asPerson('POST', place, { serverId });
  const turnBody = { messageId: 'one', text: texts.text(0) };
  await asPerson('POST', `${place}/${id}/turns`, turnBody);
  await asPerson('POST', `${place}/${id}/turns`, {
    ...turnBody,
    messageId: 'two',
    text: `count_1 ${texts.text(1)}`,
    modelId: 'local/teller',
  });
  return id;
}

async function makeVisit(
  stage: FurnishedConsole['stage'],
  serverId: string,
  texts: FurnishedTexts,
) {
  const fields = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: scenarioId, link } = await stage.publish({ name: texts.name(13), ...fields });
  const { context, page } = await stage.somebody();
  await enter(page, link);
  await sendAndAwaitAnswer(page, texts.text(1));
  const place = `user-testing/scenarios/${scenarioId}`;
  const [{ id: sessionId }] = (await stage.ask('GET', `${place}/sessions`)).items;
  await context.close();
  return { link, ids: { scenarioId, sessionId: sessionId as string } };
}

async function makePeople(asPerson: PersonApi, organizationId: string, texts: FurnishedTexts) {
  const place = `/console/v1/organizations/${organizationId}`;
  const { items } = await asPerson('GET', `${place}/members`);
  const invited = await asPerson('POST', `${place}/invitations`, { email: 'ann@acme.example' });
  await asPerson('PUT', `${place}/model-providers/own`, {
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    expectedRevision: 0,
    models: [{ name: 'small' }],
  });
  await asPerson('POST', '/console/v1/api-keys', {
    name: texts.name(14).slice(0, 100),
    organizationId,
  });
  return {
    ids: { accountId: items[0].accountId as string },
    invitationHash: new URL(invited.url).hash,
  };
}
