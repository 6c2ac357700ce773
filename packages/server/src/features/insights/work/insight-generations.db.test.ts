/**
 * Each new request for insights starts a new generation. The worker of an older generation, or one
 * that takes too long, writes nothing.
 */
import {
  type ChatOutcome,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, failing, unique } from '@proofmark/harness/reporter.ts';
import { storeVisit } from '@proofmark/harness/stored-visits.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { booking } from '@proofmark/harness/visit-reads.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { defaultPartModels } from '../../models/part-models.ts';
import { concludeInsights } from '../store/scope-insights.ts';

let service: TestService;
let tenant: Tenant;
let provider: OpenAiServer;
let models: ModelGateway;
let worker: TestWorker;
let byModel: ProjectCaller;
beforeAll(async () => {
  provider = await startOpenAiServer();
  models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    limits: { sends: 1 },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: provider.baseUrl,
        models: [{ name: 'narrator' }],
      },
    ],
  });
  const partModels = { ...defaultPartModels, insights: 'local/narrator' };
  service = await startTestService({ models, partModels });
  tenant = await createTenant(service, 'generations');
  byModel = projectCaller(service, tenant);
  const visitTimes = { settleMs: 3_600_000, miningDebounceMs: 0 };
  worker = await startTestWorker(service, models, { visitTimes });
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await models.close();
  await provider.stop();
});

async function reported(): Promise<string> {
  const { body, text } = await createReporter(service, tenant).ingest('report', {
    suiteName: unique('Suite'),
    results: [failing],
  });
  if (body?.runId === undefined) throw new Error(text);
  return body.runId;
}

const insightsOf = async (runId: string) =>
  (await byModel('GET', `eval-runs/${runId}`)).body.insights;

async function untilExplained(runId: string) {
  await expect
    .poll(async () => (await insightsOf(runId)).status, { timeout: 15_000 })
    .not.toBe('pending');
  return insightsOf(runId);
}

const answer = (more: object = {}) => ({ summary: 'It fails.', candidates: [], ...more });
const say = (value: object): ChatOutcome => ({ text: JSON.stringify(value) });

test('whoever works for an older generation writes nothing, however late it comes', async () => {
  const late: ((outcome: ChatOutcome) => void)[] = [];
  provider.scripts.set('narrator', () => new Promise((resolve) => late.push(resolve)));
  const runId = await reported();
  await byModel('POST', `eval-runs/${runId}/insights`);
  await vi.waitUntil(() => late.length === 1, { timeout: 10_000 });
  await byModel('POST', `eval-runs/${runId}/insights`, { force: true });
  await vi.waitUntil(() => late.length === 2, { timeout: 10_000 });
  const of = {
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    kind: 'eval_run' as const,
    scopeId: runId,
  };
  const write = (generation: number) =>
    service.database.tenant([tenant.organizationId], (sql) =>
      concludeInsights(sql, { ...of, generation }, { errorCode: 'provider_error' }),
    );
  late[0]?.(say(answer({ summary: 'The first.' })));
  expect(await write(1)).toBe(false);
  expect((await insightsOf(runId)).status).toBe('pending');
  late[1]?.(say(answer({ summary: 'The second.' })));
  const insights = await untilExplained(runId);
  expect(insights.summary).toBe('The second.');
  expect([await write(1), await write(2)]).toEqual([false, false]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await insightsOf(runId)).toEqual(insights);
});

test('of many generations that race, on two workers, the newest has the word', async () => {
  const late: (() => void)[] = [];
  let calls = 0;
  provider.scripts.set('narrator', () => {
    calls += 1;
    const summary = `Call ${calls}.`;
    return new Promise((resolve) => late.push(() => resolve(say(answer({ summary })))));
  });
  const second = await startTestWorker(service, models);
  try {
    const runId = await reported();
    await byModel('POST', `eval-runs/${runId}/insights`);
    const races = Array.from({ length: 5 }, async () => {
      await byModel('POST', `eval-runs/${runId}/insights`, { force: true });
    });
    await Promise.all(races);
    const generation = async () => {
      const [row] = await service.owner.sql<{ generation: number; status: string }[]>`
        select generation, status from insights where scope_id = ${runId}`;
      return { ...row };
    };
    expect(await generation()).toEqual({ generation: 6, status: 'pending' });
    // Answers the pending model calls, oldest first, until the newest generation has its answer.
    await vi.waitUntil(
      async () => {
        late.shift()?.();
        return (await generation()).status !== 'pending';
      },
      { timeout: 20_000 },
    );
    const insights = await insightsOf(runId);
    expect(insights.status).toBe('completed');
    for (const answerNow of late) answerNow();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await insightsOf(runId)).toEqual(insights);
    expect(await generation()).toEqual({ generation: 6, status: 'completed' });
  } finally {
    await second.stop();
  }
});

test('after five minutes of silence a request has failed, and its answer comes too late', async () => {
  const late: ((outcome: ChatOutcome) => void)[] = [];
  provider.scripts.set('narrator', () => new Promise((resolve) => late.push(resolve)));
  const runId = await reported();
  await byModel('POST', `eval-runs/${runId}/insights`);
  await vi.waitUntil(() => late.length === 1, { timeout: 10_000 });
  const hush = (seconds: number) => service.owner.sql`
    update insights set beat_at = now() - make_interval(secs => ${seconds}) where scope_id = ${runId}`;
  await hush(290);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect((await insightsOf(runId)).status).toBe('pending');
  await hush(301);
  expect(await untilExplained(runId)).toMatchObject({
    status: 'failed',
    retryable: true,
    error: { code: 'generation_timeout' },
  });
  late[0]?.(say(answer()));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await insightsOf(runId)).status).toBe('failed');
});

test('what a visitor erases while the model is asked is not in its answer', async () => {
  const { sql } = service.owner;
  await sql`update organizations set user_testing = true`;
  const path = `user-testing/scenarios/${tenant.scenarioId}`;
  const visit = () => storeVisit(service, tenant, tenant, { turns: [booking(true)] });
  const [gone, later, stays] = [await visit(), await visit(), await visit()];
  const signals = () => byModel('GET', `${path}/signals`);
  await expect.poll(async () => (await signals()).body.sessionCount, { timeout: 15_000 }).toBe(3);
  const seen = (observed: string, ...evidenceSessionIds: string[]) => ({
    title: 'Seen',
    observed,
    evidenceSessionIds,
  });
  provider.scripts.set('narrator', async () => {
    await byModel('DELETE', `${path}/sessions/${gone}`);
    const findings = [seen('alone', gone), seen('later', later), seen('both', gone, stays)];
    return say(answer({ discovery: { findings } }));
  });
  await byModel('POST', `${path}/insights`);
  const stored = async () => {
    const [row] = await sql<{ answer: string | null }[]>`
      select answer from insights where kind = 'user_testing_window'`;
    return row?.answer ?? undefined;
  };
  await expect.poll(stored, { timeout: 15_000 }).toBeDefined();
  const observed = async () => JSON.parse((await stored()) ?? '').discovery.findings;
  expect(await observed()).toEqual([seen('later', later), seen('both', stays)]);
  expect(await stored()).not.toContain(gone);
  await byModel('DELETE', `${path}/sessions/${later}`);
  expect(await observed()).toEqual([seen('both', stays)]);
});
