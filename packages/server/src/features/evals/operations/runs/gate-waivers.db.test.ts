import { randomBytes } from 'node:crypto';
import { decideRun, makeId, maxWaiverMs, resolvePolicy, type TaskVerdict } from '@proofmark/domain';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findWaiversInForce } from '../../store/gate-waivers.ts';

let service: TestService;
let tenant: Tenant;
let outsider: Tenant;
let manager: { accountId: string; key: string };
let suiteId: string;
/** A new run that failed its percent threshold. */
let runId: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  outsider = await createTenant(service, 'other');
  manager = await createMember(service, tenant, 'member', 'manage');
  suiteId = makeId('evalSuite', Date.now(), randomBytes(10));
  await service.owner.sql`
    insert into eval_suites (id, organization_id, project_id, name)
    values (${suiteId}, ${tenant.organizationId}, ${tenant.projectId}, 'Gated')`;
});
afterAll(() => service.stop());
beforeEach(async () => {
  runId = await insertRun({ result: 'failed' });
});

let runNumber = 0;
async function insertRun(columns: Record<string, string | number | null>, projectId?: string) {
  const id = makeId('evalRun', Date.now(), randomBytes(10));
  const { sql } = service.owner;
  runNumber += 1;
  const terms = { minimumPassRate: 80 };
  await sql`insert into eval_runs ${sql({
    id,
    organization_id: tenant.organizationId,
    project_id: projectId ?? tenant.projectId,
    suite_id: suiteId,
    run_number: runNumber,
    source: 'sdk',
    status: 'completed',
    snapshot: JSON.stringify({ terms, servers: [], environment: null, toolSurface: null }),
    ...columns,
  })}`;
  return id;
}

function insertDecidedRun(taskVerdict: TaskVerdict | undefined) {
  const policy = resolvePolicy();
  const trials = taskVerdict ? [{ status: 'completed' as const, taskVerdict }] : [];
  const terms = { caseId: 'one', configuredTrials: 1, effectivePassThreshold: 1 };
  const decided = decideRun({ policy, cases: [{ ...terms, trials }] });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return insertRun({
    verdict_policy_version: 2,
    verdict_summary: JSON.stringify(decided.decision),
    result: decided.decision.verdict,
    snapshot: JSON.stringify({ terms: { policy, passThreshold: 1 }, servers: [] }),
  });
}

const inAnHour = () => Date.now() + 3_600_000;
const waiversOf = (run: string, projectId = tenant.projectId) =>
  `${service.baseUrl}/api/v1/projects/${projectId}/eval-runs/${run}/gate-waivers`;
const create = (body: object = {}, run = runId, key = manager.key) =>
  call(waiversOf(run), {
    method: 'POST',
    key,
    body: { expiresAt: inAnHour(), reason: 'Known outage', ...body },
  });
const read = (run = runId) => call(waiversOf(run), { key: tenant.key });
const revoke = (waiverId: string, run = runId, key = manager.key) =>
  call(`${waiversOf(run)}/${waiverId}`, { method: 'DELETE', key });
const storedRun = async () =>
  (await service.owner.sql`select * from eval_runs where id = ${runId}`)[0];
const audited = () =>
  service.owner.sql`
    select action, subject_id, account_id, account_email, caller_kind, organization_id, project_id, details
    from audit_log where action like 'gateWaiver.%' and details like ${`%${runId}%`} order by id`;
async function storedWaivers() {
  const rows = await service.owner.sql`select id from gate_waivers where run_id = ${runId}`;
  return rows.length;
}

