import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let provider: OpenAiServer;
let key: string;
let ask: ProjectApi;
let stock: StockServers;
let personaId: string;
let environmentId: string;

beforeAll(async () => {
  stock = await startStockServers();
  provider = await startOpenAiServer({
    mute: () => ({ text: 'I am a language model.' }),
    strict: () => ({
      text: JSON.stringify({ score: 0.4, reason: 'The count was not told.', rubricHits: [] }),
    }),
  });
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  key = made.apiKey;
  await workspace.admin('set-feature', 'Acme', 'swarms', 'on');
  await workspace.admin(
    ...['model', 'set', 'local', '--kind', 'openai-compatible', '--base-url', provider.baseUrl],
    ...['--model', 'mute', '--model', 'strict'],
  );
  ask = projectApi(service.url, made.projectId, key);
  const server = { name: 'stock', enabled: true, transportType: 'http', url: stock.url };
  const { id: serverId } = await ask('POST', 'servers', server);
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const { id: hostId } = await ask('POST', 'clients', { name: 'Desk', config });
  environmentId = (await ask('POST', 'environments', { name: 'Shop', hostId })).id;
  personaId = (await ask('POST', 'personas', { name: 'Ann', role: 'Storekeeper' })).id;
});
afterAll(async () => {
  await workspace.remove();
  await stock?.stop();
  await provider?.stop();
});

const weighs = {
  id: 'weighs',
  label: 'Weighs',
  predicate: { type: 'toolCalledAtLeastOnce', toolName: 'weigh' },
};

async function play(journey: { readonly name: string } & Record<string, unknown>) {
  await ask('POST', 'journeys', {
    goal: 'Count the stock of the item "pens".',
    maxTurns: 3,
    sessionsPerTarget: 2,
    personaId,
    environmentIds: [environmentId],
    ...journey,
  });
  return proofmark('journey', 'run', journey.name, '--wait');
}

async function proofmark(...parameters: string[]) {
  const environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: key, LC_ALL: 'C.UTF-8' };
  const done = await workspace.runHere(parameters, environment);
  const long = done.stdout.split('\n').filter((line) => [...line].length > 80);
  expect(long.filter((line) => !line.includes('/projects/') && line[0] !== '{')).toEqual([]);
  return { ...done, words: done.stdout.replaceAll(/\s+/g, ' ') };
}

test('a simulated user that failed is named as such, and nothing else is', async () => {
  const lost = await play({ name: 'Lost', personaModel: 'local/mute', rubric: [weighs] });
  expect(lost.words).toMatch(
    /^NOT ESTABLISHED: none of 2 sessions was graded \(the simulated user failed\)\./,
  );
  expect(lost.words).toContain(
    '2 sessions not graded: local/mute, which plays the user, failed or gave no usable answer.',
  );
  expect(lost.words).toContain(
    'Shop (proofmark/lexical-1): 0 of 2 sessions played to their end (the simulated user failed).',
  );
  expect(lost.words).not.toMatch(/Proofmark itself|server could not|provider/);
  expect(lost.code).toBe(3);
  const free = await play({ name: 'Free', personaModel: 'local/mute' });
  expect(free.words).toContain(
    '0 of 2 sessions played to their end (the simulated user failed). The user is played by local/mute;',
  );
});

test('the judge is waited for and told with its threshold and scores, beside the checks', async () => {
  const goalCompletion = { autoRun: true, judgeModel: 'local/strict', threshold: 0.6 };
  const rubric = [{ id: 'errors', predicate: { type: 'noToolErrors' } }];
  const judged = await play({ name: 'Judged', judgeConfig: { goalCompletion }, rubric });
  expect(judged.words).toMatch(/^PASSED: the check held in 2 graded sessions\./);
  expect(judged.words).toContain('the goal is judged by local/strict.');
  expect(judged.words).toContain(
    'Judge (advises and decides nothing) local/strict, threshold 60 %: goal met in 0 of 2 judged sessions, mean score 40 %.',
  );
  expect(judged.words).toContain(
    'Shop, session 1: score 40 %, not passed: The count was not told.',
  );
  expect(judged.code).toBe(0);
  const runId = /jrn_\w+/.exec(judged.stderr)?.[0] as string;
  const { goals } = JSON.parse((await proofmark('journey', 'scorecard', runId, '--json')).stdout);
  expect(goals).toHaveLength(2);
  expect(goals[0].goalScore).toMatchObject({ status: 'completed', score: 0.4, threshold: 0.6 });
  expect((await proofmark('journey', 'show', 'Judged')).words).toContain(
    'Judged by: local/strict, threshold 60 %; decides nothing',
  );
  const asked = await play({ name: 'Asked', judgeConfig: { goalCompletion: {} }, rubric });
  expect(asked.words).not.toContain('Judge (');
  expect((await proofmark('journey', 'show', 'Asked')).words).toContain(
    'Judged by: no judge: its judgeConfig has no autoRun',
  );
});

test('findings are there when the waiting is over, and two journeys with one check are told apart', async () => {
  for (const name of ['Weigh pens', 'Weigh ink']) {
    expect((await play({ name, rubric: [weighs] })).code).toBe(1);
    expect((await proofmark('findings')).stdout).toMatch(
      new RegExp(`^A check did not hold: “Weighs \\(${name}\\)”\\n {2}new: 2 of 2 graded`, 'm'),
    );
  }
});
