import { randomBytes } from 'node:crypto';
import type { Home } from '@proofmark/contract';
import { decideRun, makeId, resolvePolicy } from '@proofmark/domain';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, passing } from '@proofmark/harness/reporter.ts';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import {
  createFailedRun,
  createMember,
  createTenant,
  type Tenant,
} from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'other');
});
afterAll(() => service.stop());

async function readHome(accountId = tenant.accountId, query = ''): Promise<Home> {
  const headers = await signInAs(service, accountId);
  const answer = await call(`${service.baseUrl}/console/v1/home${query}`, { headers });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const decisionOf = ({ decisions }: Home, kind: string) =>
  decisions.items.filter((one) => one.kind === kind);

async function insertInconclusive(suiteId: string): Promise<string> {
  const id = makeId('evalRun', Date.now(), randomBytes(10));
  const terms = { caseId: 'one', configuredTrials: 1, effectivePassThreshold: 1, trials: [] };
  const decided = decideRun({ policy: resolvePolicy(), cases: [terms] });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  const { sql } = service.owner;
  await sql`insert into eval_runs ${sql({
    id,
    organization_id: tenant.organizationId,
    project_id: tenant.projectId,
    suite_id: suiteId,
    run_number: 1000,
    source: 'sdk',
    status: 'completed',
    snapshot: JSON.stringify({ terms: {}, servers: [], environment: null, toolSurface: null }),
    verdict_policy_version: 2,
    verdict_summary: JSON.stringify(decided.decision),
  })}`;
  return id;
}

describe('what is red', () => {
  test('is the latest run of a suite, with its sentence, and the trial and stage it breaks at', async () => {
    const { suiteId, runId } = await createFailedRun(service, tenant, 'Broken');
    const home = await readHome();
    expect(home.failing.total).toBe(1);
    expect(home.failing.items).toMatchObject([
      {
        runId,
        suiteId,
        suiteName: 'Broken',
        projectId: tenant.projectId,
        projectName: 'Default',
        verdict: 'failed',
        waived: false,
        sentence: expect.stringMatching(/^FAILED: 1 of 1 .*selection$/),
        first: { title: 'weather', stage: 'selection', reason: 'missingToolCall' },
      },
    ]);
    expect(home.latest.items[0]).toMatchObject({ runId });
    const mended = await createReporter(service, tenant).ingest('report', {
      suiteName: 'Broken',
      results: [passing],
    });
    const after = await readHome();
    expect(after.failing).toEqual({ total: 0, items: [] });
    expect(after.latest.items[0]).toMatchObject({ runId: mended.body.runId, verdict: 'passed' });
    expect(after.latest.items.map(({ suiteId: id }) => id)).toHaveLength(after.latest.total);
  });
});

describe('one project', () => {
  test('is told alone, with its open findings and the next run of its schedules', async () => {
    const { sql } = service.owner;
    await sql`
      update eval_suites set schedule_enabled = true, schedule_interval_minutes = 60,
        schedule_next_at = now() + interval '1 hour' where id = ${tenant.suiteId}`;
    const add = (fingerprint: string, status: string, isDismissed: boolean) => sql`
      insert into findings ${sql({
        project_id: tenant.projectId,
        organization_id: tenant.organizationId,
        fingerprint,
        id: `fnd_${fingerprint}`,
        dimension: 'tool_error',
        subject_kind: 'tool',
        subject_id: 'weather',
        subject_label: 'weather',
        status,
        occurrence_count: 1,
        first_seen_at: new Date(),
        last_seen_at: new Date(),
        last_seen_wave_id: 'wav_1',
        dismissed_at: isDismissed ? new Date() : null,
        title: 'weather fails',
        journey_ids: '[]',
        next_action: 'Mend it.',
        evidence: '{}',
      })}`;
    await add('open', 'new', false);
    await add('resolved', 'resolved', false);
    await add('dismissed', 'recurring', true);
    const place = { projectId: tenant.projectId, projectName: 'Default' };
    const findings = { total: 1, items: [{ ...place, ofSwarms: 1, ofVisitors: 0 }] };
    const home = await readHome(tenant.accountId, `?projectId=${tenant.projectId}`);
    expect(home.findings).toEqual(findings);
    expect(home.schedules).toMatchObject({ total: 1, items: [{ suiteId: tenant.suiteId }] });
    expect((await readHome()).findings).toEqual(findings);
    expect((await readHome(other.accountId)).findings).toEqual({ total: 0, items: [] });
    await sql`delete from findings where project_id = ${tenant.projectId}`;
    await sql`
      update eval_suites set schedule_enabled = false, schedule_next_at = null
      where id = ${tenant.suiteId}`;
    const headers = await signInAs(service, tenant.accountId);
    const url = `${service.baseUrl}/console/v1/home?projectId=${other.projectId}`;
    expect((await call(url, { headers })).status).toBe(404);
  });
});

describe('what needs a decision', () => {
  test('a waiver that ends soon, with its reason, in place of the red run', async () => {
    const home = await readHome();
    expect(decisionOf(home, 'waiverEnding')).toMatchObject([
      {
        run: { runId: tenant.runId, waived: true, verdict: 'failed' },
        reason: 'Known and on its way.',
        createdByEmail: 'owner@acme.example',
      },
    ]);
    expect(home.failing.items.map(({ runId }) => runId)).not.toContain(tenant.runId);
    const moved = (days: number) => service.owner.sql`
      update gate_waivers set expires_at = now() + make_interval(days => ${days}) where id = ${tenant.waiverId}`;
    await moved(4);
    const later = await readHome();
    expect(decisionOf(later, 'waiverEnding')).toEqual([]);
    expect(later).toMatchObject({ failing: { total: 0 }, waived: 1 });
    await moved(1);
  });

  test('a run that was not decided, with what to do; a cancelled one was decided upon', async () => {
    const { suiteId } = await createFailedRun(service, tenant, 'Unsure');
    const runId = await insertInconclusive(suiteId);
    const home = await readHome();
    expect(decisionOf(home, 'runUndecided')).toMatchObject([
      {
        run: { runId, verdict: 'inconclusive', sentence: expect.stringMatching(/^INCONCLUSIVE: /) },
        next: expect.stringMatching(/\.$/),
      },
    ]);
    await service.owner.sql`update eval_runs set status = 'cancelled' where id = ${runId}`;
    expect(decisionOf(await readHome(), 'runUndecided')).toEqual([]);
  });

  test('a schedule whose launch was refused, while it is switched on', async () => {
    const set = (enabled: boolean) => service.owner.sql`
      update eval_suites set schedule_enabled = ${enabled}, schedule_interval_minutes = 60,
        schedule_next_at = case when ${enabled} then now() + interval '1 hour' end, schedule_attempted_at = now(),
        schedule_error_code = 'VALIDATION_ERROR', schedule_error_message = 'No case runs.'
      where id = ${tenant.suiteId}`;
    await set(true);
    expect(decisionOf(await readHome(), 'scheduleRefused')).toMatchObject([
      { suiteId: tenant.suiteId, suiteName: 'Smoke', message: 'No case runs.' },
    ]);
    await set(false);
    expect(decisionOf(await readHome(), 'scheduleRefused')).toEqual([]);
  });

  test('a server that did not answer its doctor, until it is another or switched off', async () => {
    const ask = projectCaller(service, tenant);
    const place = `servers/${tenant.serverId}`;
    const listed = async () => (await ask('GET', 'servers')).body.items[0].health;
    expect(await listed()).toBeUndefined();
    const examined = await ask('POST', `${place}/doctor`, {});
    expect(examined.body.status).toBe('error');
    const health = { status: 'error', failedCheck: 'probe', checkedAt: expect.any(Number) };
    expect(await listed()).toEqual(health);
    const trouble = [{ serverId: tenant.serverId, serverName: 'Sample', failedCheck: 'probe' }];
    const home = await readHome();
    expect(decisionOf(home, 'serverInTrouble')).toMatchObject(trouble);
    expect(home.decisions.items[0]?.kind).toBe('serverInTrouble');
    expect(home.decisions.total).toBe(home.decisions.items.length);

    await ask('PATCH', place, { enabled: false, name: 'Off' });
    expect(decisionOf(await readHome(), 'serverInTrouble')).toEqual([]);
    expect(await listed()).toEqual(health);
    await ask('PATCH', place, { enabled: true, url: 'http://127.0.0.1:9/other' });
    expect(await listed()).toBeUndefined();
    expect(decisionOf(await readHome(), 'serverInTrouble')).toEqual([]);
  });

  test('what a doctor finds as a client says nothing about the server', async () => {
    const ask = projectCaller(service, tenant);
    const place = `servers/${tenant.serverId}`;
    await ask('POST', `${place}/doctor`, { clientId: tenant.client });
    expect((await ask('GET', place)).body.health).toBeUndefined();
  });
});

test('what goes on is told until it has ended', async () => {
  const launcher = createLauncher(service, tenant);
  const runId = await launcher.launch();
  const { running } = await readHome();
  expect(running).toMatchObject({ total: 1, items: [{ runId, done: 0, expected: 1 }] });
  await launcher.ask('POST', `eval-runs/${runId}/cancel`);
  expect((await readHome()).running).toEqual({ total: 0, items: [] });
});

describe('who is told', () => {
  test('nobody of another organization, and no member about a private project of others', async () => {
    const member = await createMember(service, tenant, 'member');
    await service.owner
      .sql`update projects set visibility = 'private' where id = ${tenant.projectId}`;
    const empty = { total: 0, items: [] };
    expect(await readHome(member.accountId)).toEqual({
      firstStart: true,
      running: empty,
      failing: empty,
      waived: 0,
      decisions: empty,
      findings: empty,
      schedules: empty,
      latest: empty,
    });
    await service.owner
      .sql`update projects set visibility = 'public' where id = ${tenant.projectId}`;
    expect((await readHome(member.accountId)).latest.total).toBeGreaterThan(0);
    expect(JSON.stringify(await readHome(other.accountId))).not.toContain(tenant.projectId);
  });

  test('no key, however its owner stands', async () => {
    const answer = await call(`${service.baseUrl}/console/v1/home`, { key: tenant.key });
    expect(answer.status).toBe(403);
  });
});

test('a first start is one without a server or a suite of one’s own', async () => {
  expect((await readHome()).firstStart).toBe(false);
  const made = await service.operator.bootstrap({ email: 'new@new.example', organization: 'new' });
  expect(await readHome(made.accountId)).toMatchObject({ firstStart: true });
});
