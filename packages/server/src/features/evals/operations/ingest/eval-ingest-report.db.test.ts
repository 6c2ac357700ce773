import { createHash } from 'node:crypto';
import { canonicalJson, DecisionSummary } from '@proofmark/domain';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
import { createReporter, failing, passing } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
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

describe('a report in one step', () => {
  test('makes the suite and the run, decides it under policy v2 and says so', async () => {
    const answer = await ingest('report', { suiteName: 'One step', results: [passing, failing] });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      suiteId: expect.stringMatching(/^ste_/),
      runId: expect.stringMatching(/^run_/),
      projectId: tenant.projectId,
      reused: false,
      status: 'completed',
      result: 'failed',
      summary: { total: 2, passed: 1, failed: 1, passRate: 0.5 },
    });
    const run = (await read(`eval-runs/${answer.body.runId}`)).body;
    expect(run).toMatchObject({
      source: 'sdk',
      verdictPolicyVersion: 2,
      result: 'failed',
      runNumber: 1,
    });
    expect(run.verdictSummary.validity.policy).toEqual({
      coverage: { kind: 'allConfiguredTrialsAttempted', minGradeableTrials: 1 },
      minCompletionRate: 0.8,
      maxEvaluatorErrorRate: 0.1,
    });
    const summary = (await read(`eval-runs/${answer.body.runId}/decision-summary`)).body;
    expectPublishedSummary(summary);
    expect(DecisionSummary.parse(summary)).toMatchObject({
      verdict: 'failed',
      verdictSource: 'policyV2',
    });
    expect(summary.diagnostics).toMatchObject({ complete: true, scannedIterations: 2 });
    const [trial] = summary.diagnostics.items;
    expect(trial).toMatchObject({
      title: 'weather',
      iterationNumber: 1,
      expected: { toolNames: ['get_weather'] },
      observed: { toolNames: ['get_time'], failure: 'The model called get_time.' },
    });
    expect(trial.chain).toMatchObject({ status: 'verified', firstFailedStage: 'selection' });
    const trace = await call(`${service.baseUrl}/api/v1${trial.evidence.tracePath}`, {
      key: tenant.key,
    });
    expect(trace.body).toMatchObject({
      traceVersion: 1,
      messages: failing.trace.messages,
      spans: [],
    });
  });

  test('a percent threshold and no policy make a legacy run, which stays one', async () => {
    const legacy = await ingest('report', {
      suiteName: 'Percent',
      passCriteria: { minimumPassRate: 50 },
      results: [passing, failing],
    });
    expect(legacy.body.result).toBe('passed');
    const summary = (await read(`eval-runs/${legacy.body.runId}/decision-summary`)).body;
    expect(summary).toMatchObject({
      verdictSource: 'legacy',
      verdict: 'passed',
      counts: { measurementUnit: 'trial', total: 2, passed: 1, failed: 1 },
    });
    const both = await ingest('report', {
      suiteName: 'Percent',
      passCriteria: { minimumPassRate: 50 },
      verdictPolicy: {},
      results: [passing, failing],
    });
    expect(both.body.result).toBe('failed');
    expect((await read(`eval-runs/${both.body.runId}`)).body.verdictPolicyVersion).toBe(2);
  });

  test('an inconclusive decision has no result', async () => {
    const trials = [
      passing,
      { caseTitle: 'stuck', status: 'timed_out' },
      { caseTitle: 'stuck', status: 'timed_out' },
    ];
    const answer = await ingest('report', { suiteName: 'Inconclusive', results: trials });
    expect(answer.body).toMatchObject({ status: 'completed', result: null });
    const summary = (await read(`eval-runs/${answer.body.runId}/decision-summary`)).body;
    expect(summary.verdict).toBe('inconclusive');
    expect(summary.decision.reasons).toEqual([
      'completionRateBelowMinimum',
      'caseHasNoEligibleTrials',
    ]);
  });

  test('fewer trials than were expected leave it undecided, with the reason', async () => {
    const answer = await ingest('report', {
      suiteName: 'Short',
      expectedIterations: 5,
      results: [passing],
    });
    expect(answer.body.result).toBe(null);
    const summary = (await read(`eval-runs/${answer.body.runId}/decision-summary`)).body;
    expect(summary.undecided).toEqual({
      reason: 'verdictSummaryUnavailable',
      detail: 'Only 1 of the 5 expected iterations were reported.',
    });
  });

  test('repetitions are trials of one case, and models of a case are its variants', async () => {
    const trial = (model: string, passed: boolean) => ({
      caseTitle: 'fan',
      model,
      provider: 'p',
      passed,
    });
    const answer = await ingest('report', {
      suiteName: 'Fan out',
      verdictPolicy: { passThreshold: 0.5 },
      results: [
        trial('b', true),
        trial('a', true),
        trial('a', false),
        trial('b', false),
        trial('b', false),
      ],
    });
    const run = (await read(`eval-runs/${answer.body.runId}`)).body;
    const { cases } = run.verdictSummary;
    expect(run.caseTitles).toEqual({ [cases[0].caseId]: 'fan' });
    expect(
      cases.map((row: Record<string, unknown>) => [
        row['executionVariant'],
        row['passedTrials'],
        row['verdict'],
      ]),
    ).toEqual([
      [{ model: 'a', provider: 'p' }, 1, 'passed'],
      [{ model: 'b', provider: 'p' }, 1, 'failed'],
    ]);
  });

  test('a broken grader leaves the trial out and is never a failure of the server', async () => {
    const trials = Array.from({ length: 10 }, (_, index) => ({
      ...passing,
      ...(index === 0 && { passed: false, evaluatorError: true }),
    }));
    const answer = await ingest('report', { suiteName: 'Grader', results: trials });
    expect(answer.body.result).toBe('passed');
    const summary = (await read(`eval-runs/${answer.body.runId}/decision-summary`)).body;
    expect(summary.diagnostics.items).toHaveLength(1);
    expect(summary.diagnostics.items[0].result).toBeUndefined();
    expect(summary.diagnostics.items[0].chain.failureCategory).toBe('evaluator');
  });
});