describe('granting', () => {
  test('gives a waiver that says who, why, until when and what is waived', async () => {
    const before = Date.now();
    const expiresAt = inAnHour();
    const answer = await create({ expiresAt, reason: '  Known outage\n' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      status: 'created',
      waiver: {
        id: expect.stringMatching(/^wvr_[0-9a-z]{26}$/),
        suiteId,
        runId,
        reason: 'Known outage',
        expiresAt,
        createdAt: expect.any(Number),
        createdBy: manager.accountId,
        createdByEmail: expect.stringMatching(/^member-manage-.*@members\.example$/),
        revokedAt: null,
        revokedBy: null,
        active: true,
        policySnapshot: { minimumPassRate: 80 },
      },
    });
    expect(answer.body.waiver.createdAt).toBeGreaterThanOrEqual(before);
    expect((await read()).body).toEqual({ waiver: answer.body.waiver });
  });

  test('and revoking leave the run as it was, its result first of all', async () => {
    const before = await storedRun();
    expect(before?.['result']).toBe('failed');
    const { body } = await create();
    expect(await storedRun()).toEqual(before);
    await revoke(body.waiver.id);
    expect(await storedRun()).toEqual(before);
  });

  test('over a run failed under policy v2 names no percent threshold', async () => {
    const answer = await create({}, await insertDecidedRun('failed'));
    expect(answer.status).toBe(201);
    expect(answer.body.waiver.policySnapshot).toBeNull();
  });

  test('while one is in force answers 409 with that one, in both places', async () => {
    const { waiver } = (await create()).body;
    const again = await create({ reason: 'Another' }, runId, tenant.key);
    expect(again.status).toBe(409);
    expect(again.body).toEqual({
      code: 'CONFLICT',
      message: expect.stringContaining('already in force'),
      details: { waiver },
      waiver,
    });
    expect(await storedWaivers()).toBe(1);
  });

  test('of twenty who ask at once one gets it, and the others are all shown that one', async () => {
    const second = await service.another();
    const ask = (_: unknown, at: number) =>
      call(waiversOf(runId).replace(service.baseUrl, at % 2 ? second.baseUrl : service.baseUrl), {
        method: 'POST',
        key: manager.key,
        body: { expiresAt: inAnHour(), reason: `Asked by ${at}` },
      });
    try {
      const answers = await whileRowIsHeld(service, { table: 'eval_runs', id: runId }, () =>
        Promise.all(Array.from({ length: 20 }, ask)),
      );
      const created = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 409);
      expect([created.length, refused.length]).toEqual([1, 19]);
      for (const { body } of refused) expect(body.waiver).toEqual(created[0]?.body.waiver);
      expect(await storedWaivers()).toBe(1);
      expect(await audited()).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });

  test('is possible again once the last one expired or was revoked', async () => {
    const first = (await create()).body.waiver;
    await service.owner.sql`
      update gate_waivers set expires_at = now() - interval '1 second' where id = ${first.id}`;
    expect((await read()).body).toEqual({ waiver: null });
    const second = (await create()).body.waiver;
    await revoke(second.id);
    expect((await read()).body).toEqual({ waiver: null });
    const third = await create();
    expect(third.status).toBe(201);
    expect((await read()).body.waiver.id).toBe(third.body.waiver.id);
    expect(await storedWaivers()).toBe(3);
  });
});

describe('only a failed run can be waived', () => {
  test.each([
    ['passed', { result: 'passed' }, 'passed'],
    ['not ended', { status: 'running', result: null }, 'notEstablished'],
    ['cancelled', { status: 'cancelled', result: 'failed' }, 'notEstablished'],
    ['with an odd result', { result: 'cancelled' }, 'notEstablished'],
    [
      'of policy v2 without its decision',
      { verdict_policy_version: 2, result: 'failed' },
      'notEstablished',
    ],
  ])('one %s is refused', async (_, columns, verdict) => {
    runId = await insertRun(columns);
    const answer = await create();
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'NOT_FAILED', verdict } },
    });
    expect(answer.body.message).toContain(verdict === 'passed' ? 'is passed' : 'not established');
    expect(await storedWaivers()).toBe(0);
  });

  test.each([
    ['passed', 'passed'],
    [undefined, 'inconclusive'],
  ] as const)('one decided by a %s trial is %s and refused', async (trial, verdict) => {
    const answer = await create({}, await insertDecidedRun(trial));
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain(`is ${verdict};`);
  });
});

describe('what a waiver needs', () => {
  test.each([
    [{ expiresAt: 1 }, 'body.expiresAt', 'expiresAt must lie in the future.'],
    [{ expiresAt: () => Date.now() - 1 }, 'body.expiresAt', 'expiresAt must lie in the future.'],
    [
      { expiresAt: () => Date.now() + maxWaiverMs + 60_000 },
      'body.expiresAt',
      'expiresAt must be at most 30 days from now.',
    ],
    [{ reason: ' \n ' }, 'body.reason', 'reason must say why the run may pass its gate.'],
    [{ reason: 'x'.repeat(501) }, 'body.reason', 'reason must have at most 500 characters.'],
    [{ expiresAt: 1.5 }, 'body.expiresAt', 'body.expiresAt: '],
    [{ expiresAt: '2030-01-01' }, 'body.expiresAt', 'body.expiresAt: '],
    [{ expiresAt: undefined }, 'body.expiresAt', 'body.expiresAt: '],
    [{ reason: undefined }, 'body.reason', 'body.reason: '],
    [{ revokedAt: 1 }, 'body.revokedAt', 'body.revokedAt: '],
    [{ runId: 'run_x' }, 'body.runId', 'body.runId: '],
  ])('%o is refused at %s', async (given, path, message) => {
    const entries = Object.entries(given as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'function' ? value() : value,
    ]);
    const answer = await create(Object.fromEntries(entries));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: { path } });
    expect(answer.body.message.startsWith(message)).toBe(true);
    expect(await storedWaivers()).toBe(0);
    expect(await audited()).toEqual([]);
  });

  test('thirty days and 500 characters between white space are still fine', async () => {
    const expiresAt = Date.now() + maxWaiverMs;
    const answer = await create({ expiresAt, reason: ` ${'x'.repeat(500)} ` });
    expect(answer.status).toBe(201);
    expect(answer.body.waiver).toMatchObject({ expiresAt, reason: 'x'.repeat(500) });
  });
});

