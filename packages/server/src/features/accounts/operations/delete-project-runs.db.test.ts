/** Tests that a project with an open run is not deleted, and that this check causes no deadlock. */

import { insertRun, insertSuite, type SuiteIds } from '@proofmark/harness/eval-rows.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'cleared');
});
afterAll(() => service.stop());

async function makeSuite(): Promise<SuiteIds> {
  const url = `${service.baseUrl}/api/v1/projects`;
  const made = await call(url, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Project') },
  });
  return insertSuite(service, { organizationId: tenant.organizationId, projectId: made.body.id });
}

function remove({ projectId }: SuiteIds) {
  const url = `${service.baseUrl}/api/v1/projects/${projectId}`;
  return call(url, { method: 'DELETE', key: tenant.key });
}

const refused = { status: 409, body: { details: { reason: 'RUN_IN_PROGRESS' } } };

test.each(['pending', 'running'])('a run that is %s keeps its project', async (status) => {
  const suite = await makeSuite();
  const { runId } = await insertRun(service, suite, { status, source: 'api', result: null });
  expect(await remove(suite)).toMatchObject(refused);
  await service.owner.sql`update eval_runs set status = 'cancelled' where id = ${runId}`;
  expect(await remove(suite)).toMatchObject({ status: 200, body: { deleted: true } });
});

test('a run that is only reported here, which nobody may ever end, does not keep its project', async () => {
  const suite = await makeSuite();
  await insertRun(service, suite, { status: 'running', result: null });
  expect((await remove(suite)).status).toBe(200);
});

test('a delete does not wait for the end of a run that is being written', async () => {
  const suite = await makeSuite();
  const { runId } = await insertRun(service, suite, { status: 'running', source: 'api' });
  await service.owner.transaction(async (sql) => {
    await sql`select from eval_runs where id = ${runId} for update`;
    expect(await remove(suite)).toMatchObject(refused);
    // The end of a run also locks the run's row first (above) and then updates the suite.
    await sql`update eval_suites set passed_trials = 1 where id = ${suite.suiteId}`;
  });
});

test('a delete that meets a launch waits for it and then finds its run', async () => {
  const suite = await makeSuite();
  const { going } = await service.owner.transaction(async (sql) => {
    // Locks the suite first and then inserts the run, as a launch does. The run references the
    // project.
    await sql`update eval_suites set run_count = run_count + 1 where id = ${suite.suiteId}`;
    const asked = remove(suite);
    await untilWaiting(service.owner.sql, 1);
    await sql`insert into eval_runs ${sql({
      id: unique('run'),
      organization_id: suite.organizationId,
      project_id: suite.projectId,
      suite_id: suite.suiteId,
      run_number: 1,
      source: 'api',
      status: 'pending',
      snapshot: '{}',
    })}`;
    return { going: asked };
  });
  expect(await going).toMatchObject(refused);
});