describe('chains that came with a trial', () => {
  const rows = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'];
  const chain = rows.map((stage, index) =>
    index < 2
      ? { stage, state: 'passed' }
      : index === 2
        ? { stage, state: 'failed' }
        : { stage, state: 'notReached' },
  );
  test.each([
    [
      'a valid one is kept',
      { stageResults: chain, firstFailedStage: 'selection', stageAnalyzerVersion: 1 },
      'verified',
    ],
    [
      'one of a newer analyzer is flagged',
      { stageResults: chain, firstFailedStage: 'selection', stageAnalyzerVersion: 9 },
      'verified',
    ],
    [
      'one that does not validate is withheld',
      { stageResults: [], stageAnalyzerVersion: 1 },
      'unverified',
    ],
    [
      'a stored null is a value',
      { stageResults: chain, firstFailedStage: null, stageAnalyzerVersion: 1 },
      'unverified',
    ],
  ])('%s', async (_title, metadata, status) => {
    const answer = await ingest('report', {
      suiteName: 'Chains',
      results: [{ ...failing, metadata }],
    });
    const summary = (await read(`eval-runs/${answer.body.runId}/decision-summary`)).body;
    const [trial] = summary.diagnostics.items;
    expect(trial.chain.status).toBe(status);
    if (metadata.stageAnalyzerVersion === 9) {
      expect(trial.chain.analyzerVersionAhead).toEqual({ reported: 9, known: 2 });
    }
  });
});

