import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import {
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let ask: ProjectCaller;
let serverId: string;
const models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
const calls: Record<string, unknown>[] = [];

interface Arguments {
  readonly arguments: Record<string, unknown>;
}

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'rows');
  ask = projectCaller(service, tenant);
  worker = await startTestWorker(service, models, { trialsAtOnce: 8 });
  const properties = { person: { type: 'string' }, age: { type: 'number' } };
  const tool = {
    name: 'greet',
    description: 'Greets a person',
    inputSchema: { type: 'object', properties },
  };
  const { url } = await startFakeMcpServer({
    'tools/list': (response, request) => sendJson(response, rpcResult(request, { tools: [tool] })),
    'tools/call': (response, request) => {
      const given = (request.message['params'] as Arguments).arguments;
      calls.push(given);
      const content = [{ type: 'text', text: `Hello ${given['person']}, aged ${given['age']}` }];
      sendJson(response, rpcResult(request, { content }));
    },
  });
  const body = { name: 'Greeter', enabled: true, transportType: 'http', url };
  serverId = (await ask('POST', 'servers', body)).body.id;
});
afterAll(async () => {
  await worker.stop();
  await models.close();
  await closeServers();
  await service.stop();
});

/** The maximum number of trials of a run. */
const played = 500;
const rows = Array.from({ length: 2000 }, (_, at) => ({ name: `person ${at}`, age: at }));
const steps = [
  {
    id: 'call',
    kind: 'toolCall',
    serverName: 'Greeter',
    toolName: 'greet',
    arguments: { person: '{{name}}', age: '{{age}}', note: 'aged {{age}}' },
  },
  { id: 'ask', kind: 'prompt', prompt: 'Greet {{name}}' },
];
const checks = { mode: 'replace', list: [{ type: 'toolCalledAtLeastOnce', toolName: 'greet' }] };
const greets = { id: 'greets', title: 'Greets', steps, checks };

async function authored(name: string, ...tests: object[]): Promise<string> {
  const model = 'proofmark/lexical-1';
  const suite = { name, serverIds: [serverId], model, tests };
  const made = await ask('POST', 'eval-suites', suite);
  if (made.status !== 201) throw new Error(made.text);
  expect(made.body.warnings).toEqual([]);
  return made.body.suiteId;
}

async function titlesOf(runId: string): Promise<string[]> {
  const titles: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `eval-runs/${runId}/iterations?limit=200${cursor}`);
    titles.push(...body.items.map(({ title }: { title: string }) => title));
    if (body.nextCursor === undefined) return titles;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

test(`2,000 rows are authored, ${played} of them run and decided, the same ones for the same seed`, {
  timeout: 180_000,
}, async () => {
  const suiteId = await authored('Many', { ...greets, data: { key: 'name', rows } });
  const cases = `eval-suites/${suiteId}/cases`;
  const listed = await ask('GET', cases);
  expect(listed.body.items).toMatchObject([{ data: { key: 'name', rowCount: 2000 } }]);
  expect(listed.text.length).toBeLessThan(2000);
  const [{ id: caseId }] = listed.body.items;
  expect((await ask('GET', `${cases}/${caseId}`)).body.data.rows).toEqual(rows);

  const refused = await ask('POST', 'eval-runs', { suiteId });
  expect([refused.status, refused.body.details]).toEqual([
    400,
    { path: 'body.caseIds', reason: 'TOO_MANY_CASES', cases: 2000, allowedValue: 500 },
  ]);

  const sampled = await ask('PATCH', `${cases}/${caseId}`, {
    data: { sample: { rows: played, seed: 7 } },
  });
  expect(sampled.body.data).toEqual({
    key: 'name',
    rowCount: 2000,
    sample: { rows: played, seed: 7 },
  });
  const { runId } = (await ask('POST', 'eval-runs', { suiteId })).body;
  const run = await untilEnded(service, tenant, runId, 120_000);
  const samples = [{ title: 'Greets', rows: played, of: 2000, seed: 7 }];
  expect(run).toMatchObject({
    verdict: 'passed',
    samples,
    summary: { total: played, passed: played },
  });
  expect(run['verdictSummary'].cases).toHaveLength(played);
  const summary = await ask('GET', `eval-runs/${runId}/decision-summary`);
  expect(summary.body).toMatchObject({ samples, verdict: 'passed', counts: { total: played } });
  const first = await titlesOf(runId);
  const [name = ''] = /person \d+/.exec(first[0] as string) ?? [];
  expect(calls).toContainEqual({
    person: name,
    age: Number(name.slice(7)),
    note: `aged ${name.slice(7)}`,
  });

  const turned = { rows: [...rows].reverse() };
  expect((await ask('PATCH', `${cases}/${caseId}`, { data: turned })).status).toBe(200);
  const again = (await ask('POST', 'eval-runs', { suiteId })).body;
  expect((await titlesOf(again.runId)).sort()).toEqual([...first].sort());
  await ask('POST', `eval-runs/${again.runId}/cancel`);
});

