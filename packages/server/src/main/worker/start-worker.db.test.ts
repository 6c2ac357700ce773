import { canonicalJson, gatingOutcome, type Score, type ScorerDefinition } from '@proofmark/domain';
import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { ModelRequest } from '../../outside/model/model-gateway.ts';
import { createScriptedModel, type ScriptedReply } from '../../outside/model/scripted-model.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let server: Awaited<ReturnType<typeof startScriptedServer>>;
let serverId: string;
const model = createScriptedModel(async (request) => answer(request), 'scripted/one');

beforeAll(async () => {
  service = await startTestService({ models: model });
  tenant = await createTenant(service, 'worked');
  server = await startScriptedServer({
    'tools/list': {
      result: {
        tools: [{ name: 'stock', description: 'Counts.', inputSchema: { type: 'object' } }],
      },
    },
    'tools/call': { result: { content: [{ type: 'text', text: '5 copies' }] } },
  });
  const made = await api('POST', 'servers', {
    name: 'Shop',
    enabled: true,
    transportType: 'http',
    url: server.url,
  });
  serverId = made.body.id;
  worker = await startTestWorker(service, model);
});
afterAll(async () => {
  await worker.stop();
  await closeServers();
  await service.stop();
});

function answer({ messages }: ModelRequest): ScriptedReply | Promise<ScriptedReply> {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  if (asked === 'hang') return new Promise(() => undefined);
  if (messages.at(-1)?.role === 'tool' || asked === 'chat') return { text: 'There are 5 copies.' };
  return { toolCalls: [{ toolCallId: '1', toolName: 'stock', input: {} }] };
}

const calls = {
  id: 'called',
  kind: 'assert',
  assertion: { type: 'toolCalledWith', toolName: 'stock', args: { args: {} } },
};

function prompts(prompt: string, ...then: object[]) {
  return [{ id: 'ask', kind: 'prompt', prompt }, ...then];
}

async function api(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  return call(url, { method, key: tenant.key, body, ...(headers && { headers }) });
}

async function launch(name: string, tests: object[], more: object = {}): Promise<string> {
  const launched = await api('POST', 'eval-runs', {
    suiteName: name,
    serverIds: [serverId],
    ...more,
    tests: tests.map((test) => ({ model: 'scripted/one', ...test })),
  });
  if (launched.status !== 202) throw new Error(launched.text);
  return launched.body.runId;
}

test('A launched run is run, recorded and decided', async () => {
  const runId = await launch('Good and bad', [
    { title: 'Counts', runs: 3, steps: prompts('How many?', calls) },
    { title: 'Does not count', steps: prompts('chat', calls) },
  ]);
  const run = await untilEnded(service, tenant, runId);
  expect(run).toMatchObject({ status: 'completed', result: 'failed', source: 'api' });
  expect(run.summary).toEqual({ total: 4, passed: 3, failed: 1, passRate: 0.75 });
  const { body } = await api('GET', `eval-runs/${runId}/decision-summary`);
  expect(body).toMatchObject({ verdict: 'failed', verdictSource: 'policyV2' });
  expect(body.counts).toMatchObject({ total: 2, passed: 1, failed: 1, inconclusive: 0 });
  expect(body.diagnostics).toMatchObject({ complete: true, scannedIterations: 4 });
  expect(body.diagnostics.items).toHaveLength(1);
  expect(body.diagnostics.items[0]).toMatchObject({
    title: 'Does not count',
    chain: { status: 'verified', firstFailedStage: 'selection', failureCategory: 'selection' },
  });
});

