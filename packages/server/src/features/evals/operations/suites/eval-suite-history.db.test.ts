import { operations } from '@proofmark/contract';
import { mostRunsOfHistory } from '@proofmark/domain';
import {
  insertCase,
  insertRun,
  insertSuite,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'other');
});
afterAll(() => service.stop());

async function ask({ projectId, suiteId }: SuiteIds, accountId = tenant.accountId) {
  const url = `${service.baseUrl}/console/v1/projects/${projectId}/eval-suites/${suiteId}/history`;
  return call(url, { headers: await signInAs(service, accountId) });
}

async function history(suite: SuiteIds) {
  const answer = await ask(suite);
  expect(answer.status, answer.text).toBe(200);
  expect(operations.getEvalSuiteHistory.output.safeParse(answer.body).error).toBeUndefined();
  return answer.body;
}

type Result = 'passed' | 'failed' | null;

async function play(suite: SuiteIds, caseId: string, results: readonly Result[], columns = {}) {
  const [passed, failed] = ['passed', 'failed'].map(
    (word) => results.filter((result) => result === word).length,
  );
  const run = await insertRun(service, suite, {
    total_trials: results.length,
    passed_trials: passed,
    failed_trials: failed,
    iteration_count: results.length,
    ...columns,
  });
  const trials = results.map((result) => ({
    case_id: caseId,
    result,
    tool_surface_hash: 'same',
    status: result === null ? 'setup_failed' : 'completed',
  }));
  await insertTrialRows(service, run, trials);
  return run;
}

async function offer(run: RunIds, hash = 'same'): Promise<void> {
  const { sql } = service.owner;
  const { organizationId, runId } = run;
  await sql`
    insert into tool_surfaces (organization_id, hash, surface) values (${organizationId}, ${hash}, '{}')
    on conflict do nothing`;
  await sql`
    insert into run_tool_surfaces (organization_id, run_id, hash) values (${organizationId}, ${runId}, ${hash})
    on conflict do nothing`;
}

test('the last runs are told oldest first, each with its interval, and so are the marks of a case', async () => {
  const suite = await insertSuite(service, tenant);
  const caseId = await insertCase(service, suite);
  const first = await play(suite, caseId, ['passed', 'passed']);
  const second = await play(suite, `${caseId}-0123456789ab`, ['passed', 'failed', null]);
  await play(suite, caseId, ['passed'], { status: 'running' });
  const { runs, cases } = await history(suite);
  expect(runs).toMatchObject([
    { runId: first.runId, runNumber: 1, passed: 2, failed: 0, interval: { upper: 1 } },
    { runId: second.runId, runNumber: 2, passed: 1, failed: 1 },
  ]);
  expect(cases).toEqual([
    {
      caseId,
      isFlaky: false,
      marks: [
        { runId: first.runId, mark: 'passed', passed: 2, failed: 0, notGraded: 0 },
        { runId: second.runId, mark: 'mixed', passed: 1, failed: 1, notGraded: 1 },
      ],
    },
  ]);
});

test('a case is flaky that came out both ways with the same tools, and only then', async () => {
  const suite = await insertSuite(service, tenant);
  const caseId = await insertCase(service, suite);
  await offer(await play(suite, caseId, ['failed']));
  await offer(await play(suite, caseId, ['passed']));
  expect((await history(suite)).cases[0].isFlaky).toBe(true);
  const run = await play(suite, caseId, ['passed']);
  await offer(run, 'changed');
  await service.owner.sql`
    update eval_iterations set tool_surface_hash = 'changed' where run_id = ${run.runId}`;
  expect((await history(suite)).cases[0].isFlaky).toBe(false);
});

test('what a case said before it was edited makes it not flaky', async () => {
  const suite = await insertSuite(service, tenant);
  const caseId = await insertCase(service, suite);
  await offer(await play(suite, caseId, ['failed']));
  await service.owner.sql`
    update eval_cases set updated_at = clock_timestamp() where id = ${caseId}`;
  await offer(await play(suite, caseId, ['passed']));
  expect((await history(suite)).cases[0].isFlaky).toBe(false);
  await offer(await play(suite, caseId, ['failed']));
  expect((await history(suite)).cases[0].isFlaky).toBe(true);
});

test('no more runs are told than fit, and a run with too many trials is not counted by case', async () => {
  const suite = await insertSuite(service, tenant);
  const caseId = await insertCase(service, suite);
  await play(suite, caseId, ['failed'], { iteration_count: 20_000 });
  for (let number = 0; number < mostRunsOfHistory - 1; number += 1) {
    await play(suite, caseId, ['passed']);
  }
  const full = await history(suite);
  expect(full.runs).toHaveLength(mostRunsOfHistory);
  expect(full.cases[0].marks).toHaveLength(mostRunsOfHistory - 1);
  await play(suite, caseId, ['passed']);
  const { runs } = await history(suite);
  expect(runs.map((run: { runNumber: number }) => run.runNumber)).toEqual(
    Array.from({ length: mostRunsOfHistory }, (_, index) => index + 2),
  );
});

test('nobody reads it of a suite in a project they cannot see', async () => {
  const suite = await insertSuite(service, tenant);
  expect(await history(suite)).toEqual({ runs: [], cases: [] });
  expect((await ask(suite, other.accountId)).status).toBe(404);
});
