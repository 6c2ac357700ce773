import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'ingest');
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

interface NumberedTrial {
  readonly title: string;
  readonly iterationNumber: number;
}

interface Timed {
  readonly durationMs: number;
}

async function stateOf(runId: string) {
  const run = (await read(`eval-runs/${runId}`)).body;
  const iterations = (await read(`eval-runs/${runId}/iterations?limit=200`)).body.items;
  return {
    status: run.status,
    result: run.result,
    summary: run.summary,
    verdictSummary: run.verdictSummary,
    trials: iterations
      .map(({ id: _id, testCaseId: _testCaseId, ...trial }: Record<string, unknown>) => trial)
      .sort(
        (one: NumberedTrial, other: NumberedTrial) =>
          one.title.localeCompare(other.title) || one.iterationNumber - other.iterationNumber,
      ),
  };
}

describe('a run in batches', () => {
  const trials = Array.from({ length: 30 }, (_, index) => ({
    caseTitle: `case ${index % 4}`,
    passed: index % 7 !== 0,
    externalIterationId: `trial-${index}`,
    durationMs: index,
  }));

  async function reportInBatches(batches: readonly (readonly unknown[])[]): Promise<string> {
    const externalRunId = unique('batches');
    const start = await ingest('runs/start', { suiteName: 'Batches', externalRunId });
    expect(start.body).toMatchObject({
      ok: true,
      reused: false,
      status: 'running',
      result: null,
      summary: null,
    });
    const { runId } = start.body;
    for (const results of batches) {
      const appended = await ingest('runs/iterations', { runId, results });
      expect(appended.status, appended.text).toBe(200);
      expect(appended.body.inserted + appended.body.skipped).toBe(appended.body.total);
    }
    const end = await ingest('runs/finalize', { runId, externalRunId });
    expect(end.status, end.text).toBe(200);
    return runId;
  }

  test('repeated, overlapping and out of order, it ends in the same state', async () => {
    const inOrder = await stateOf(
      await reportInBatches([trials.slice(0, 10), trials.slice(10, 20), trials.slice(20)]),
    );
    expect(inOrder.trials).toHaveLength(30);
    // 30 trials of four cases. Iteration numbers count per case, so none exceeds 8.
    expect(Math.max(...inOrder.trials.map((one: NumberedTrial) => one.iterationNumber))).toBe(8);
    const orders = [
      [trials],
      [trials.slice(20), trials.slice(0, 10), trials.slice(10, 20)],
      [trials.slice(5, 25), trials.slice(0, 10), trials.slice(5, 25), trials.slice(20)],
      trials.map((trial) => [trial]).reverse(),
      [[...trials].reverse(), trials],
    ];
    for (const batches of orders)
      expect(await stateOf(await reportInBatches(batches))).toEqual(inOrder);
  });

  test('a number counts inside its case also where the ids count over the run', async () => {
    const externalRunId = unique('numbered');
    const results = Array.from({ length: 12 }, (_, index) => ({
      caseTitle: `case ${index % 2}`,
      passed: true,
      durationMs: index,
      model: index < 6 ? 'a/one' : 'a/two',
      externalIterationId: `${externalRunId}-${index + 1}`,
      ...(index === 11 && { metadata: { iterationNumber: 40 } }),
    }));
    const run = { suiteName: 'Numbered', externalRunId };
    const { runId } = (await ingest('runs/start', run)).body;
    await ingest('runs/iterations', { runId, results: results.slice(5).reverse() });
    await ingest('runs/iterations', { runId, results: results.slice(0, 5) });
    await ingest('runs/finalize', { runId });
    const whole = await ingest('report', {
      suiteName: 'Numbered at once',
      externalRunId,
      results: [...results].reverse(),
    });
    for (const id of [runId, whole.body.runId]) {
      const { items } = (await read(`eval-runs/${id}/iterations?limit=200`)).body;
      const numbers = (title: string, model: string) =>
        items
          .filter(
            (one: Record<string, unknown>) => one['title'] === title && one['model'] === model,
          )
          .sort((one: Timed, other: Timed) => one.durationMs - other.durationMs)
          .map((one: NumberedTrial) => one.iterationNumber);
      expect(numbers('case 0', 'a/one')).toEqual([1, 2, 3]);
      expect(numbers('case 0', 'a/two')).toEqual([1, 2, 3]);
      expect(numbers('case 1', 'a/one')).toEqual([1, 2, 3]);
      expect(numbers('case 1', 'a/two')).toEqual([1, 2, 40]);
    }
  });

  test('batches that arrive at the same moment are recorded once each, in an order without gaps', async () => {
    const { body: start } = await ingest('runs/start', {
      suiteName: 'At once',
      externalRunId: unique('once'),
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        ingest('runs/iterations', {
          runId: start.runId,
          results: trials.slice((index % 3) * 10, (index % 3) * 10 + 10),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(answers.reduce((sum, { body }) => sum + body.inserted, 0)).toBe(30);
    const rows = await service.owner
      .sql`select ordinal from eval_iterations where run_id = ${start.runId} order by ordinal`;
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('after the end only what is already there is taken', async () => {
    const runId = await reportInBatches([trials]);
    const again = await ingest('runs/iterations', { runId, results: trials.slice(3, 9) });
    expect(again.body).toEqual({ ok: true, inserted: 0, skipped: 6, total: 6 });
    const more = await ingest('runs/iterations', {
      runId,
      results: [...trials.slice(0, 2), passing],
    });
    expect(more.status).toBe(409);
    expect(more.body).toMatchObject({ code: 'CONFLICT', details: { newIterations: 1 } });
    expect((await read(`eval-runs/${runId}`)).body.iterationCount).toBe(30);
  });

  test('its end comes twice with the same answer, also at the same moment', async () => {
    const { body: start } = await ingest('runs/start', {
      suiteName: 'Twice',
      externalRunId: unique('twice'),
    });
    await ingest('runs/iterations', { runId: start.runId, results: trials });
    const ends = await Promise.all(
      [1, 2, 3, 4].map(() => ingest('runs/finalize', { runId: start.runId })),
    );
    for (const end of ends) expect(end.body).toEqual(ends[0]?.body);
    const suites = (await read('eval-suites')).body.items;
    const suite = suites.find(({ id }: { id: string }) => id === start.suiteId);
    expect(suite.totals).toEqual({ passed: 25, failed: 5, runs: 1 });
  });

  test('the same start finds the run, and a finished one with its result', async () => {
    const body = { suiteName: 'Found', externalRunId: unique('found') };
    const { body: start } = await ingest('runs/start', body);
    const found = await ingest('runs/start', body);
    expect(found.body).toEqual({ ...start, reused: true });
    await ingest('report', { ...body, results: [passing] });
    const finished = await ingest('runs/start', body);
    expect(finished.body).toMatchObject({
      runId: start.runId,
      reused: true,
      status: 'completed',
      result: 'passed',
      summary: { total: 1 },
    });
  });

  test('one externalRunId is one run in its suite, and another one in another suite', async () => {
    const externalRunId = unique('scope');
    const one = await ingest('runs/start', { suiteName: 'Scope one', externalRunId });
    const other = await ingest('runs/start', { suiteName: 'Scope other', externalRunId });
    expect(other.body.runId).not.toBe(one.body.runId);
    expect(other.body.reused).toBe(false);
  });

  test('another evaluationConfigHash is a conflict', async () => {
    const body = { suiteName: 'Hash', externalRunId: unique('hash'), evaluationConfigHash: 'a' };
    await ingest('runs/start', body);
    expect((await ingest('runs/start', { ...body, evaluationConfigHash: 'b' })).status).toBe(409);
    expect((await ingest('runs/start', body)).body.reused).toBe(true);
  });
});

test('a summary read before is never shown again once the run has changed', async () => {
  const { body: start } = await ingest('runs/start', {
    suiteName: 'Fresh',
    externalRunId: unique('fresh'),
  });
  const summary = async () => (await read(`eval-runs/${start.runId}/decision-summary`)).body;
  const scanned = [];
  for (let batch = 0; batch < 4; batch += 1) {
    scanned.push((await summary()).diagnostics.scannedIterations);
    expect((await summary()).runStatus).toBe('running');
    await ingest('runs/iterations', { runId: start.runId, results: [passing] });
  }
  expect(scanned).toEqual([0, 1, 2, 3]);
  await ingest('runs/finalize', { runId: start.runId });
  expect(await summary()).toMatchObject({
    verdict: 'passed',
    diagnostics: { complete: true, scannedIterations: 4 },
  });
});
