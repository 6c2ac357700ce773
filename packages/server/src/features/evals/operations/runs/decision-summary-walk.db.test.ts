/**
 * Tests paging through a long decision summary while reports arrive: no trial is missing and none
 * appears twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DecisionSummary } from '@proofmark/domain';
import { insertRun, insertSuite, type RunIds } from '@proofmark/harness/eval-rows.ts';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
import { createReporter, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cases = 500;
const models = 2;
const trialsPerCase = 100;
const longRun = cases * models * trialsPerCase;

let service: TestService;
let tenant: Tenant;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'walk');
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

test(`a walk through ${longRun} trials while another run is reported shows every trial that did not pass once`, {
  timeout: 240_000,
}, async () => {
  const run = await insertRunOf({ cases, models, trialsPerCase });
  const end = await ingest('runs/finalize', { runId: run.runId });
  expect(end.body.summary.total, end.text).toBe(longRun);
  const decided = await read(`eval-runs/${run.runId}/decision-summary?limit=1`);
  expect(DecisionSummary.safeParse(decided.body).error).toBeUndefined();
  expectPublishedSummary(decided.body);
  expect(decided.body).toMatchObject({ verdictSource: 'policyV2' });
  expect(decided.body.decision.cases).toHaveLength(cases * models);

  const other = await startReporting(unique('other'));
  const walk = await walkThrough(run.runId, 200);
  const appended = await other.stop();

  expect(walk.iterationIds).toEqual(await notPassed(run.runId));
  expect(walk.iterationIds.length).toBeGreaterThan(longRun / 100);
  expect(walk.scanned).toHaveLength(longRun / 200);
  expect(new Set(walk.scanned)).toEqual(new Set([200]));
  expect(walk.everComplete).toBe(false);
  expect(appended).toBeGreaterThan(100);
  const ended = await ingest('runs/finalize', { runId: other.runId });
  expect(ended.body.summary).toMatchObject({ total: appended, passed: appended });
  const [stored] = await service.owner.sql`
    select count(distinct external_id)::integer as ids, count(*)::integer as trials, max(ordinal) as last
    from eval_iterations where run_id = ${other.runId}`;
  expect(stored).toEqual({ ids: appended, trials: appended, last: appended });
});

test.each([200, 37])(
  'a walk by %i through a run that is being reported misses nothing of its start and sees nothing twice',
  { timeout: 60_000 },
  async (limit) => {
    const run = await insertRunOf({ cases: 60, models: 1, trialsPerCase: 50 });
    const atStart = await notPassed(run.runId);
    const reporting = await startReporting(unique('same'), run.runId);
    const walk = await walkThrough(run.runId, limit, () => reporting.stop());
    const appended = await reporting.stop();

    expect(appended).toBeGreaterThan(0);
    expect(new Set(walk.iterationIds).size).toBe(walk.iterationIds.length);
    expect(walk.iterationIds.slice(0, atStart.length)).toEqual(atStart);
    // Reporting stopped before the last page, so the pages must contain every trial.
    expect(walk.iterationIds).toEqual(await notPassed(run.runId));
    expect(walk.scanned.reduce((sum, count) => sum + count)).toBe(3000 + appended);
    expect(walk.everComplete).toBe(false);
  },
);

/**
 * Follows the cursors to the end. Calls `nearTheEnd` before the last pages, so that the reporters
 * can finish first.
 */
async function walkThrough(runId: string, limit: number, nearTheEnd?: () => Promise<unknown>) {
  const iterationIds: string[] = [];
  const scanned: number[] = [];
  let everComplete = false;
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(`eval-runs/${runId}/decision-summary?limit=${limit}${query}`);
    if (page.status !== 200) throw new Error(page.text);
    const { diagnostics } = page.body;
    for (const item of diagnostics.items) iterationIds.push(item.iterationId);
    scanned.push(diagnostics.scannedIterations);
    everComplete ||= diagnostics.complete !== false;
    if (scanned.length * limit > 2500) await nearTheEnd?.();
    cursor = diagnostics.nextCursor;
    if (cursor === undefined) return { iterationIds, scanned, everComplete };
  }
}

/**
 * Sends batches to an existing or a new run until it is stopped. Returns the number of added
 * trials.
 */
async function startReporting(name: string, existing?: string) {
  const batch = 20;
  const pauseMs = 20;
  const started = await ingest('runs/start', { suiteName: 'Meanwhile', externalRunId: name });
  const runId: string = existing ?? started.body.runId;
  let going = true;
  const done = (async () => {
    let added = 0;
    while (going) {
      const results = Array.from({ length: batch }, (_, index) => ({
        caseTitle: `case ${(added + index) % 100}`,
        passed: existing === undefined || index % 3 > 0,
        externalIterationId: `${name}-${added + index}`,
      }));
      const answer = await ingest('runs/iterations', { runId, results });
      if (answer.body?.inserted !== batch) throw new Error(answer.text);
      added += batch;
      await pause(pauseMs);
    }
    return added;
  })();
  return {
    runId,
    stop() {
      going = false;
      return done;
    },
  };
}

async function insertRunOf(size: {
  cases: number;
  models: number;
  trialsPerCase: number;
}): Promise<RunIds> {
  const { sql } = service.owner;
  const suite = await insertSuite(service, tenant, { name: unique('Long') });
  const total = size.cases * size.models * size.trialsPerCase;
  const validity = {
    coverage: { kind: 'minEligibleTrials', minEligibleTrials: 1 },
    minCompletionRate: 0.8,
    maxEvaluatorErrorRate: 0.1,
  };
  const run = await insertRun(service, suite, {
    status: 'running',
    result: null,
    verdict_policy_version: 2,
    snapshot: {
      terms: { policy: validity, passThreshold: 0.5 },
      servers: [],
      environment: null,
      toolSurface: null,
    },
    iteration_count: total,
  });
  await sql`
    insert into eval_cases (id, organization_id, suite_id, case_key, content_hash, title, is_negative)
    select ${suite.suiteId} || '-' || number, ${run.organizationId}, ${suite.suiteId},
      'external:' || number, number::text, 'case ' || number, false
    from generate_series(0, ${size.cases - 1}::integer) number`;
  await sql`
    insert into eval_iterations (run_id, ordinal, id, organization_id, case_id, title, iteration_number, numbered,
      status, result, evaluator_error, model, provider, expected_tool_calls, actual_tool_calls)
    select ${run.runId}, number + 1, md5(${run.runId} || number), ${run.organizationId},
      ${suite.suiteId} || '-' || number % ${size.cases}::integer, 'a trial', number + 1, true,
      case when chance < 3 then 'timed_out' when chance < 5 then 'cancelled' else 'completed' end,
      case when chance < 10 then null when chance < 40 then 'failed' else 'passed' end,
      chance between 5 and 9, 'model-' || number / ${size.cases}::integer % ${size.models}::integer, 'local', '[]', '[]'
    from (
      select number, abs(hashtext('trial ' || number)) % 1000 as chance
      from generate_series(0, ${total - 1}::integer) number
    ) trials`;
  // Updates the planner statistics now, because autovacuum would update them only later.
  await sql`analyze eval_iterations`;
  return run;
}

async function notPassed(runId: string): Promise<string[]> {
  const rows = await service.owner.sql<{ id: string }[]>`
    select id from eval_iterations where run_id = ${runId} and result is distinct from 'passed' order by ordinal`;
  return rows.map(({ id }) => id);
}