test('A launched trial is told as scores that fit its result, and two runs are compared by them', async () => {
  const advice = { type: 'responseContains', needle: 'no copies', role: 'advisory' };
  const made = await api('POST', 'eval-suites', {
    name: 'Scored',
    serverIds: [serverId],
    model: 'scripted/one',
    settings: { checks: [advice] },
    tests: [
      { title: 'Counts', steps: prompts('How many?', calls) },
      { title: 'Does not count', steps: prompts('chat', calls) },
    ],
  });
  const { suiteId } = made.body;
  const runs: string[] = [];
  for (const _ of ['base', 'compare']) {
    const launched = await api('POST', 'eval-runs', { suiteId });
    const run = await untilEnded(service, tenant, launched.body.runId);
    expect(run).toMatchObject({ status: 'completed', scoreIntegrity: 'valid' });
    runs.push(launched.body.runId);
  }
  const { body } = await api('GET', `eval-runs/${runs[1]}/iterations`);
  for (const { scores, evaluationConfig, result } of body.items) {
    const definitions = evaluationConfig.definitions.map((one: ScorerDefinition) => ({
      ...one,
      definitionHash: sha256Hex(canonicalJson(one)),
    }));
    expect(gatingOutcome(definitions, scores)).toBe(result);
  }
  const scoresOfTrials = body.items.map(({ scores }: { scores: Score[] }) =>
    scores.map(({ scorerId, status, value }) => [scorerId, value ?? status]),
  );
  expect(scoresOfTrials).toEqual([
    [
      ['legacy:test', 1],
      ['tool-match', 1],
      ['predicate:responseContains#1', 0],
      ['predicate:toolCalledWith#2', 1],
    ],
    [
      ['legacy:test', 0],
      ['tool-match', 0],
      ['predicate:responseContains#1', 'skipped'],
      ['predicate:toolCalledWith#2', 0],
    ],
  ]);
  const compared = await api('GET', `eval-runs/${runs[1]}/compare`);
  expect(compared.body.scoreContract).toMatchObject({
    base: { scoreIntegrity: 'valid', scoredIterations: 2 },
    scorers: [
      {
        scorerId: 'legacy:test',
        gating: true,
        definitionChanged: false,
        passRate: { compare: 0.5 },
      },
      {
        scorerId: 'predicate:responseContains#1',
        gating: false,
        passRate: { base: 0, compare: 0 },
      },
      { scorerId: 'predicate:toolCalledWith#2', gating: true, meanValue: { delta: 0 } },
      { scorerId: 'tool-match', gating: true, passRate: { base: 0.5, delta: 0 } },
    ],
  });
  expect(compared.body.cases[1].scoreDeltas).toMatchObject([
    { scorerId: 'legacy:test', base: { value: 0, passed: false }, compare: { status: 'scored' } },
    { scorerId: 'predicate:responseContains#1', compare: { value: null, status: 'skipped' } },
    ...[{ scorerId: 'predicate:toolCalledWith#2' }, { scorerId: 'tool-match' }],
  ]);
});

test('A trial keeps its trace, its usage and the tools it saw', async () => {
  const runId = await launch('Kept', [{ title: 'Counts', steps: prompts('How many?', calls) }]);
  await untilEnded(service, tenant, runId);
  const { body } = await api('GET', `eval-runs/${runId}/iterations`);
  const [trial] = body.items;
  expect(trial).toMatchObject({ status: 'completed', result: 'passed', tokensUsed: 4 });
  expect(trial.actualToolCalls).toEqual([
    {
      toolName: 'stock',
      arguments: {},
      serverName: expect.any(String),
      serverId: expect.stringMatching(/^srv_/),
    },
  ]);
  expect(trial.durationMs).toBeGreaterThan(0);
  const trace = await api('GET', `eval-runs/${runId}/iterations/${trial.id}/trace`);
  expect(trace.body.messages.map(({ role }: { role: string }) => role)).toEqual([
    ...['user', 'assistant', 'tool', 'assistant'],
  ]);
  expect(trace.body.toolSurface.hash).toMatch(/^[0-9a-f]{64}$/);
  const { body: seen } = await api('GET', `eval-runs/${runId}/iterations/${trial.id}/tools`);
  const tools = [{ name: 'stock', description: 'Counts.', inputSchema: { type: 'object' } }];
  expect(seen).toEqual({
    hash: trace.body.toolSurface.hash,
    servers: [{ serverId, serverName: 'Shop', tools, hiddenToolNames: [] }],
  });
});

