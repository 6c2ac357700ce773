/**
 * A restore must not bring back ended access, for example revoked keys. Work that began before a
 * restore must not continue after it.
 */
import { randomBytes } from 'node:crypto';
import { decideRun, makeId, resolvePolicy, type TaskVerdict } from '@proofmark/domain';
import { holdSlice } from '@proofmark/harness/hold-slice.ts';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { restoreBackup } from '@proofmark/harness/restore-backup.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import {
  call,
  createSignInLink,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { markDisabled } from '../accounts/store/members.ts';
import { claimInstallation } from '../database/installation.ts';
import { takeAgentSlot } from '../work/store/agent-slots.ts';
import { holdWork } from '../work/store/leased-work.ts';
import { sharePlaces } from '../work/store/share-places.ts';
import { backupTo } from './backup-to.ts';

let service: TestService;
let tenant: Tenant;
let directory: TemporaryDirectory;
let file: string;
let count = 0;
beforeAll(async () => {
  directory = temporaryDirectory();
  service = await startTestService();
  await claimInstallation(service.owner);
  tenant = await createTenant(service, 'acme');
});
afterAll(async () => {
  await service.stop();
  directory.remove();
});
beforeEach(() => {
  count += 1;
  file = `${directory.path}/${count}.backup`;
});
const backup = () => backupTo(service.url, file);
const restore = () => restoreBackup(service.url, file);
const me = (key: string) => call(`${service.baseUrl}/api/v1/me`, { key });

