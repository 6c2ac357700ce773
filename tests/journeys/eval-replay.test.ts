import {
  makeSuite,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let environment: Record<string, string>;
let ask: ProjectApi;
let stock: StockServers;
let suiteId: string;
let runId: string;

beforeAll(async () => {
  stock = await startStockServers();
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const { apiKey, projectId } = await workspace.admin(...owner, '--project', 'Default');
  environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey, LC_ALL: 'C.UTF-8' };
  ask = projectApi(service.url, projectId, apiKey);
  suiteId = await makeSuite(ask, { name: 'stock', serverUrl: stock.url, repetitions: 2 });
  const done = await proofmark('eval', 'run', suiteId, '--wait', '--json');
  expect(done.code, done.stderr).toBe(0);
  runId = JSON.parse(done.stdout).runId;
  await stock.stop();
});
afterAll(() => workspace.remove());

function proofmark(...parameters: string[]) {
  return workspace.runHere(parameters, environment);
}

async function editCase(fields: object): Promise<void> {
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  await ask('PATCH', `eval-suites/${suiteId}/cases/${items[0].id}`, fields);
}

test('ends as the gate does when the server is gone, and says what it is', async () => {
  const { stdout, code } = await proofmark('eval', 'replay', runId);
  expect(stdout).toMatch(/^PASSED: .*\n/);
  const words = stdout.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`Replayed from run ${runId}, with its recorded model and servers.`);
  expect(code).toBe(0);
});

test('a server that is gone is no verdict: 3', async () => {
  const { stdout, code } = await proofmark('eval', 'replay', runId, '--servers', 'live', '--json');
  const { verdict, replay } = JSON.parse(stdout);
  expect([verdict, replay.servers, code]).toEqual(['inconclusive', 'live', 3]);
});

test('both live, and a side that is none, are wrong usage', async () => {
  const both = await proofmark('eval', 'replay', runId, '--model', 'live', '--servers', 'live');
  expect(both.code).toBe(2);
  expect(both.stderr).toContain('A replay needs recorded answers');
  expect((await proofmark('eval', 'replay', runId, '--servers', 'old')).code).toBe(2);
});

test('what went on live and passed is no answer either, at the gate as of the replay: 3', async () => {
  const other = await startStockServers();
  const [server] = (await ask('GET', 'servers')).items;
  await ask('PATCH', `servers/${server.id}`, { url: other.url });
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  const [call, check] = items[0].steps;
  await editCase({ steps: [{ ...call, arguments: { item: 'ink' } }, check] });
  const live = await proofmark('eval', 'replay', runId, '--on-divergence', 'live', '--json');
  await editCase({ steps: [call, check] });
  await other.stop();
  const { verdict, replay, runId: replayed } = JSON.parse(live.stdout);
  expect([verdict, replay.diverged, live.code]).toEqual(['passed', 2, 3]);
  const gate = await proofmark('eval', 'gate', replayed, '--json');
  expect([gate.code, JSON.parse(gate.stdout).exitCode]).toEqual([3, 3]);
  expect((await proofmark('eval', 'gate', replayed, '--min-pass-rate', '0.5')).code).toBe(3);
  expect((await proofmark('eval', 'gate', runId)).code).toBe(0);
});

test('a changed assertion is graded anew: 1; what diverged or was not recorded: 3', async () => {
  const { items } = await ask('GET', `eval-suites/${suiteId}/cases`);
  const [call, check] = items[0].steps;
  const assertion = { ...check.assertion, toolName: 'sell_stock' };
  await editCase({ steps: [call, { ...check, assertion }] });
  expect((await proofmark('eval', 'replay', runId)).code).toBe(1);
  await editCase({ steps: [{ ...call, arguments: { item: 'ink' } }, check] });
  const diverged = await proofmark('eval', 'replay', runId, '--iterations', '1');
  expect(diverged.stdout).toContain('1 of 1 replayed trial diverged from the recording');
  expect(diverged.code).toBe(3);
  await editCase({ steps: [call, check] });
  const more = { title: 'Another', steps: [call, check] };
  await ask('POST', `eval-suites/${suiteId}/cases`, more);
  const partly = await proofmark('eval', 'replay', runId);
  expect(partly.stdout).toContain(
    '1 trial was not recorded, so there was nothing to replay for it.',
  );
  expect(partly.code).toBe(3);
});
