import { type Stage, stages } from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrialRows,
  type RunIds,
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

function chainStoppedAt(stage: Stage | undefined) {
  const failedAt = stage === undefined ? stages.length : stages.indexOf(stage);
  const stageResults = stages.map((name, index) => {
    if (index < failedAt) return { stage: name, state: 'passed', reason: 'observed' };
    if (index === failedAt) return { stage: name, state: 'failed', reason: 'toolError' };
    return { stage: name, state: 'notReached', reason: 'earlierStageFailed' };
  });
  const failed = stage && { firstFailedStage: stage, failureCategory: 'serverData' };
  return { stageResults, ...failed, stageAnalyzerVersion: 1 };
}

async function stagesOf({ projectId, runId }: RunIds) {
  const path = `projects/${projectId}/eval-runs/${runId}/stages`;
  const { status, body, text } = await call(`${service.baseUrl}/api/v1/${path}`, {
    key: tenant.key,
  });
  expect(status, text).toBe(200);
  return body;
}

test('failing variants come first, each with what failed where and how the rest came out', async () => {
  const run = await insertRun(service, await insertSuite(service, tenant));
  const good = { result: 'passed', chain: chainStoppedAt(undefined), title: 'Good' };
  const late = { title: 'Late', declared_case_id: 'late', model: 'small' };
  await insertTrialRows(service, run, [
    ...Array.from({ length: 3 }, () => good),
    { title: 'Stopped', result: null, status: 'cancelled' },
    { ...late, result: 'failed', chain: chainStoppedAt('call') },
    { ...late, result: 'failed', chain: chainStoppedAt('response') },
    { ...late, result: 'failed', chain: chainStoppedAt('response') },
    { ...late, result: 'passed', chain: chainStoppedAt(undefined), model: 'large' },
    { ...late, result: null, status: 'pending' },
  ]);
  const { total, outcomes, cases } = await stagesOf(run);
  expect(total).toBe(4);
  expect(outcomes).toEqual({ failed: 1, notGraded: 1, toCome: 0, passed: 2 });
  expect(cases.map(({ title, model }: Record<string, unknown>) => [title, model])).toEqual([
    ['Late', 'small'],
    ['Stopped', null],
    ['Good', null],
    ['Late', 'large'],
  ]);
  expect(cases[0]).toMatchObject({ caseId: 'late', trials: 4, passed: 0, failed: 3, notGraded: 0 });
  const cells = (index: number) =>
    cases[index].stages.map(({ state, failedTrials }: Record<string, unknown>) =>
      failedTrials === 0 ? state : `${state} ${failedTrials}`,
    );
  expect(cells(0)).toEqual([
    ...['passed', 'passed', 'passed', 'failed 1', 'failed 2', 'notReached'],
  ]);
  expect(new Set(cells(1))).toEqual(new Set(['notMeasured']));
  expect(new Set(cells(2))).toEqual(new Set(['passed']));
  expect(cases[2]).toMatchObject({ trials: 3, passed: 3, testCaseId: null });
});

test('of more variants than are listed the failing ones are, and how many there are', async () => {
  const run = await insertRun(service, await insertSuite(service, tenant));
  const rows = Array.from({ length: 230 }, (_, index) => ({
    title: `Case ${index}`,
    result: index === 229 ? 'failed' : 'passed',
    chain: chainStoppedAt(index === 229 ? 'selection' : undefined),
  }));
  await insertTrialRows(service, run, rows);
  const { total, outcomes, cases } = await stagesOf(run);
  expect(outcomes).toEqual({ failed: 1, notGraded: 0, toCome: 0, passed: 229 });
  expect([total, cases.length, cases[0].title]).toEqual([230, 200, 'Case 229']);
});

test('a run without trials has no row, and one of another project is not found', async () => {
  const run = await insertRun(service, await insertSuite(service, tenant));
  expect(await stagesOf(run)).toMatchObject({ total: 0, cases: [] });
  const path = `projects/${run.projectId}/eval-runs/run_unknown/stages`;
  expect(await call(`${service.baseUrl}/api/v1/${path}`, { key: tenant.key })).toMatchObject({
    status: 404,
  });
});
