/**
 * Tests that the counts of a run's cases cover all trials, even if the run has more trials than
 * detectors read.
 */
import { insertRun, insertSuite } from '@proofmark/harness/eval-rows.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { detectInEvalRun } from './detect-in-eval-run.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a case that fails in a seventh of many trials does not fail always, and a rare one is told of', async () => {
  const tenant = await createTenant(service, 'many');
  const { runId } = await insertRun(service, await insertSuite(service, tenant), {});
  const { organizationId, projectId } = tenant;
  // 2,100 of 14,000 trials of one case fail, and so does the only trial of another case.
  await service.owner.sql`
    insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status, result,
      evaluator_error, expected_tool_calls, actual_tool_calls, declared_case_id)
    select ${runId}, n, 'itr_' || n, ${organizationId}, n, false, 'completed',
      case when n % 20 < 3 or n = 14001 then 'failed' else 'passed' end, false, '[]', '[]',
      case n when 14001 then 'rare' else 'often' end
    from generate_series(1, 14001) n`;
  const place = {
    organizationId,
    projectId,
    kind: 'eval_run',
    scopeId: runId,
    generation: 1,
  } as const;
  await service.owner.sql`
    insert into insights (kind, scope_id, organization_id, project_id, status, generation, beat_at)
    values ('eval_run', ${runId}, ${organizationId}, ${projectId}, 'pending', 1, now() - interval '1 day')`;
  const { material } = await detectInEvalRun(service.database, place, new AbortController().signal);
  expect(material.coverage).toMatchObject({ analyzed: 2000, total: 14_001, truncated: true });
  const found = material.candidates.map(({ candidate }) => [
    ...[candidate.detector, candidate.subjectId, candidate.affected, candidate.sliceTotal],
  ]);
  expect(found).toEqual([
    ['case_fail', 'rare', 1, 1],
    ['case_fail', 'often', 2100, 14_000],
    ['flaky_case', 'often', 2100, 14_000],
  ]);
  const [row] = await service.owner.sql`
    select beat_at > now() - interval '1 hour' as was_heard from insights where scope_id = ${runId}`;
  expect(row).toEqual({ wasHeard: true });
});
