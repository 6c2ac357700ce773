import { writeFileSync } from 'node:fs';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  type ChatRequest,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
const better = 'Tells whether the sun shines.';
let server: FakeMcpServer;
let provider: OpenAiServer;
let environment: Record<string, string>;
let ask: ProjectApi;
let suiteId: string;
let asked: ChatRequest[] = [];
beforeEach(() => {
  asked = [];
});

const shownOf = ({ tools }: ChatRequest) =>
  JSON.stringify(tools?.find(({ function: { name } }) => name.includes('weather')));
const isShownBetter = (request: ChatRequest) => shownOf(request)?.includes(better) === true;

beforeAll(async () => {
  server = await startFakeMcpServer({ 'tools/list': { tools: stageTools } });
  const answer = (isRight: boolean) => ({ text: isRight ? 'It is sunny.' : 'I cannot tell.' });
  provider = await startOpenAiServer({
    one(request) {
      asked.push(request);
      return answer(isShownBetter(request));
    },
    contrary(request) {
      asked.push(request);
      return answer(!isShownBetter(request));
    },
  });
  const models = [{ name: 'one' }, { name: 'contrary' }];
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: provider.baseUrl, models };
  const config = JSON.stringify({ modelProviders: [local] });
  writeFileSync(`${workspace.folder}/proofmark.config.json`, config);
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const { apiKey, projectId } = await workspace.admin(...owner, '--project', 'Default');
  environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey, LC_ALL: 'C.UTF-8' };
  ask = projectApi(service.url, projectId, apiKey);
  const saved = { name: 'Weather', enabled: true, transportType: 'http', url: server.url };
  const { id } = await ask('POST', 'servers', saved);
  const steps = [
    { id: 'ask', kind: 'prompt', prompt: 'Is it sunny in Rome?' },
    { id: 'says', kind: 'assert', assertion: { type: 'responseContains', needle: 'sunny' } },
  ];
  const made = await ask('POST', 'eval-suites', {
    name: 'Sun',
    serverIds: [id],
    model: 'local/one',
    tests: [{ title: 'Sun', steps }],
  });
  suiteId = made.suiteId;
  const tools = [{ name: 'weather', description: better }];
  const overlay = { servers: [{ serverName: 'Weather', tools }] };
  writeFileSync(`${workspace.folder}/words.json`, JSON.stringify(overlay));
});
afterAll(async () => {
  await workspace.remove();
  await provider.stop();
  await server.stop();
});

function whatIf(...more: string[]) {
  const all = ['eval', 'whatif', 'Sun', '--overlay', 'words.json', ...more];
  return workspace.runHere(all, environment);
}

const seeds = () => [...new Set(asked.map(({ seed }) => seed))];

test('both runs ask with one seed, and differ in what the model is shown: better is 0', async () => {
  const { stdout, stderr, code } = await whatIf('--runs', '6', '--json');
  expect(code, stderr).toBe(0);
  const result = JSON.parse(stdout);
  expect(Object.keys(result)).toEqual(['base', 'overlay', 'difference', 'outcome', 'byStage']);
  expect(result.difference).toEqual({
    passRate: 1,
    lower: expect.any(Number),
    upper: expect.any(Number),
  });
  expect([result.outcome, result.byStage.length]).toEqual(['better', 1]);
  expect(result.byStage).toMatchObject([{ base: 6, overlay: 0 }]);
  expect([result.base.summary.passed, result.overlay.summary.passed]).toEqual([0, 6]);
  expect([result.base.overlayHash, typeof result.overlay.overlayHash]).toEqual([
    undefined,
    'string',
  ]);
  expect(asked.filter(isShownBetter)).toHaveLength(6);
  expect(asked.filter((request) => !isShownBetter(request))).toHaveLength(6);
  expect(seeds()).toEqual([expect.any(Number)]);
  expect([result.base.seed, result.overlay.seed]).toEqual([seeds()[0], seeds()[0]]);
  const run = await ask('GET', `eval-runs/${result.base.runId}`);
  expect(run.seed).toBe(seeds()[0]);

  const plain = await ask('POST', 'eval-runs', { suiteId, iterationOverride: 6 });
  await workspace.runHere(['eval', 'watch', plain.runId], environment);
  expect(asked.at(-1)).not.toHaveProperty('seed');
  const compared = await ask('GET', `eval-runs/${plain.runId}/compare`);
  expect(compared.baseRun.id).toBe(result.base.runId);
  expect(compared.cases.map((one: { configChanged: boolean }) => one.configChanged)).toEqual([
    false,
  ]);

  const again = await workspace.runHere(
    ['eval', 'replay', result.base.runId, '--json'],
    environment,
  );
  const { replay } = JSON.parse(again.stdout);
  expect([replay.trials, replay.diverged, again.code]).toEqual([6, 0, 1]);
});

test('worse is 1; the seed of the suite wins over the chosen one', async () => {
  await ask('PATCH', `eval-suites/${suiteId}`, { executionConfig: { seed: 7 } });
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  const place = `eval-suites/${suiteId}/cases/${items[0].id}`;
  await ask('PATCH', place, { models: [{ model: 'local/contrary' }] });
  const { stdout, code } = await whatIf('--runs', '6');
  expect(stdout).toMatch(/^The overlay is worse: −100 points/);
  expect([code, seeds()]).toEqual([1, [7]]);
});

test('too few trials tell nothing: 3; a tool that is not there is wrong usage, and nothing runs', async () => {
  const few = await whatIf('--runs', '2', '--json');
  const { outcome, difference } = JSON.parse(few.stdout);
  expect([outcome, difference, few.code]).toEqual(['insufficient', null, 3]);
  asked = [];
  const tools = [{ name: 'nowhere', description: better }];
  const overlay = { servers: [{ serverName: 'Weather', tools }] };
  writeFileSync(`${workspace.folder}/words.json`, JSON.stringify(overlay));
  const refused = await whatIf('--runs', '2');
  expect([refused.code, asked.length], refused.stderr).toEqual([2, 0]);
});