describe('what was kept or promised before', () => {
  test('a run that failed is not served as passed when revisions repeat', async () => {
    const { sql } = service.owner;
    const suiteId = makeId('evalSuite', Date.now(), randomBytes(10));
    const runId = makeId('evalRun', Date.now(), randomBytes(10));
    const place = { organization_id: tenant.organizationId, project_id: tenant.projectId };
    await sql`insert into eval_suites ${sql({ id: suiteId, ...place, name: 'Kept' })}`;
    await sql`insert into eval_runs ${sql({
      id: runId,
      ...place,
      suite_id: suiteId,
      run_number: 1,
      source: 'api',
      revision: 1,
      status: 'running',
      verdict_policy_version: 2,
      snapshot,
    })}`;
    const decide = (taskVerdict: TaskVerdict) =>
      sql`update eval_runs set ${sql(decided(taskVerdict))}, revision = 2 where id = ${runId}`;
    const verdict = async () => {
      const path = `/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/decision-summary`;
      return (await call(service.baseUrl + path, { key: tenant.key })).body.decision.verdict;
    };
    await backup();
    await decide('passed');
    expect(await verdict()).toBe('passed');
    await restore();
    await decide('failed');
    expect(await verdict()).toBe('failed');
  });

  test('a cursor leads nowhere any more', async () => {
    await createProjects();
    const list = `${service.baseUrl}/api/v1/projects?limit=1`;
    const { nextCursor } = (await call(list, { key: tenant.key })).body;
    expect((await call(`${list}&cursor=${nextCursor}`, { key: tenant.key })).status).toBe(200);
    await backup();
    await restore();
    const late = await call(`${list}&cursor=${nextCursor}`, { key: tenant.key });
    expect(late).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect((await call(list, { key: tenant.key })).status).toBe(200);
  });

  test('a lease is held no more, neither one from before the backup nor one with a number that comes again', async () => {
    const { runId } = await insertLaunchedRun(service, tenant, { cases: 3, repetitions: 1 });
    const early = await holdSlice(service, runId);
    await backup();
    const late = await holdSlice(service, runId);
    await restore();
    const again = await holdSlice(service, runId);
    const renewals = [early, late, again].map((held) => ({ held, madeProgress: false }));
    const isHeld = await service.database.tenant([tenant.organizationId], (sql) =>
      holdWork(sql, early, renewals),
    );
    expect(isHeld).toEqual([false, false, true]);
  });

  test('places and slots that were held are held by nobody', async () => {
    const share = async (holder: string) => {
      const request = { target: 'server one', places: 4, wanted: 4, bound: 4 };
      const shares = await sharePlaces(service.database.sql, holder, [request], 60_000);
      return shares.get('server one')?.map((one) => [one.holder, one.places]);
    };
    const takeSlot = () =>
      service.database.tenant([tenant.organizationId], (sql) =>
        takeAgentSlot(sql, tenant.organizationId, { slots: 1, leaseMs: 60_000 }),
      );
    expect(await share('before')).toEqual([['before', 4]]);
    expect(await takeSlot()).toBeDefined();
    expect(await takeSlot()).toBeUndefined();
    await backup();
    await restore();
    expect(await takeSlot()).toBeDefined();
    expect(await share('after')).toEqual([['after', 4]]);
    // The holder from before the restore lost its places and now gets none.
    expect(await share('before')).toEqual([
      ['after', 4],
      ['before', 0],
    ]);
  });

  test('jobs that waited are gone', async () => {
    await backup();
    const jobs = 'graphile_worker._private_jobs';
    const [there] = await service.owner.sql`select to_regclass(${jobs}) is not null as yes`;
    expect(there?.['yes']).toBe(true);
    await service.owner.sql`select add_job('launch-scheduled', '{}', 'stale', 1, null)`;
    await restore();
    const [left] = await service.owner.sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${jobs}`,
    );
    expect(left?.count).toBe(0);
  });
});

describe('what was ended', () => {
  test('a key that was revoked since the backup stays revoked, also over a backup from before it was known', async () => {
    await backup();
    const first = file;
    const { apiKey, key } = await service.operator.createKey(
      ...['owner@acme.example', tenant.organizationId, 'late'],
    );
    file = `${file}.later`;
    await backup();
    expect((await me(key)).status).toBe(200);
    await service.operator.revokeKey(apiKey.id);
    await restore();
    expect((await me(key)).status).toBe(401);
    expect((await me(tenant.key)).status).toBe(200);
    const later = file;
    file = first;
    await restore();
    expect((await me(key)).status).toBe(401);
    file = later;
    await restore();
    expect((await me(key)).status).toBe(401);
    expect((await me(tenant.key)).status).toBe(200);
  });

  test('an account that was disabled since the backup stays disabled, by whom it was', async () => {
    const left = await createTenant(service, 'left');
    await backup();
    await service.owner.transaction((sql) => markDisabled(sql, left.accountId, 'operator'));
    await restore();
    expect((await me(left.key)).status).toBe(401);
    expect((await me(tenant.key)).status).toBe(200);
    const [found] = await service.owner
      .sql`select disabled_by from accounts where id = ${left.accountId}`;
    expect(found).toEqual({ disabledBy: 'operator' });
  });

  test('a session that was ended and a link that was used stay so; others go on', async () => {
    const kept = await signInAs(service, tenant.accountId);
    const ended = await signInAs(service, tenant.accountId);
    const { token } = await createSignInLink(service.database, tenant.accountId);
    const session = (headers: Record<string, string>, method = 'GET') =>
      call(`${service.baseUrl}/console/v1/session`, { method, headers });
    const redeem = () =>
      call(`${service.baseUrl}/console/v1/session/link`, {
        method: 'POST',
        headers: { origin: service.baseUrl },
        body: { token },
      });
    await backup();
    expect((await session(ended, 'DELETE')).status).toBe(200);
    expect((await redeem()).status).toBe(200);
    await restore();
    expect((await session(kept)).body).toHaveProperty('csrfToken');
    expect((await call(`${service.baseUrl}/api/v1/me`, { headers: kept })).status).toBe(200);
    expect((await call(`${service.baseUrl}/api/v1/me`, { headers: ended })).status).toBe(401);
    expect((await redeem()).status).toBe(401);
  });
});

test('an invitation that was accepted or withdrawn stays so; others stand', async () => {
  const invite = (name: string) =>
    service.operator.invite('acme', `${name}@new.example`, 'member').then(({ url }) => url);
  const accept = (url: string) =>
    call(`${service.baseUrl}/console/v1/session/invitation`, {
      method: 'POST',
      headers: { origin: service.baseUrl },
      body: { token: new URL(url).hash.replace('#token=', '') },
    });
  const [taken, withdrawn, open] = [await invite('a'), await invite('b'), await invite('c')];
  await backup();
  expect((await accept(taken)).status).toBe(200);
  await service.owner.sql`delete from invitations where email = 'b@new.example'`;
  await restore();
  const answers = [await accept(taken), await accept(withdrawn), await accept(open)];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
});

test.each([false, null])('whom the service is for stays as it said: %s', async (forOnePerson) => {
  const { sql } = service.owner;
  await sql`update installation set for_one_person = true`;
  await backup();
  await sql`update installation set for_one_person = ${forOnePerson}`;
  await restore();
  expect(await sql`select for_one_person from installation`).toEqual([
    { forOnePerson: forOnePerson },
  ]);
});

describe('lines of the audit log', () => {
  const lines = () =>
    service.owner.sql<{ subjectId: string }[]>`
      select organization_id, at, account_email, caller_kind, action, subject_id, details
      from audit_log where action <> 'installation.restored' order by id`;
  const add = (subjectId: string) =>
    service.owner.sql`
      insert into audit_log (organization_id, at, account_email, caller_kind, action, subject_id)
      values (${tenant.organizationId}, '2026-01-01', 'a@b', 'operator', 'server.toolCalled', ${subjectId})`;

  test('since the backup are there after it, once, in their order and behind those of the backup', async () => {
    await add('same');
    await backup();
    for (const subject of ['z', 'same', 'same', 'a']) await add(subject);
    const before = await lines();
    expect(before.slice(-5).map(({ subjectId }) => subjectId)).toEqual([
      ...['same', 'z', 'same', 'same', 'a'],
    ]);
    await restore();
    expect(await lines()).toEqual(before);
    await restore();
    expect(await lines()).toEqual(before);
  });

  test('are also kept where the backup has others under the same ids', async () => {
    await backup();
    const before = await lines();
    await service.owner.sql`truncate audit_log restart identity`;
    await add('kept');
    await restore();
    const after = await lines();
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)?.subjectId).toBe('kept');
  });

  test('tell of every restore', async () => {
    const restores = () =>
      service.owner.sql`select from audit_log where action = 'installation.restored'`;
    await backup();
    const { length } = await restores();
    await restore();
    await restore();
    const [organizations] = await service.owner.sql<{ count: number }[]>`
      select count(*)::int as count from organizations`;
    expect(await restores()).toHaveLength(length + 2 * (organizations?.count ?? 0));
  });
});

test('the audit log of the restored data says that it was restored', async () => {
  await backup();
  await restore();
  const [line] = await service.operator.readAuditLog({
    organization: tenant.organizationId,
    projectId: undefined,
    limit: 1,
  });
  expect(line).toMatchObject({
    action: 'installation.restored',
    callerKind: 'operator',
    accountId: null,
    details: { takenAt: expect.any(String), migration: expect.any(Number) },
  });
});

async function createProjects(): Promise<void> {
  for (const name of ['one', 'two']) {
    await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: tenant.key,
      body: { name, organizationId: tenant.organizationId },
    });
  }
}

const policy = resolvePolicy();
const snapshot = JSON.stringify({ terms: { policy, passThreshold: 1 }, servers: [] });

function decided(taskVerdict: TaskVerdict) {
  const terms = { caseId: 'one', configuredTrials: 1, effectivePassThreshold: 1 };
  const trials = [{ status: 'completed' as const, taskVerdict }];
  const outcome = decideRun({ policy, cases: [{ ...terms, trials }] });
  if ('integrityError' in outcome) throw new Error(outcome.integrityError);
  const { verdict: result } = outcome.decision;
  return { status: 'completed', verdict_summary: JSON.stringify(outcome.decision), result };
}
