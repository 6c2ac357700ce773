/**
 * Tests concurrent launches: the slot limit is never exceeded, an idempotency key launches one run,
 * and an outdated environment is never run.
 */

import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let second: { baseUrl: string; stop(): Promise<void> };
let tenant: Tenant;
let launcher: Launcher;
beforeAll(async () => {
  service = await startTestService();
  second = await service.another();
  tenant = await createTenant(service, 'acme');
  launcher = createLauncher(service, tenant);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const places = () => [service.baseUrl, second.baseUrl];
const launchAt = (baseUrl: string | undefined, body: object, key?: string) =>
  call(`${baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs`, {
    method: 'POST',
    key: tenant.key,
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    body,
  });
const many = (count: number, body: () => object, key?: string) =>
  Promise.all(Array.from({ length: count }, (_, at) => launchAt(places()[at % 2], body(), key)));
const openRuns = async () => {
  const rows = await service.owner.sql`
    select id from eval_runs where organization_id = ${tenant.organizationId} and source <> 'sdk'
      and status in ('pending', 'running')`;
  return rows.map((row) => row['id'] as string);
};
const endAll = async () => {
  for (const id of await openRuns()) {
    const ended = await launcher.ask('POST', `eval-runs/${id}/cancel`);
    expect(ended.status, ended.text).toBe(200);
  }
};

test('of two hundred launches at once exactly two start; the slot comes back when one ends', async () => {
  const suiteId = await launcher.suite();
  const answers = await many(200, () => ({ suiteId }));
  const started = answers.filter(({ status }) => status === 202);
  expect(started).toHaveLength(2);
  for (const answer of answers) {
    if (answer.status === 202) continue;
    expect(answer.status, answer.text).toBe(429);
    expect(answer.body).toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'CONCURRENT_RUN_LIMIT', limit: 2, openRuns: 2 },
    });
  }
  expect(new Set(await openRuns())).toEqual(new Set(started.map(({ body }) => body.runId)));
  // An invalid request is rejected as invalid even if no slot is free.
  const wrong = await launchAt(service.baseUrl, { suiteId, caseIds: ['none'] });
  expect(wrong.body.details.reason).toBe('CASE_NOT_FOUND');
  // If a launch is rejected, its new suite is not created either.
  const name = unique('Never');
  expect((await launchAt(service.baseUrl, launcher.inline({ suiteName: name }))).status).toBe(429);
  expect(await service.owner.sql`select from eval_suites where name = ${name}`).toHaveLength(0);
  await launcher.ask('POST', `eval-runs/${started[0]?.body.runId}/cancel`);
  expect((await launchAt(service.baseUrl, { suiteId })).status).toBe(202);
  expect((await launchAt(service.baseUrl, { suiteId })).status).toBe(429);
  await endAll();
});

test('what others report, and what other organizations run, takes no slot', async () => {
  const other = await createTenant(service, unique('other').toLowerCase());
  const others = createLauncher(service, other);
  await others.launch(others.inline());
  await others.launch(others.inline());
  const start = { suiteName: unique('Reported'), externalRunId: unique('run') };
  expect((await launcher.ask('POST', 'eval-ingest/runs/start', start)).status).toBe(200);
  expect((await launchAt(service.baseUrl, launcher.inline())).status).toBe(202);
  await endAll();
});

test('three hundred launches with one key are one run, and all of them name it', async () => {
  const key = unique('key');
  const body = launcher.inline({ modelApiKeys: { openai: 'sk-one' } });
  const answers = await many(300, () => body, key);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ body: { runId } }) => runId)).size).toBe(1);
  expect(answers.filter(({ body: { deduped } }) => deduped !== true)).toHaveLength(1);
  const committed = answers.map(({ body: { caseUpsert } }) => JSON.stringify(caseUpsert));
  expect(new Set(committed).size).toBe(1);
  expect(await openRuns()).toEqual([answers[0]?.body.runId]);
  expect(
    await service.owner.sql`select from eval_suites where name = ${body['suiteName'] as string}`,
  ).toHaveLength(1);
  await endAll();
});

