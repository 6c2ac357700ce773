import { allOperations } from '@proofmark/contract';
import { decideRun, resolvePolicy } from '@proofmark/domain';
import {
  insertCase,
  insertProject,
  insertRun,
  insertSuite,
  insertTrialRows,
  insertWaiver,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let suite: SuiteIds;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  suite = await insertSuite(service, tenant);
});
afterAll(() => service.stop());

async function read(operationId: string, path: string) {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`;
  const answer = await call(url, { key: tenant.key });
  const output = allOperations.find((row) => row.operationId === operationId)?.output;
  if (answer.status === 200) expect(output?.safeParse(answer.body).error).toBeUndefined();
  return answer;
}

async function readRun({ runId }: RunIds) {
  const answer = await read('getEvalRun', `eval-runs/${runId}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function readIteration(columns: Readonly<Record<string, unknown>>) {
  const run = await insertRun(service, suite);
  await insertTrialRows(service, run, [columns]);
  const answer = await read('listEvalRunIterations', `eval-runs/${run.runId}/iterations`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items[0];
}

const decision = decidedFailed();
const v2 = { verdict_policy_version: 2, result: 'failed', verdict_summary: decision };

const neverAsked = {
  status: null,
  errorCode: null,
  summary: null,
  generatedAt: null,
  modelUsed: null,
  threshold: null,
  cases: [],
};

describe('a run', () => {
  test('shows everything that was recorded of it', async () => {
    const environment = { id: 'env_1', name: 'Staging', revision: 3 };
    const at = new Date('2026-03-04T05:06:07.089Z');
    const run = await insertRun(service, suite, {
      ...v2,
      source: 'api',
      snapshot: { terms: {}, servers: [], environment, toolSurface: null },
      total_trials: 4,
      passed_trials: 3,
      failed_trials: 1,
      score_integrity: 'valid',
      external_run_id: 'build-17',
      expected_iterations: 4,
      iteration_count: 4,
      notes: 'Before the release.',
      framework: 'vitest',
      ci: { branch: 'main' },
      tags: ['nightly', 'a "b"'],
      created_at: at,
      completed_at: new Date(at.getTime() + 1500),
    });
    const { insights, ...shown } = await readRun(run);
    expect(insights).toMatchObject({ status: 'not_requested', findings: [] });
    expect(shown).toEqual({
      id: run.runId,
      suiteId: suite.suiteId,
      projectId: tenant.projectId,
      runNumber: 1,
      status: 'completed',
      result: 'failed',
      verdict: 'failed',
      summary: { total: 4, passed: 3, failed: 1, passRate: 0.75 },
      source: 'api',
      notes: 'Before the release.',
      createdAt: at.getTime(),
      completedAt: at.getTime() + 1500,
      scoreIntegrity: 'valid',
      environment,
      verdictPolicyVersion: 2,
      verdictSummary: decision,
      trialStatistics: expect.objectContaining({ unit: 'caseVariant', eligibleTrials: 4 }),
      plans: null,
      gateWaiver: null,
      executionEngine: 'proofmark',
      judges: { goalCompletion: neverAsked, groundedness: neverAsked },
      externalRunId: 'build-17',
      framework: 'vitest',
      ci: { branch: 'main' },
      tags: ['nightly', 'a "b"'],
      expectedIterations: 4,
      iterationCount: 4,
    });
  });

  test('says null where nothing was recorded', async () => {
    const run = await insertRun(service, suite, { status: 'pending', result: null });
    expect(await readRun(run)).toMatchObject({
      result: null,
      summary: null,
      notes: null,
      completedAt: null,
      scoreIntegrity: null,
      environment: null,
      verdictPolicyVersion: null,
      verdictSummary: null,
      trialStatistics: null,
      gateWaiver: null,
      externalRunId: null,
      framework: null,
      ci: null,
      tags: [],
      expectedIterations: null,
      iterationCount: 0,
    });
  });

  test.each<[string, object, object]>([
    ['decided', v2, { verdict: 'failed' }],
    ['by a percent threshold', { result: 'passed' }, { verdict: 'passed' }],
    [
      'while it runs, though a decision is stored',
      { ...v2, status: 'running' },
      { verdict: 'notEstablished', undecided: { reason: 'runNotTerminal' } },
    ],
    [
      'where its decision cannot be read',
      { ...v2, verdict_summary: {}, integrity_error: 'A trial is lost.' },
      {
        verdict: 'notEstablished',
        undecided: { reason: 'verdictSummaryUnavailable', detail: 'A trial is lost.' },
      },
    ],
  ])('says its verdict as the decision summary does: %s', async (_title, columns, expected) => {
    const run = await insertRun(service, suite, { ...columns });
    const { verdict, undecided } = await readRun(run);
    const path = `eval-runs/${run.runId}/decision-summary`;
    const { body } = await read('getEvalRunDecisionSummary', path);
    expect({ verdict, ...(undecided && { undecided }) }).toEqual(expected);
    expect(body).toMatchObject(expected);
  });

  const counts = { total_trials: 4, passed_trials: 3, failed_trials: 1 };
  test.each<[string, object, object | null]>([
    ['while it runs', { ...counts, status: 'running' }, null],
    ['once it was cancelled', { ...counts, status: 'cancelled' }, { total: 4, passRate: 0.75 }],
    ['without a count', {}, null],
    ['with one count', { failed_trials: 1 }, { failed: 1 }],
    [
      'without a trial',
      { total_trials: 0, passed_trials: 0 },
      { total: 0, passed: 0, passRate: null },
    ],
  ])('counts its trials as they were recorded: %s', async (_title, columns, summary) => {
    const body = await readRun(await insertRun(service, suite, { ...columns }));
    if (summary === null) expect(body.summary).toBeNull();
    else expect(body.summary).toMatchObject(summary);
    expect(Object.values(body.summary ?? {})).not.toContain(undefined);
    if (!('total_trials' in columns)) expect(body.summary ?? {}).not.toHaveProperty('passRate');
  });

  test.each([
    ['an altered decision', { ...v2, verdict_summary: { ...decision, verdict: 'passed' } }, 2],
    ['a decision it was not decided by', { ...v2, verdict_policy_version: null }, null],
  ])('does not show %s', async (_title, columns, verdictPolicyVersion) => {
    expect(await readRun(await insertRun(service, suite, columns))).toMatchObject({
      verdictPolicyVersion,
      verdictSummary: null,
      trialStatistics: null,
    });
  });

  test('has no result but passed and failed', async () => {
    for (const result of ['inconclusive', 'error', '']) {
      expect((await readRun(await insertRun(service, suite, { result }))).result).toBeNull();
    }
  });

  test('shows the waiver in force, never one that was revoked or has expired, and keeps its result', async () => {
    const past = new Date(Date.now() - 60_000);
    const run = await insertRun(service, suite, v2);
    await insertWaiver(service, run, { expires_at: past });
    await insertWaiver(service, run, { revoked_at: past });
    expect(await readRun(run)).toMatchObject({ gateWaiver: null, result: 'failed' });
    const id = await insertWaiver(service, run, { reason: 'Known.' });
    expect(await readRun(run)).toMatchObject({
      gateWaiver: { id, runId: run.runId, reason: 'Known.', active: true, revokedAt: null },
      result: 'failed',
    });
  });

  test('of another project or organization, or of nobody, is one and the same 404', async () => {
    const otherProject = await insertProject(service, tenant);
    const globex = await createTenant(service, 'globex');
    const hidden = await insertRun(service, await insertSuite(service, otherProject));
    const theirs = await insertRun(service, await insertSuite(service, globex));
    const paths = [hidden.runId, theirs.runId, 'run_unknown'].flatMap((runId) => [
      `eval-runs/${runId}`,
      `eval-runs/${runId}/iterations`,
    ]);
    paths.push(`eval-suites/${hidden.suiteId}/runs`, `eval-suites/${theirs.suiteId}/runs`);
    const answers = await Promise.all(paths.map((path) => read('getEvalRun', path)));
    for (const answer of answers) expect(answer.status).toBe(404);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });
});

test('the runs of a suite are listed newest first, each with its own waiver', async () => {
  const own = await insertSuite(service, tenant);
  const runs: RunIds[] = [];
  for (let count = 0; count < 5; count += 1) runs.push(await insertRun(service, own, v2));
  const waivers = [
    await insertWaiver(service, runs[1] as RunIds),
    await insertWaiver(service, runs[4] as RunIds),
  ];
  const first = await read('listEvalSuiteRuns', `eval-suites/${own.suiteId}/runs?limit=3`);
  const cursor = first.body.nextCursor;
  const rest = await read('listEvalSuiteRuns', `eval-suites/${own.suiteId}/runs?cursor=${cursor}`);
  expect(rest.body).not.toHaveProperty('nextCursor');
  const items = [...first.body.items, ...rest.body.items];
  expect(items.map((run) => run.runNumber)).toEqual([5, 4, 3, 2, 1]);
  expect(items.map((run) => run.id)).toEqual(runs.map((run) => run.runId).reverse());
  expect(items.map((run) => run.gateWaiver?.id ?? null)).toEqual([
    ...[waivers[1], null, null, waivers[0], null],
  ]);
  const { insights: _onReadsAlone, plans: _alike, ...run } = await readRun(runs[4] as RunIds);
  expect(items[0]).toEqual(run);
});

describe('a trial', () => {
  const score = {
    scorerId: 'tone',
    scorerVersion: '1',
    definitionHash: 'h',
    status: 'scored',
    value: 0.9,
    passThreshold: 0.5,
    passed: true,
    deterministic: false,
  };

  test('shows everything that was recorded of it', async () => {
    const caseId = await insertCase(service, suite);
    const started = new Date('2026-03-04T05:06:07.089Z');
    const calls = [{ toolName: 'search', arguments: { q: 'tea' }, unknown: [1] }];
    const item = await readIteration({
      case_id: caseId,
      declared_case_id: 'tea',
      title: 'Tea',
      iteration_number: 7,
      result: 'passed',
      model: 'a/b',
      provider: 'a',
      started_at: started,
      duration_ms: 12.5,
      tokens_used: 300,
      usage: { inputTokens: 300 },
      expected_tool_calls: calls,
      actual_tool_calls: [...calls, ...calls],
      error: 'Late.',
      scores: [score],
      evaluation_config: { hash: 'x' },
      score_integrity: 'valid',
    });
    expect(item).toEqual({
      id: item.id,
      testCaseId: caseId,
      caseId: 'tea',
      title: 'Tea',
      iterationNumber: 7,
      status: 'completed',
      result: 'passed',
      model: 'a/b',
      provider: 'a',
      startedAt: started.getTime(),
      durationMs: 12.5,
      tokensUsed: 300,
      usage: { inputTokens: 300 },
      actualToolCalls: [...calls, ...calls],
      expectedToolCalls: calls,
      error: 'Late.',
      scores: [score],
      evaluationConfig: { hash: 'x' },
    });
  });

  test('says null, or nothing, where nothing was recorded', async () => {
    const item = await readIteration({ status: 'skipped', result: null });
    expect(item).toEqual({
      id: item.id,
      testCaseId: null,
      title: null,
      iterationNumber: 1,
      status: 'skipped',
      result: null,
      model: null,
      provider: null,
      startedAt: null,
      durationMs: null,
      tokensUsed: null,
      usage: null,
      actualToolCalls: [],
      expectedToolCalls: [],
      error: null,
    });
  });

  test.each([
    ['pending', null],
    ['running', null],
    ['completed', 40],
    ['failed', 40],
    ['cancelled', 40],
    ['timed_out', 40],
    ['setup_failed', 40],
  ])('that is %s took %s ms', async (status, durationMs) => {
    expect(await readIteration({ status, duration_ms: 40 })).toMatchObject({ status, durationMs });
  });

  test('whose declared id is no opaque id shows none', async () => {
    for (const declared_case_id of ['with space', 'ü', '', 'x'.repeat(129)]) {
      expect(await readIteration({ declared_case_id })).not.toHaveProperty('caseId');
    }
  });

  test.each([
    ['scores alone', { scores: [score] }],
    ['a configuration alone', { evaluation_config: {} }],
    [
      'both, and they contradict each other',
      { scores: [{}], evaluation_config: {}, score_integrity: 'invalid' },
    ],
  ])('with %s shows neither', async (_title, columns) => {
    const item = await readIteration(columns);
    expect(item).not.toHaveProperty('scores');
    expect(item).not.toHaveProperty('evaluationConfig');
    expect(item.scoreIntegrity).toBe(
      'score_integrity' in columns ? 'score_integrity_invalid' : undefined,
    );
  });

  const rows = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'].map(
    (stage, index) => ({ stage, state: index === 0 ? 'failed' : 'notReached' }),
  );
  const chain = { stageResults: rows, firstFailedStage: 'connection', failureCategory: 'setup' };
  const keys = [
    ...['stageResults', 'firstFailedStage', 'failureCategory', 'stageAnalyzerVersion'],
    'stageResultsUnverified',
  ];
  test.each<[string, unknown, object]>([
    ['verified', { ...chain, stageAnalyzerVersion: 1 }, { ...chain, stageAnalyzerVersion: 1 }],
    [
      'of a newer analyzer',
      { ...chain, stageAnalyzerVersion: 9 },
      { ...chain, stageAnalyzerVersion: 9 },
    ],
    ['without a version', chain, { stageResultsUnverified: true }],
    [
      'with a stored null',
      { ...chain, failureCategory: null, stageAnalyzerVersion: 1 },
      { stageResultsUnverified: true },
    ],
    ['that is a bare version', { stageAnalyzerVersion: 1 }, {}],
    ['that was never stored', undefined, {}],
  ])('with a chain %s', async (_title, stored, shown) => {
    const item = await readIteration({ chain: stored });
    const stageKeys = Object.entries(item).filter(([name]) => keys.includes(name));
    expect(Object.fromEntries(stageKeys)).toEqual(shown);
  });
});

function decidedFailed() {
  const decided = decideRun({
    policy: resolvePolicy(),
    cases: [
      {
        caseId: 'tea',
        configuredTrials: 4,
        effectivePassThreshold: 1,
        trials: (['passed', 'passed', 'passed', 'failed'] as const).map((taskVerdict) => ({
          status: 'completed',
          taskVerdict,
        })),
      },
    ],
  });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}