test('A cancel ends the run at once, and what hangs is left within a second', async () => {
  const runId = await launch('Hangs', [{ title: 'Hangs', runs: 3, steps: prompts('hang') }]);
  await expect
    .poll(async () => (await api('GET', `eval-runs/${runId}`)).body.status)
    .toBe('running');
  const cancelled = await api('POST', `eval-runs/${runId}/cancel`);
  expect(cancelled.body).toMatchObject({ id: runId, status: 'cancelled', result: null });
  const { body } = await api('GET', `eval-runs/${runId}/decision-summary`);
  expect(body).toMatchObject({ verdict: 'inconclusive', verdictSource: 'policyV2' });
  for (const { status, chain, observed } of body.diagnostics.items) {
    expect(status).toBe('cancelled');
    expect(observed.failure).toBe('The run was cancelled before this trial ended.');
    expect(chain.stages[0]).toMatchObject({ state: 'notMeasured', reason: 'lifecycleStopped' });
  }
  // Another run completes, which shows that all slots are free again.
  const next = await launch('After', [{ title: 'Counts', steps: prompts('How many?', calls) }]);
  expect(await untilEnded(service, tenant, next)).toMatchObject({ result: 'passed' });
});

test('A slice whose worker went silent is taken again and its trials are run', async () => {
  const runId = await launch('Silent', [
    { title: 'Counts', runs: 5, steps: prompts('How many?', calls) },
  ]);
  // Simulates a worker that leased this slice (some trials of a run) and died.
  await service.owner.sql`
    update leased_work set status = 'leased', lease = lease + 1, leased_until = now() + interval '1 second'
    where group_id = ${runId} and status = 'open'
      and number = (select max(number) from leased_work where group_id = ${runId})`;
  expect(await untilEnded(service, tenant, runId)).toMatchObject({
    status: 'completed',
    result: 'passed',
    summary: { total: 5, passed: 5 },
  });
});

test.each([
  ['schedule', { intervalMinutes: 5 }],
  ['calendar', { calendar: { kind: 'cron', expression: '*/5 * * * *', timeZone: 'Asia/Kolkata' } }],
])(
  'A %s that is due launches one run, and the time that was missed is not made up twice',
  async (_title, times) => {
    const made = await api('POST', 'eval-suites', {
      name: 'Scheduled',
      serverIds: [serverId],
      model: 'scripted/one',
      tests: [{ title: 'Counts', steps: prompts('How many?', calls) }],
    });
    const { suiteId } = made.body;
    await api('PATCH', `eval-suites/${suiteId}/schedule`, { enabled: true, ...times });
    await service.owner.sql`
    update eval_suites set schedule_next_at = now() - interval '17 minutes' where id = ${suiteId}`;
    const tick = () => service.owner.sql`
    select graphile_worker.add_job('launch-schedules', '{}'::json)`;
    await tick();
    const runs = () => api('GET', `eval-suites/${suiteId}/runs`);
    await expect.poll(async () => (await runs()).body.items.length).toBe(1);
    const [run] = (await runs()).body.items;
    expect(await untilEnded(service, tenant, run.id)).toMatchObject({
      result: 'passed',
      notes: 'Launched by the schedule.',
    });
    await tick();
    await tick();
    const [row] = await service.owner.sql`
    select schedule_next_at > now() and schedule_next_at <= now() + interval '5 minutes' as is_next
    from eval_suites where id = ${suiteId}`;
    expect(row?.['isNext']).toBe(true);
    expect((await runs()).body.items).toHaveLength(1);
  },
);

