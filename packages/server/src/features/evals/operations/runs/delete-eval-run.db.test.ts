import { createLauncher, hostedModel, type Launcher } from '@proofmark/harness/launcher.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let launcher: Launcher;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  tenant = await createTenant(service, 'acme');
  launcher = createLauncher(service, tenant);
});
afterAll(() => service.stop());

function remove(runId: string, key = tenant.key) {
  const path = `projects/${tenant.projectId}/eval-runs/${runId}`;
  return call(`${service.baseUrl}/api/v1/${path}`, { method: 'DELETE', key });
}

test('a run goes with its trials, is told in the audit log, and is gone afterwards', async () => {
  const runId = await launcher.ended();
  expect((await remove(runId)).body).toEqual({ id: runId, deleted: true });
  expect((await launcher.ask('GET', `eval-runs/${runId}`)).status).toBe(404);
  expect((await remove(runId)).status).toBe(404);
  const { sql } = service.owner;
  expect(await sql`select from eval_iterations where run_id = ${runId}`).toHaveLength(0);
  const lines = await sql`
    select from audit_log where action = 'evalRun.deleted' and subject_id = ${runId}`;
  expect(lines).toHaveLength(1);
});

test('one that goes on, or is being judged, stays', async () => {
  const open = await launcher.launch();
  const refused = await remove(open);
  expect(refused.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_IN_PROGRESS' } });
  await launcher.ask('POST', `eval-runs/${open}/cancel`);
  expect((await remove(open)).status).toBe(200);
  const judged = await launcher.ended();
  const asked = { enable: true, model: hostedModel };
  expect((await launcher.ask('POST', `eval-runs/${judged}/judge`, asked)).status).toBe(202);
  expect((await remove(judged)).status).toBe(409);
});

test('a member deletes their own, and nobody anything of another project', async () => {
  const member = await createMember(service, tenant, 'member');
  const runId = await launcher.ended();
  expect((await remove(runId, member.key)).status).toBe(403);
  await service.owner.sql`
    update eval_runs set created_by = ${member.accountId} where id = ${runId}`;
  expect((await remove(runId, member.key)).status).toBe(200);
  const other = await createTenant(service, 'globex');
  expect((await remove(other.runId)).status).toBe(404);
});
