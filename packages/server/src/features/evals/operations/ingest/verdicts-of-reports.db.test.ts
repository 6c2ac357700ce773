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

describe('a report without a verdict says why', () => {
  const title = 'weather in Rome';
  test('in one step, by title', async () => {
    const ungraded = [passing, { caseTitle: title, evaluatorError: true }];
    const broken = await ingest('report', { suiteName: 'Broken', results: ungraded });
    expect(broken.body.why).toMatch(/^The grader broke .* “weather in Rome”\.$/);
  });

  test('in batches, each time it is asked', async () => {
    const run = { suiteName: 'Few', externalRunId: 'few', expectedIterations: 2 };
    const { body } = await ingest('runs/start', run);
    expect(body).not.toHaveProperty('why');
    await ingest('runs/iterations', { runId: body.runId, results: [passing] });
    const why = 'Only 1 of the 2 expected iterations were reported.';
    for (let again = 0; again < 2; again += 1) {
      const ended = await ingest('runs/finalize', { runId: body.runId });
      expect(ended.body).toMatchObject({ result: null, why });
    }
    expect((await ingest('runs/start', run)).body).toMatchObject({ reused: true, why });
  });
});

describe('a report of more than a decision holds', () => {
  const results = Array.from({ length: 150 }, () => ({
    caseTitle: 'weather in Rome',
    passed: true,
  }));

  test.each([
    ['passed', results],
    ['failed', [...results, { caseTitle: 'weather in Rome', passed: false }]],
  ])('has the result that the rules give: %s', async (result, reported) => {
    const { body } = await ingest('report', { suiteName: unique('Many'), results: reported });
    expect(body).toMatchObject({ status: 'completed', result });
    expect(body).not.toHaveProperty('why');
    const run = (await read(`eval-runs/${body.runId}`)).body;
    expect(run).toMatchObject({ result, verdict: result, verdictPolicyVersion: null });
    const summary = (await read(`eval-runs/${body.runId}/decision-summary`)).body;
    expect(summary).toMatchObject({
      verdict: result,
      verdictSource: 'legacy',
      decidedBy: { passThreshold: 1 },
      counts: { measurementUnit: 'trial', total: reported.length, passed: 150 },
    });
  });

  test('in batches, too, and answered again with the same', async () => {
    const run = { suiteName: unique('Many'), externalRunId: 'many' };
    const { runId } = (await ingest('runs/start', run)).body;
    await ingest('runs/iterations', { runId, results });
    for (let again = 0; again < 2; again += 1) {
      const ended = (await ingest('runs/finalize', { runId })).body;
      expect(ended).toMatchObject({ status: 'completed', result: 'passed' });
    }
    expect((await ingest('runs/start', run)).body).toMatchObject({
      reused: true,
      result: 'passed',
    });
  });
});

describe('skipped tests count as the report states', () => {
  const results = [
    passing,
    { caseTitle: 'left out', status: 'skipped' },
    { caseTitle: 'also fine', passed: true },
  ];
  const passCriteria = { minimumPassRate: 100 };

  test.each([
    [{ passCriteria }, 'failed'],
    [{ passCriteria, skipped: 'ignore' }, 'passed'],
    [{ passCriteria, skipped: 'fail' }, 'failed'],
    [{ passCriteria, skipped: 'inconclusive' }, null],
    [{}, null],
    [{ skipped: 'ignore' }, 'passed'],
    [{ skipped: 'fail' }, 'failed'],
  ])('%j: %s', async (terms, result) => {
    const report = { suiteName: unique('Skipping'), externalRunId: 'once', ...terms, results };
    const { body, status, text } = await ingest('report', report);
    expect(status, text).toBe(200);
    expect(body.result).toBe(result);
    expect('why' in body).toBe(result === null);
    expect((await ingest('report', report)).body).toMatchObject({ reused: true, result });
    const run = (await read(`eval-runs/${body.runId}`)).body;
    expect(run.decidedBy?.skipped).toBe((terms as { skipped?: string }).skipped);
    expect(run.iterationCount).toBe(3);
  });

  test('the same run under another rule is another run, and an unknown rule is rejected', async () => {
    const run = { suiteName: unique('Skipping'), externalRunId: 'twice', results };
    await ingest('report', { ...run, skipped: 'ignore' });
    expect((await ingest('report', { ...run, skipped: 'fail' })).status).toBe(409);
    expect((await ingest('report', { ...run, skipped: 'sometimes' })).status).toBe(400);
  });
});
