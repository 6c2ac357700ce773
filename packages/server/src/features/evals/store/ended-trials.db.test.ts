/**
 * Tests that an export in the order of trial ends omits no trial, even if a slow transaction
 * records an end late.
 */
import { createReporter, failing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeUntil } from '../../../platform/database/complete-until.ts';
import { readEndedTrials } from './ended-trials.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('nothing is read that ended after a transaction began which still records ends', async () => {
  const tenant = await createTenant(service, unique('ends'));
  const { projectId } = tenant;
  const { ingest } = createReporter(service, tenant);
  const report = async () =>
    (await ingest('report', { suiteName: unique('Suite'), results: [failing] })).body.runId;
  const exported = async () => {
    const ended = await service.database.tenant([tenant.organizationId], async (sql) =>
      readEndedTrials(sql, projectId, { limit: 50 }, await completeUntil(sql, 0)),
    );
    return ended.map(({ runId }) => runId);
  };
  const before = await exported();
  const slow = await report();
  await service.owner.sql`
    update eval_iterations set ended_at = null, ended_in_project = null where run_id = ${slow}`;
  let quick = '';
  await service.database.tenant([tenant.organizationId], async (sql) => {
    await sql`
      update eval_iterations set ended_at = clock_timestamp(), ended_in_project = ${projectId}
      where run_id = ${slow}`;
    quick = await report();
    expect(await exported()).toEqual(before);
  });
  expect(await exported()).toEqual([...before, slow, quick]);
});
