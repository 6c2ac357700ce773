import { operations } from '@proofmark/contract';
import {
  insertProject,
  insertRun,
  insertSuite,
  type ProjectIds,
} from '@proofmark/harness/eval-rows.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

async function list(ids: ProjectIds, query = '') {
  const url = `${service.baseUrl}/api/v1/projects/${ids.projectId}/eval-suites${query}`;
  const answer = await call(url, { key: tenant.key });
  expect(answer.status, answer.text).toBe(200);
  expect(operations.listEvalSuites.output.safeParse(answer.body).error).toBeUndefined();
  return answer.body;
}

function counted(passed: number, total: number) {
  return { total_trials: total, passed_trials: passed, failed_trials: total - passed };
}

test('a suite without a run has no latest one, totals of zero and no trend', async () => {
  const place = await insertProject(service, tenant);
  const at = new Date('2026-03-04T05:06:07.089Z');
  const columns = { name: 'Fresh', created_at: at, updated_at: at };
  const { suiteId } = await insertSuite(service, place, columns);
  expect((await list(place)).items).toEqual([
    {
      id: suiteId,
      name: 'Fresh',
      projectId: place.projectId,
      createdAt: at.getTime(),
      updatedAt: at.getTime(),
      latestRun: null,
      totals: { passed: 0, failed: 0, runs: 0 },
      passRateTrend: [],
    },
  ]);
});

test('the latest run is the newest, also while it runs', async () => {
  const place = await insertProject(service, tenant);
  const suite = await insertSuite(service, place);
  const at = new Date('2026-03-04T05:06:07.089Z');
  const ended = await insertRun(service, suite, { ...counted(2, 3), created_at: at });
  expect((await list(place)).items[0].latestRun).toEqual({
    id: ended.runId,
    status: 'completed',
    passRate: 2 / 3,
    passed: 2,
    failed: 1,
    total: 3,
    result: 'passed',
    verdict: 'passed',
    createdAt: at.getTime(),
  });
  const running = await insertRun(service, suite, {
    status: 'running',
    result: null,
    created_at: at,
  });
  const { latestRun, passRateTrend } = (await list(place)).items[0];
  expect(latestRun).toEqual({
    id: running.runId,
    status: 'running',
    passRate: null,
    passed: null,
    failed: null,
    total: null,
    result: null,
    verdict: 'notEstablished',
    createdAt: at.getTime(),
  });
  expect(passRateTrend).toEqual([2 / 3]);
});

test('the trend is of the last ten runs that ended with a trial, oldest first', async () => {
  const place = await insertProject(service, tenant);
  const suite = await insertSuite(service, place);
  const statuses = ['completed', 'failed', 'cancelled', 'timed_out'];
  for (let number = 1; number <= 12; number += 1) {
    const status = statuses[number % statuses.length];
    await insertRun(service, suite, { ...counted(number, 13), status });
  }
  await insertRun(service, suite, counted(0, 0));
  await insertRun(service, suite, {});
  await insertRun(service, suite, { ...counted(1, 2), status: 'running' });
  const expected = Array.from({ length: 10 }, (_, index) => (index + 3) / 13);
  expect((await list(place)).items[0].passRateTrend).toEqual(expected);
});

test('totals are the counters of the suite itself', async () => {
  const place = await insertProject(service, tenant);
  const suite = await insertSuite(service, place, {
    run_count: 12,
    passed_trials: 5_000_000_000,
    failed_trials: 7,
  });
  await insertRun(service, suite, counted(1, 2));
  expect((await list(place)).items[0].totals).toEqual({
    passed: 5_000_000_000,
    failed: 7,
    runs: 12,
  });
});

test('each suite shows its own runs, page by page, newest suite first', async () => {
  const place = await insertProject(service, tenant);
  const latest = new Map<string, string>();
  for (let number = 1; number <= 5; number += 1) {
    const suite = await insertSuite(service, place, { created_at: new Date(number) });
    await insertRun(service, suite, counted(1, number));
    latest.set(suite.suiteId, (await insertRun(service, suite, counted(0, number))).runId);
  }
  const first = await list(place, '?limit=3');
  const rest = await list(place, `?cursor=${first.nextCursor}`);
  const items = [...first.items, ...rest.items];
  expect(items.map((suite) => [suite.id, suite.latestRun.id])).toEqual([...latest].reverse());
  expect(items.map((suite) => suite.passRateTrend)).toEqual(
    [5, 4, 3, 2, 1].map((number) => [1 / number, 0]),
  );
});