describe('revoking', () => {
  test('again keeps who did it first and when', async () => {
    const { waiver } = (await create()).body;
    const first = await revoke(waiver.id);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      status: 'revoked',
      waiver: {
        ...waiver,
        active: false,
        revokedAt: expect.any(Number),
        revokedBy: manager.accountId,
      },
    });
    const again = await revoke(waiver.id, runId, tenant.key);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ status: 'already_revoked', waiver: first.body.waiver });
  });

  test('by ten at once happens once', async () => {
    const { waiver } = (await create()).body;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        revoke(waiver.id, runId, at % 2 ? manager.key : tenant.key),
      ),
    );
    expect(answers.filter(({ body }) => body.status === 'revoked')).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.waiver))).size).toBe(1);
    expect(await audited()).toHaveLength(2);
  });

  test('under another run of the project finds nothing and changes nothing', async () => {
    const { waiver } = (await create()).body;
    const other = await insertRun({ result: 'failed' });
    expect((await revoke(waiver.id, other)).status).toBe(404);
    expect((await revoke(waiver.id, 'run_none')).status).toBe(404);
    expect((await revoke('wvr_none')).status).toBe(404);
    expect((await read()).body).toEqual({ waiver });
  });
});

describe('who may', () => {
  test('a member reads; only the manage tier grants and revokes', async () => {
    const member = await createMember(service, tenant, 'member');
    expect((await create({}, runId, member.key)).status).toBe(403);
    const { waiver } = (await create()).body;
    expect((await revoke(waiver.id, runId, member.key)).status).toBe(403);
    const seen = await call(waiversOf(runId), { key: member.key });
    expect(seen).toMatchObject({ status: 200, body: { waiver } });
  });

  test('an outsider finds nothing, under either project', async () => {
    const { waiver } = (await create()).body;
    for (const projectId of [tenant.projectId, outsider.projectId]) {
      const url = waiversOf(runId, projectId);
      const body = { expiresAt: inAnHour(), reason: 'Mine now' };
      const { key } = outsider;
      expect((await call(url, { key })).status).toBe(404);
      expect((await call(url, { key, method: 'POST', body })).status).toBe(404);
      expect((await call(`${url}/${waiver.id}`, { key, method: 'DELETE' })).status).toBe(404);
    }
    expect((await read()).body).toEqual({ waiver });
  });

  test('a run of another project of one’s own is not found, before its body is judged', async () => {
    const made = await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: tenant.key,
      body: { name: 'Second' },
    });
    const url = waiversOf(runId, made.body.id);
    const body = { expiresAt: 1, reason: ' ' };
    expect((await call(url, { key: tenant.key, method: 'POST', body })).status).toBe(404);
    expect((await call(url, { key: tenant.key })).status).toBe(404);
    expect(await storedWaivers()).toBe(0);
  });
});

test('each grant and each first revocation leaves one line of the audit log', async () => {
  const { waiver } = (await create()).body;
  await create();
  await revoke(waiver.id, runId, tenant.key);
  await revoke(waiver.id);
  const place = {
    subjectId: waiver.id,
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    callerKind: 'key',
    details: JSON.stringify({ runId }),
  };
  expect(await audited()).toEqual([
    {
      ...place,
      action: 'gateWaiver.created',
      accountId: manager.accountId,
      accountEmail: waiver.createdByEmail,
    },
    {
      ...place,
      action: 'gateWaiver.revoked',
      accountId: tenant.accountId,
      accountEmail: 'owner@acme.example',
    },
  ]);
});

test('the waivers of many runs are found at once, only those in force', async () => {
  const other = await insertRun({ result: 'failed' });
  const without = await insertRun({ result: 'failed' });
  const first = (await create()).body.waiver;
  await create({}, other);
  const found = () =>
    service.database.tenant([tenant.organizationId], async (sql) => [
      ...(await findWaiversInForce(sql, [runId, other, without])).keys(),
    ]);
  expect((await found()).sort()).toEqual([runId, other].sort());
  await service.owner.sql`update gate_waivers set expires_at = now() where id = ${first.id}`;
  expect(await found()).toEqual([other]);
});
