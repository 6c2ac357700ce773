/**
 * Tests repeated reports: equal content gets the earlier response again, different content is
 * rejected.
 */

import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'again');
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

const alreadyReported = { code: 'CONFLICT', details: { reason: 'RUN_ALREADY_REPORTED' } };

async function storedOf(runId: string) {
  const { sql } = service.owner;
  const runs = await sql`select * from eval_runs where id = ${runId}`;
  const trials = await sql`select * from eval_iterations where run_id = ${runId} order by ordinal`;
  const suites = await sql`
    select passed_trials, failed_trials, run_count from eval_suites where id = ${runs[0]?.['suiteId']}`;
  return { runs: [...runs], trials: [...trials], suites: [...suites] };
}

describe('a report under a known externalRunId', () => {
  const chain = {
    stageResults: [],
    firstFailedStage: 'call',
    stageAnalyzerVersion: 1,
  };
  const full = { ...failing, caseId: 'weather', externalIterationId: 'w-1', metadata: chain };
  const body = (changes: object = {}) => ({
    suiteName: 'Again',
    verdictPolicy: { passThreshold: 0.5 },
    framework: 'our-runner',
    notes: 'first',
    ci: { branch: 'main', commitSha: 'a' },
    tags: ['nightly'],
    serverNames: ['weather'],
    expectedIterations: 3,
    results: [passing, passing, full],
    ...changes,
  });

  test.each<[string, (given: ReturnType<typeof body>) => object]>([
    ['the same bytes', (given) => given],
    ['its keys in another order', (given) => Object.fromEntries(Object.entries(given).reverse())],
    [
      'its results in another order',
      (given) => ({ ...given, results: given.results.toReversed() }),
    ],
    [
      'keys of its results in another order',
      (given) => ({
        ...given,
        results: given.results.map((one) => Object.fromEntries(Object.entries(one).reverse())),
      }),
    ],
  ])('with %s answers again and records nothing', async (_title, change) => {
    const first = body({ externalRunId: unique('same') });
    const { body: answer } = await ingest('report', first);
    expect(answer).toMatchObject({ reused: false, result: 'failed' });
    const before = await storedOf(answer.runId);
    const again = await ingest('report', change(first as ReturnType<typeof body>));
    expect(again.status, again.text).toBe(200);
    expect(again.body).toEqual({ ...answer, reused: true });
    expect(await storedOf(answer.runId)).toEqual(before);
  });

  test.each<[string, object]>([
    [
      'a trial that failed and now passed',
      { results: [passing, passing, { ...full, passed: true }] },
    ],
    [
      'a trial that passed and now failed',
      { results: [passing, { ...passing, passed: false }, full] },
    ],
    ['a trial more', { results: [passing, passing, passing, full] }],
    ['a trial less', { results: [passing, full] }],
    ['another duration', { results: [passing, passing, { ...full, durationMs: 121 }] }],
    ['another error', { results: [passing, passing, { ...full, error: 'Something else.' }] }],
    ['another title', { results: [passing, passing, { ...full, caseTitle: 'rain' }] }],
    ['another case', { results: [passing, passing, { ...full, caseId: 'rain' }] }],
    ['another model', { results: [passing, passing, { ...full, model: 'small-2' }] }],
    [
      'another id of a trial',
      { results: [passing, passing, { ...full, externalIterationId: 'x' }] },
    ],
    ['other calls', { results: [passing, passing, { ...full, actualToolCalls: [] }] }],
    ['another trace', { results: [passing, passing, { ...full, trace: [{ role: 'user' }] }] }],
    ['other details', { results: [passing, passing, { ...full, query: 'Other?' }] }],
    ['another external case', { results: [passing, { ...passing, externalCaseId: 'e' }, full] }],
    ['other steps', { results: [passing, { ...passing, steps: [{ id: 'a' }] }, full] }],
    [
      'another chain',
      {
        results: [
          passing,
          passing,
          { ...full, metadata: { ...chain, firstFailedStage: 'response' } },
        ],
      },
    ],
    ['other terms', { verdictPolicy: { passThreshold: 0.1 } }],
    ['no terms', { verdictPolicy: undefined }],
    ['another commit', { ci: { branch: 'main', commitSha: 'b' } }],
    ['other servers', { serverNames: ['rain'] }],
    ['another number of expected trials', { expectedIterations: 2 }],
  ])('with %s is refused, and nothing is written', async (_title, changes) => {
    const externalRunId = unique('other');
    const { body: answer } = await ingest('report', body({ externalRunId }));
    const before = await storedOf(answer.runId);
    const again = await ingest('report', body({ externalRunId, ...changes }));
    expect(again.status, again.text).toBe(409);
    expect(again.body).toMatchObject(alreadyReported);
    expect(again.body.details).toMatchObject({ runId: answer.runId, status: 'completed' });
    expect(await storedOf(answer.runId)).toEqual(before);
  });

  test('with other content at the same moment is refused: one of them is the run', async () => {
    const externalRunId = unique('at-once');
    const answers = await Promise.all(
      [true, false, true, false].map((passed) =>
        ingest('report', body({ externalRunId, results: [passing, passing, { ...full, passed }] })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const fine = answers.filter(({ status }) => status === 200).map((one) => one.body);
    expect(fine.map(({ reused }) => reused).sort()).toEqual([false, true]);
    expect(fine[0].result).toBe(fine[1].result);
  });

  test('is compared with what is stored also where that was stored by an earlier version', async () => {
    const externalRunId = unique('stored');
    const { body: answer } = await ingest('report', body({ externalRunId }));
    await service.owner.sql`
      alter table eval_runs disable trigger keep_decided`;
    await service.owner.sql`
      update eval_runs set snapshot = (snapshot::jsonb - 'reportedTerms' - 'declared')::text
      where id = ${answer.runId}`;
    await service.owner.sql`alter table eval_runs enable trigger keep_decided`;
    expect((await ingest('report', body({ externalRunId }))).body.reused).toBe(true);
    const other = body({ externalRunId, results: [passing, passing, passing] });
    expect((await ingest('report', other)).body).toMatchObject(alreadyReported);
  });

  test.each(['actual_tool_calls', 'usage'])(
    'is refused where what is stored in %s cannot be read',
    async (column) => {
      const { sql } = service.owner;
      const externalRunId = unique('broken');
      const { body: answer } = await ingest('report', body({ externalRunId }));
      await sql`update eval_iterations set ${sql(column)} = '{' where run_id = ${answer.runId}`;
      const again = await ingest('report', body({ externalRunId }));
      expect(again.body).toMatchObject(alreadyReported);
    },
  );
});

describe('a file under a known externalRunId', () => {
  const report = (name: string) =>
    `<testsuite><testcase classname="a" name="${name}"/></testsuite>`;
  async function uploaded(file: string) {
    const { uploadUrl, artifactId } = await mintUpload(service, tenant);
    await sendFile(uploadUrl, file);
    return { artifact: { artifactId, format: 'junit-xml' } };
  }

  test('is the same file once more, also uploaded anew, or it is refused and stays', async () => {
    const run = { suiteName: 'Files', externalRunId: unique('file') };
    const first = { ...run, ...(await uploaded(report('one'))) };
    const { body: answer } = await ingest('report', first);
    expect((await ingest('report', first)).body).toEqual({ ...answer, reused: true });
    const again = await ingest('report', { ...run, ...(await uploaded(report('one'))) });
    expect(again.body).toEqual({ ...answer, reused: true });
    const other = await uploaded(report('two'));
    expect((await ingest('report', { ...run, ...other })).body).toMatchObject(alreadyReported);
    const { artifactId } = other.artifact;
    expect((await service.owner.sql`select from artifacts where id = ${artifactId}`).count).toBe(1);
    expect((await ingest('report', { ...first, notes: 'n' })).body).toMatchObject(alreadyReported);
  });
});

describe('a run in batches', () => {
  const trial = (id: string, passed = true) => ({
    caseTitle: 'batched',
    passed,
    externalIterationId: id,
  });
  const start = async (changes: object = {}) => {
    const body = { suiteName: 'Batches', externalRunId: unique('batch'), ...changes };
    return { body, runId: (await ingest('runs/start', body)).body.runId as string };
  };
  const reason = { code: 'CONFLICT', details: { reason: 'ITERATION_ALREADY_REPORTED' } };

  test.each(['while it is open', 'after its end'])(
    'refuses a trial that says something else under a known id, with the whole batch, %s',
    async (when) => {
      const { runId } = await start();
      await ingest('runs/iterations', { runId, results: [trial('a'), trial('b')] });
      if (when === 'after its end') await ingest('runs/finalize', { runId });
      const before = await storedOf(runId);
      const results = [trial('a'), trial('b', false), trial('c')];
      const refused = await ingest('runs/iterations', { runId, results });
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject(reason);
      expect(refused.body.details).toMatchObject({ runId, externalIterationIds: ['b'] });
      expect(await storedOf(runId)).toEqual(before);
      const same = await ingest('runs/iterations', { runId, results: [trial('a'), trial('b')] });
      expect(same.body).toEqual({ ok: true, inserted: 0, skipped: 2, total: 2 });
    },
  );

  test('refuses one id for two trials in one batch, and takes one trial twice', async () => {
    const { runId } = await start();
    const two = await ingest('runs/iterations', {
      runId,
      results: [trial('a'), trial('a', false)],
    });
    expect(two.body).toMatchObject(reason);
    const twice = await ingest('runs/iterations', { runId, results: [trial('a'), trial('a')] });
    expect(twice.body).toEqual({ ok: true, inserted: 1, skipped: 1, total: 2 });
  });

  test('is resumed by its id while it is open, whatever else is said, but not under other terms', async () => {
    const { body, runId } = await start({ verdictPolicy: { passThreshold: 0.5 } });
    const resumed = await ingest('runs/start', { ...body, ci: { jobId: '2' } });
    expect(resumed.body).toMatchObject({ runId, reused: true, status: 'running' });
    const silent = await ingest('runs/start', { ...body, verdictPolicy: undefined });
    expect(silent.body).toMatchObject({ runId, reused: true });
    const other = { ...body, verdictPolicy: { passThreshold: 1 } };
    expect((await ingest('runs/start', other)).body).toMatchObject(alreadyReported);
    const percent = { ...body, verdictPolicy: undefined, passCriteria: { minimumPassRate: 1 } };
    expect((await ingest('runs/start', percent)).body).toMatchObject(alreadyReported);
  });

  test('is told with its result after its end, but not as the run of another commit', async () => {
    const { body, runId } = await start({ ci: { commitSha: 'a' } });
    await ingest('runs/iterations', { runId, results: [trial('a')] });
    await ingest('runs/finalize', { runId });
    expect((await ingest('runs/start', body)).body).toMatchObject({
      runId,
      reused: true,
      result: 'passed',
    });
    const other = await ingest('runs/start', { ...body, ci: { commitSha: 'b' } });
    expect(other.body).toMatchObject(alreadyReported);
  });

  test('is reported in one step with the same trials, or it is refused', async () => {
    const { body, runId } = await start();
    await ingest('runs/iterations', { runId, results: [trial('a'), trial('b', false)] });
    await ingest('runs/finalize', { runId });
    const same = await ingest('report', { ...body, results: [trial('b', false), trial('a')] });
    expect(same.body).toMatchObject({ runId, reused: true, result: 'failed' });
    const other = await ingest('report', { ...body, results: [trial('a'), trial('b')] });
    expect(other.body).toMatchObject(alreadyReported);
    expect((await read(`eval-runs/${runId}`)).body.result).toBe('failed');
  });
});