test('a key answers again when its run has ended, when every slot is taken, and when a model key was renewed', async () => {
  const key = unique('key');
  const body = launcher.inline({ modelApiKeys: { openai: 'sk-one' }, runGroupId: 'group' });
  const first = await launchAt(service.baseUrl, body, key);
  expect(first.body.deduped).toBeUndefined();
  await endAll();
  await launcher.launch(launcher.inline());
  await launcher.launch(launcher.inline());
  const renewed = { ...body, modelApiKeys: { openai: 'sk-two' } };
  const again = await launchAt(second.baseUrl, renewed, key);
  expect(again.status, again.text).toBe(202);
  expect(again.body).toEqual({ ...first.body, status: 'cancelled', deduped: true });
  const inBody = await launchAt(service.baseUrl, { ...body, idempotencyKey: key });
  expect(inBody.body).toEqual(again.body);
  // The idempotency key in the header overrides the one in the body.
  const wins = await launchAt(service.baseUrl, { ...body, idempotencyKey: unique('key') }, key);
  expect(wins.body).toEqual(again.body);
  await endAll();
});

test('a key that launched something else is refused', async () => {
  const key = unique('key');
  const body = launcher.inline();
  const first = await launchAt(service.baseUrl, body, key);
  expect(first.status, first.text).toBe(202);
  const changes = [
    { notes: 'Other.' },
    { suiteName: unique('Suite') },
    { modelApiKeys: { openai: 'sk' } },
  ];
  for (const change of changes) {
    const refused = await launchAt(service.baseUrl, { ...body, ...change }, key);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(refused.text).not.toContain(first.body.runId);
  }
  // An idempotency key is valid only within its organization.
  const other = await createTenant(service, unique('other').toLowerCase());
  const others = createLauncher(service, other);
  const own = await call(`${service.baseUrl}/api/v1/projects/${other.projectId}/eval-runs`, {
    method: 'POST',
    key: other.key,
    headers: { 'Idempotency-Key': key },
    body: others.inline(),
  });
  expect(own.status, own.text).toBe(202);
  await endAll();
});

test('an environment that is edited while a run is launched makes the launch a conflict', async () => {
  const environmentId = await launcher.environment();
  const suiteId = await launcher.suite({}, { environmentIds: [environmentId] });
  const { going } = await service.owner.transaction(async (sql) => {
    await sql`update environments set revision = revision + 1 where id = ${environmentId}`;
    const started = launchAt(service.baseUrl, { suiteId });
    await untilWaiting(sql, 1);
    // Wrapped in an object: a returned promise would be awaited before the commit, and the launch
    // waits for this transaction's lock.
    return { going: started };
  });
  const refused = await going;
  expect(refused.status, refused.text).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'ENVIRONMENT_CHANGED', currentRevision: 3 },
  });
  expect(await openRuns()).toEqual([]);
  const launched = await launchAt(service.baseUrl, { suiteId });
  expect(launched.body.environment).toMatchObject({ id: environmentId, revision: 3 });
  await endAll();
});

test('of a launch and the deletion of its suite that meet, no run is left without a suite', async () => {
  const ask = projectCaller(service, tenant);
  for (let round = 0; round < 5; round += 1) {
    const suiteId = await launcher.suite();
    const [launched, deleted] = await Promise.all([
      launchAt(second.baseUrl, { suiteId }),
      ask('DELETE', `eval-suites/${suiteId}`),
    ]);
    // Three statuses are possible, because the launch may read the suite before the deletion and
    // its cases after it.
    expect([202, 400, 404], launched.text).toContain(launched.status);
    expect([200, 409]).toContain(deleted.status);
    const left = await service.owner.sql`
      select from eval_runs where suite_id = ${suiteId}
        and not exists (select from eval_suites where id = ${suiteId})`;
    expect(left).toHaveLength(0);
    await endAll();
  }
});