test('A scheduled run that finds no free slot is launched when there is one', async () => {
  const made = await api('POST', 'eval-suites', {
    name: 'Waits',
    serverIds: [serverId],
    model: 'scripted/one',
    tests: [{ title: 'Counts', steps: prompts('How many?', calls) }],
  });
  const { suiteId } = made.body;
  await api('PATCH', `eval-suites/${suiteId}/schedule`, { enabled: true, intervalMinutes: 60 });
  const hanging = [
    await launch('First', [{ title: 'Hangs', steps: prompts('hang') }]),
    await launch('Second', [{ title: 'Hangs', steps: prompts('hang') }]),
  ];
  await service.owner.sql`
    update eval_suites set schedule_next_at = now() where id = ${suiteId}`;
  await service.owner.sql`select graphile_worker.add_job('launch-schedules', '{}'::json)`;
  const attempts = async () => {
    const [job] = await service.owner.sql`
      select attempts from graphile_worker._private_jobs where key = ${`schedule:${suiteId}`}`;
    return job?.['attempts'];
  };
  await expect.poll(attempts).toBe(1);
  const lastError = async () =>
    (await api('GET', `eval-suites/${suiteId}`)).body.schedule.lastAttempt?.error;
  await expect.poll(lastError).toMatchObject({ code: 'RATE_LIMITED' });
  for (const runId of hanging) await api('POST', `eval-runs/${runId}/cancel`);
  const runs = async () => (await api('GET', `eval-suites/${suiteId}/runs`)).body.items;
  await expect.poll(async () => (await runs()).length, { timeout: 15_000 }).toBe(1);
  const [run] = await runs();
  expect(await untilEnded(service, tenant, run.id)).toMatchObject({ result: 'passed' });
  expect(await lastError()).toBeNull();
});

test('A scheduled run that is refused is told with the suite', async () => {
  const made = await api('POST', 'eval-suites', {
    name: 'Refused',
    serverIds: [serverId],
    model: 'scripted/one',
    tests: [{ title: 'Counts', steps: prompts('How many?', calls), disabled: true }],
  });
  const { suiteId } = made.body;
  await api('PATCH', `eval-suites/${suiteId}/schedule`, { enabled: true, intervalMinutes: 60 });
  await service.owner.sql`
    update eval_suites set schedule_next_at = now(), server_ids = '{}' where id = ${suiteId}`;
  await service.owner.sql`select graphile_worker.add_job('launch-schedules', '{}'::json)`;
  const lastAttempt = async () =>
    (await api('GET', `eval-suites/${suiteId}`)).body.schedule.lastAttempt;
  await expect.poll(lastAttempt).toEqual({
    at: expect.any(Number),
    error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^[A-Z].+\.$/) },
  });
});

test('A run whose time is over is ended without a verdict on the server', async () => {
  const runId = await launch('Endless', [{ title: 'Hangs', steps: prompts('hang') }]);
  await service.owner.sql`update eval_runs set deadline_at = now() where id = ${runId}`;
  expect(await untilEnded(service, tenant, runId)).toMatchObject({
    status: 'failed',
    result: null,
  });
  const { body } = await api('GET', `eval-runs/${runId}/decision-summary`);
  expect(body).toMatchObject({ verdict: 'inconclusive' });
  expect(body.diagnostics.items[0]).toMatchObject({
    status: 'timed_out',
    observed: { failure: 'The run reached its time limit before this trial ended.' },
  });
});

test('The keys a caller sends are sealed, used, and gone when the run has ended', async () => {
  const runId = await launch(
    'Keyed',
    [
      {
        title: 'Counts',
        model: 'own-name',
        provider: 'scripted',
        steps: prompts('How many?', calls),
      },
    ],
    { modelApiKeys: { scripted: 'sk-caller-canary-4711' } },
  );
  await untilEnded(service, tenant, runId);
  const [row] = await service.owner.sql`
    select sealed_keys, plan from eval_run_plans where run_id = ${runId}`;
  expect(row?.['sealedKeys']).toBeNull();
  expect(row?.['plan']).not.toContain('canary');
  expect([...service.logLines, ...worker.logLines].join('')).not.toContain('canary');
});
