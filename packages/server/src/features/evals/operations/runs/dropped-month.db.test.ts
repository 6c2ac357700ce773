/**
 * Tests that the trials of a month can be removed by dropping that month's tables. Runs of that
 * month may remain, and they can still be read.
 */
import { idMonths, makeId } from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrace,
  insertTrialRows,
} from '@proofmark/harness/eval-rows.ts';
import { createLauncher, weatherSteps as steps } from '@proofmark/harness/launcher.ts';
import { createReporter, failing, passing } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'dropped');
});
afterAll(() => service.stop());

test('a dropped month takes its trials and traces along, leaves the others, and its runs are still read', async () => {
  const { ask } = createLauncher(service, tenant);
  const { ingest } = createReporter(service, tenant);
  const [month = { name: '' }] = idMonths('evalRun', Date.now(), 1);
  const [before = { name: '', from: '', to: '' }] = idMonths('evalRun', Date.UTC(2025, 2), 1);
  const { sql } = service.owner;
  await sql`select make_month_of_trials(${before.name}, ${before.from}, ${before.to})`;
  const id = makeId('evalRun', Date.UTC(2025, 2, 9), new Uint8Array(10));
  const other = {
    ...(await insertRun(service, await insertSuite(service, tenant), { id })),
    runId: id,
  };
  await insertTrialRows(service, other, [{}, {}]);
  await insertTrace(service, other);

  const report = { suiteName: 'Weather', results: [failing, passing] };
  await ingest('report', report);
  const { runId, suiteId } = (await ingest('report', report)).body;
  const legacy = { ...report, suiteName: 'Percent', passCriteria: { minimumPassRate: 90 } };
  const legacyId = (await ingest('report', legacy)).body.runId;
  const made = await ask('POST', 'eval-suites', {
    name: 'Authored',
    serverIds: [tenant.serverId],
    model: 'proofmark/lexical-1',
    tests: [{ title: 'One', steps }],
  });
  const launchedId = (await ask('POST', 'eval-runs', { suiteId: made.body.suiteId })).body.runId;
  expect((await ask('POST', `eval-runs/${launchedId}/cancel`)).status).toBe(200);
  const paths = [];
  for (const run of [runId, legacyId, launchedId]) {
    const { items } = (await ask('GET', `eval-runs/${run}/iterations`)).body;
    expect(items.length).toBeGreaterThan(0);
    const trial = `eval-runs/${run}/iterations/${items[0].id}`;
    paths.push(
      ...[`eval-runs/${run}`, `eval-runs/${run}/decision-summary`, `eval-runs/${run}/compare`],
      ...[`eval-runs/${run}/iterations`, `eval-runs/${run}/iterations?result=failed`],
      ...[trial, `${trial}/trace`, `${trial}/tools`],
    );
  }
  paths.push(`eval-suites/${suiteId}`, `eval-suites/${suiteId}/runs`);
  const statuses = new Map<string, number>();
  for (const path of paths) statuses.set(path, (await ask('GET', path)).status);
  expect(statuses.get(`eval-runs/${runId}/compare`)).toBe(200);
  expect(Math.max(...statuses.values())).toBe(404);

  for (const table of ['eval_iterations', 'eval_traces', 'eval_judgements']) {
    await sql`drop table ${sql(`${table}_${month.name}`)}`;
  }
  const left = await sql<{ runId: string; traces: number }[]>`
    select run_id, (select count(*)::int from eval_traces) as traces from eval_iterations`;
  expect(left).toEqual([
    { runId: other.runId, traces: 1 },
    { runId: other.runId, traces: 1 },
  ]);
  for (const path of paths) {
    const { status, text } = await ask('GET', path);
    expect(status, `${path}: ${text}`).toBe(
      path.includes('/iterations/') ? 404 : statuses.get(path),
    );
  }
  expect((await ask('GET', `eval-runs/${runId}/iterations`)).body.items).toEqual([]);
  const others = await ask('GET', `eval-runs/${other.runId}/iterations`);
  expect(others.body.items).toHaveLength(2);

  // After the tables are dropped, reports of that month can still be stored, and a run can be
  // deleted.
  const late = await ingest('report', report);
  expect(late.status, late.text).toBe(200);
  const trials = await ask('GET', `eval-runs/${late.body.runId}/iterations`);
  expect(trials.body.items).toHaveLength(2);
  expect((await ask('DELETE', `eval-suites/${suiteId}`)).status).toBeLessThan(300);
  expect((await ask('GET', `eval-runs/${runId}`)).status).toBe(404);
});
