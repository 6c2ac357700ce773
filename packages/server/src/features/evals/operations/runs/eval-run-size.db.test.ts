import {
  createLauncher,
  type Launcher,
  weatherSteps as steps,
} from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
let suite: Launcher['suite'];
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  ({ ask, suite } = createLauncher(service, tenant));
});
afterAll(() => service.stop());

test('a run of ten thousand trials is written, compared and cancelled within the time of a request', async () => {
  const tests = Array.from({ length: 100 }, (_, at) => ({ title: `Case ${at}`, steps, runs: 10 }));
  const suiteId = await suite({ tests });
  const { sql } = service.owner;
  await sql`
    update eval_cases set definition = jsonb_set(definition::jsonb, '{iterations}', '100')::text
    where suite_id = ${suiteId}`;
  const runIds: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const launched = await ask('POST', 'eval-runs', { suiteId });
    expect(launched.status, launched.text).toBe(202);
    runIds.push(launched.body.runId);
  }
  const [first, second] = runIds;
  const [count] = await sql`
    select count(*)::int as trials, count(distinct id)::int as ids, max(ordinal) as last
    from eval_iterations where run_id = ${first as string} and status = 'pending'`;
  expect(count).toMatchObject({ trials: 10_000, ids: 10_000, last: 10_000 });
  await sql`
    update eval_iterations set status = 'completed', result = 'passed'
    where run_id = ${second as string} and ordinal % 3 > 0`;
  const compared = await ask('GET', `eval-runs/${second}/compare?baseRunId=${first}`);
  expect(compared.status, compared.text).toBe(200);
  expect(compared.body.cases).toHaveLength(100);
  for (const { compare } of compared.body.cases) expect(compare.iterationIds).toHaveLength(20);
  const cancelled = await ask('POST', `eval-runs/${second}/cancel`);
  expect(cancelled.status, cancelled.text).toBe(200);
  expect(cancelled.body.summary).toMatchObject({ passed: 6667 });
  const added = await ask('POST', `eval-suites/${suiteId}/cases`, { title: 'One more', steps });
  expect(added.status, added.text).toBe(201);
  const refused = await ask('POST', 'eval-runs', { suiteId });
  expect(refused.body).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { reason: 'TOO_MANY_TRIALS' },
  });
});