test('rows keep their identity when others come and go; a run plays those it names', async () => {
  const some = (from: number, to: number) => ({ key: 'name', rows: rows.slice(from, to) });
  const other = { title: 'Else', steps: [steps[1]], checks };
  const suiteId = await authored(
    'Few',
    { ...greets, data: some(0, 3) },
    {
      ...other,
      steps: [{ ...steps[1], prompt: 'Greet {{nobody}}' }],
    },
  );
  const cases = `eval-suites/${suiteId}/cases`;
  const [{ id: caseId }] = (await ask('GET', cases)).body.items;
  const launched = async (body: object = {}) => {
    const { runId } = (await ask('POST', 'eval-runs', { suiteId, ...body })).body;
    await untilEnded(service, tenant, runId);
    return runId;
  };
  const before = await launched();
  expect((await ask('GET', `eval-runs/${before}`)).body.samples).toBeUndefined();
  await ask('PATCH', `${cases}/${caseId}`, { data: { rows: some(1, 4).rows.reverse() } });
  const after = await launched();
  const compared = (await ask('GET', `eval-runs/${after}/compare?baseRunId=${before}`)).body.cases;
  expect(
    compared.map(({ title, status }: { title: string; status: string }) => [title, status]),
  ).toEqual([
    ['Greets [person 3]', 'new_case'],
    ['Greets [person 2]', 'unchanged_passed'],
    ['Greets [person 1]', 'unchanged_passed'],
    ['Else', 'unchanged_passed'],
    ['Greets [person 0]', 'removed_case'],
  ]);
  const trials = (await ask('GET', `eval-runs/${after}/iterations`)).body.items;
  const { caseId: rowId, testCaseId } = trials[1];
  expect(rowId).toMatch(/^greets-[0-9a-f]{12}$/);
  expect(await titlesOf(await launched({ caseIds: [rowId] }))).toEqual(['Greets [person 2]']);
  expect(await titlesOf(await launched({ caseIds: [testCaseId] }))).toEqual(['Greets [person 2]']);
  expect(await titlesOf(await launched({ caseIds: ['greets'] }))).toHaveLength(3);

  await ask('PATCH', `${cases}/${caseId}`, { data: { sample: { rows: 1, seed: 1 } } });
  expect(await titlesOf(await launched({ caseIds: ['greets'] }))).toHaveLength(1);
  const rerun = await ask('POST', `eval-runs/${after}/rerun`, { scope: 'all' });
  expect([rerun.status, rerun.body.warnings]).toEqual([202, []]);
  expect(await titlesOf(rerun.body.runId)).toEqual(await titlesOf(after));
  await untilEnded(service, tenant, rerun.body.runId);

  await ask('PATCH', `${cases}/${caseId}`, { data: { sample: { rows: 2, seed: 1 } } });
  const sampled = await launched();
  const { runId } = (await ask('POST', `eval-runs/${sampled}/rerun`, { scope: 'all' })).body;
  await untilEnded(service, tenant, runId);
  const samples = [{ title: 'Greets', rows: 2, of: 3, seed: 1 }];
  expect((await ask('GET', `eval-runs/${runId}`)).body).toMatchObject({ samples });
  const summary = await ask('GET', `eval-runs/${runId}/decision-summary`);
  expect(summary.body).toMatchObject({ samples, counts: { total: 3 } });
}, 120_000);