describe('cases', () => {
  test('are the same over runs by declared id, by the id of the reporter, else by content', async () => {
    const caseOf = async (result: object) => {
      const { body } = await ingest('report', {
        suiteName: 'Cases',
        results: [{ ...passing, ...result }],
      });
      return (await read(`eval-runs/${body.runId}/iterations`)).body.items[0];
    };
    const byContent = await caseOf({});
    expect((await caseOf({})).testCaseId).toBe(byContent.testCaseId);
    const adopted = await caseOf({ caseId: 'adds' });
    expect(adopted).toMatchObject({ testCaseId: byContent.testCaseId, caseId: 'adds' });
    expect((await caseOf({ caseId: 'adds', caseTitle: 'renamed' })).testCaseId).toBe(
      byContent.testCaseId,
    );
    const external = await caseOf({ externalCaseId: 'x-1' });
    expect(external.testCaseId).not.toBe(byContent.testCaseId);
    expect((await caseOf({ externalCaseId: 'x-1', caseTitle: 'other' })).testCaseId).toBe(
      external.testCaseId,
    );
    expect((await caseOf({ isNegativeTest: true })).testCaseId).not.toBe(byContent.testCaseId);
    expect((await caseOf({ metadata: { scores: [] } })).testCaseId).toBe(byContent.testCaseId);
  });

  test('many runs that report the same new cases at once make each case once', async () => {
    const results = Array.from({ length: 20 }, (_, index) => ({
      caseTitle: `shared ${index}`,
      passed: true,
    }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ingest('report', {
          suiteName: 'Shared cases',
          results: index % 2 ? results : [...results].reverse(),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const suiteId = answers[0]?.body.suiteId;
    const [row] = await service.owner
      .sql`select count(*)::integer as count from eval_cases where suite_id = ${suiteId}`;
    expect(row?.['count']).toBe(20);
  });
});

test('pages tell the beginning of a long error, and the trial itself has all of it', async () => {
  const error = 'x'.repeat(100_000);
  const { runId } = (
    await ingest('report', {
      suiteName: 'Long errors',
      results: Array.from({ length: 40 }, () => ({ ...failing, error })),
    })
  ).body;
  const summary = await read(`eval-runs/${runId}/decision-summary?limit=200`);
  expect(summary.body.diagnostics.items).toHaveLength(40);
  expect(summary.body.diagnostics.items[0].observed.failure).toBe(`${'x'.repeat(1999)}…`);
  const page = await read(`eval-runs/${runId}/iterations?limit=200`);
  const [first] = page.body.items;
  expect(first).toMatchObject({ error: `${'x'.repeat(1999)}…`, hasTrace: true });
  for (const { text } of [summary, page]) expect(text.length).toBeLessThan(300_000);
  expect((await read(`eval-runs/${runId}/iterations/${first.id}`)).body.error).toBe(error);
});

test('a trial says whether a trace came with it', async () => {
  const { trace: _none, ...untraced } = failing;
  const { runId } = (
    await ingest('report', {
      suiteName: 'Some with a trace',
      results: [failing, untraced, { ...untraced, trace: [] }],
    })
  ).body;
  const { items } = (await read(`eval-runs/${runId}/iterations`)).body;
  const traceFlags = items.map(({ hasTrace }: { hasTrace: boolean }) => hasTrace);
  expect(traceFlags).toEqual([true, false, false]);
});

describe('the scores of a reported trial', () => {
  const definition = {
    scorerId: 'tone',
    scorerVersion: '1',
    role: 'gating',
    onError: 'fail',
    onSkipped: 'fail',
    passThreshold: 0.5,
  };
  const hashOf = (value: unknown) =>
    createHash('sha256').update(canonicalJson(value)).digest('hex');
  const row = {
    scorerId: 'tone',
    scorerVersion: '1',
    definitionHash: hashOf(definition),
    status: 'scored',
    value: 0.9,
    passThreshold: 0.5,
    deterministic: true,
  };
  const config = { hash: hashOf([definition]), definitions: [definition] };
  const { value: _value, ...unscored } = row;

  test.each<[string, object, object, object]>([
    ['of these definitions', row, config, { scoreIntegrity: 'valid', result: 'passed' }],
    [
      'of a foreign definition',
      { ...row, definitionHash: hashOf('other') },
      config,
      { scoreIntegrity: 'invalid', result: 'passed' },
    ],
    [
      'of a foreign configuration',
      row,
      { ...config, hash: hashOf('other') },
      { scoreIntegrity: 'invalid', result: 'passed' },
    ],
    ['skipped', { ...unscored, status: 'skipped' }, config, { result: null }],
  ])('%s', async (_title, score, evaluationConfig, run) => {
    const metadata = { scores: [score], evaluationConfig };
    const { body } = await ingest('report', {
      suiteName: 'Scores',
      results: [{ ...passing, metadata }],
    });
    expect((await read(`eval-runs/${body.runId}`)).body).toMatchObject(run);
  });

  test('stand beside the configuration they came with, of which each text is stored once', async () => {
    const extras = [{ name: 'one', größe: ['\u0000', '\ud800', '\u001f', ''] }, { name: 'two' }];
    const [one, two] = extras.map((extra) => ({ ...extra, ...config }));
    const results = [one, one, two, one].map((evaluationConfig, index) => ({
      ...passing,
      externalIterationId: `trial-${index}`,
      metadata: { scores: [row], evaluationConfig },
    }));
    const report = () =>
      ingest('report', { suiteName: 'Stored once', externalRunId: 'stored-once', results });
    const { body } = await report();
    const { sql } = service.owner;
    const stored = await sql<{ config: string }[]>`
      select config from evaluation_configs join run_evaluation_configs using (organization_id, hash)
      where run_id = ${body.runId} order by config`;
    const texts = [one, two].map((given) => JSON.stringify(given));
    expect(stored.map((found) => found.config)).toEqual(texts);
    const [repeated] = await sql`
      select count(*)::integer as count from eval_iterations trial
      where run_id = ${body.runId} and trial::text like '%definitions%'`;
    expect(repeated).toEqual({ count: 0 });
    const { items } = (await read(`eval-runs/${body.runId}/iterations`)).body;
    expect(
      items.map((item: { evaluationConfig: object }) => JSON.stringify(item.evaluationConfig)),
    ).toEqual([texts[0], texts[0], texts[1], texts[0]]);
    // A repeated report equals the first one, so it gets the same run.
    expect((await report()).status).toBe(200);
  });
});
