import { type Decision, DecisionSummary, decideRun, resolvePolicy } from '@proofmark/domain';
import {
  insertProject,
  insertRun,
  insertSuite,
  insertTrace,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
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

async function readSummary(run: RunIds) {
  const answer = await call(urlOf(run), { key: tenant.key });
  expect(answer.status, answer.text).toBe(200);
  expect(DecisionSummary.safeParse(answer.body).error).toBeUndefined();
  expectPublishedSummary(answer.body);
  return answer.body;
}

function urlOf({ projectId, runId }: { projectId: string; runId: string }): string {
  return `${service.baseUrl}/api/v1/projects/${projectId}/eval-runs/${runId}/decision-summary`;
}

const passed = decide('passed');
const failed = decide('failed', 'passed');
const inconclusive = decide('neither', 'passed');
const v2 = { verdict_policy_version: 2, result: null };
const altered = { ...failed, verdict: 'passed' };

describe('the verdict and its source', () => {
  test.each([
    ['passed', 'completed', passed, { total: 1, passed: 1, failed: 0, inconclusive: 0 }],
    ['failed', 'completed', failed, { total: 2, passed: 1, failed: 1, inconclusive: 0 }],
    [
      'inconclusive',
      'completed',
      inconclusive,
      { total: 2, passed: 1, failed: 0, inconclusive: 1 },
    ],
    ['failed', 'cancelled', failed, { total: 2, passed: 1, failed: 1, inconclusive: 0 }],
    ['passed', 'timed_out', passed, { total: 1, passed: 1, failed: 0, inconclusive: 0 }],
    ['inconclusive', 'failed', inconclusive, { total: 2, passed: 1, failed: 0, inconclusive: 1 }],
  ])(
    'policy v2: %s is what the decision says, of a run that is %s',
    async (verdict, status, decision, counts) => {
      const run = await insertRun(service, suite, { ...v2, status, verdict_summary: decision });
      const summary = await readSummary(run);
      expect(summary).toEqual({
        schemaVersion: 1,
        runId: run.runId,
        runStatus: status,
        verdict,
        verdictSource: 'policyV2',
        counts: { measurementUnit: 'caseVariant', ...counts },
        decision,
        plans: null,
        diagnostics: { items: [], complete: true, scannedIterations: 0 },
      });
    },
  );

  const counted = { total_trials: 3, passed_trials: 2, failed_trials: 1 };
  test.each([
    ['all three counts', counted, { total: 3, passed: 2, failed: 1 }],
    ['a count that was recorded alone', { passed_trials: 2 }, { passed: 2 }],
    ['counts of zero', { total_trials: 0, failed_trials: 0 }, { total: 0, failed: 0 }],
    ['no counts', {}, undefined],
    [
      'a decision it should not have',
      { ...counted, verdict_summary: passed },
      { total: 3, passed: 2, failed: 1 },
    ],
  ])('legacy: the recorded result with %s', async (_title, columns, counts) => {
    for (const result of ['passed', 'failed']) {
      const run = await insertRun(service, suite, { ...columns, result });
      expect(await readSummary(run)).toEqual({
        schemaVersion: 1,
        runId: run.runId,
        runStatus: 'completed',
        verdict: result,
        verdictSource: 'legacy',
        decidedBy: { minimumPassRate: 80 },
        ...(counts && { counts: { measurementUnit: 'trial', ...counts } }),
        diagnostics: { items: [], complete: true, scannedIterations: 0 },
      });
    }
  });

  test.each([
    ['a pending run', { status: 'pending', result: null }, 'runNotTerminal'],
    ['a running run', { status: 'running', result: null }, 'runNotTerminal'],
    [
      'a running run with a decision',
      { ...v2, status: 'running', verdict_summary: passed },
      'runNotTerminal',
    ],
    ['a running legacy run with a result', { status: 'running' }, 'runNotTerminal'],
    ['a cancelled legacy run', { ...counted, status: 'cancelled' }, 'runStatusNotAVerdict'],
    ['a timed out legacy run', { ...counted, status: 'timed_out' }, 'runStatusNotAVerdict'],
    [
      'a failed legacy run',
      { ...counted, status: 'failed', result: 'failed' },
      'runStatusNotAVerdict',
    ],
    ['a legacy run without a result', { ...counted, result: null }, 'runResultNotAVerdict'],
    [
      'a legacy run with another result',
      { ...counted, result: 'inconclusive' },
      'runResultNotAVerdict',
    ],
    ['policy v2 without a decision', { ...v2, ...counted }, 'verdictSummaryUnavailable'],
    [
      'policy v2 with an altered decision',
      { ...v2, verdict_summary: altered },
      'verdictSummaryUnavailable',
    ],
    [
      'policy v2 with a result in place of a decision',
      { ...v2, result: 'passed' },
      'verdictSummaryUnavailable',
    ],
    [
      'cancelled policy v2 without a decision',
      { ...v2, status: 'cancelled' },
      'verdictSummaryUnavailable',
    ],
    [
      'policy v2 with an empty integrity error',
      { ...v2, integrity_error: '' },
      'verdictSummaryUnavailable',
    ],
  ])('none: %s', async (_title, columns, reason) => {
    const run = await insertRun(service, suite, columns);
    const summary = await readSummary(run);
    expect(summary).toEqual({
      schemaVersion: 1,
      runId: run.runId,
      runStatus: 'status' in columns ? columns.status : 'completed',
      verdict: 'notEstablished',
      verdictSource: 'none',
      undecided: { reason },
      diagnostics: { ...summary.diagnostics, items: [], scannedIterations: 0 },
    });
  });

  test.each([undefined, altered])(
    'none: what was recorded when the decision could not be made is the detail',
    async (decision) => {
      const integrity_error = 'The case c1 cannot be decided: it has 3 trials.';
      const run = await insertRun(service, suite, {
        ...v2,
        integrity_error,
        verdict_summary: decision,
      });
      expect((await readSummary(run)).undecided).toEqual({
        reason: 'verdictSummaryUnavailable',
        detail: integrity_error,
      });
    },
  );

  test('a readable decision is used though an integrity error is stored beside it', async () => {
    const columns = { ...v2, verdict_summary: passed, integrity_error: 'Old.' };
    const summary = await readSummary(await insertRun(service, suite, columns));
    expect(summary).toMatchObject({ verdictSource: 'policyV2', verdict: 'passed' });
  });
});

const walked = [
  { stage: 'connection', state: 'passed', reason: 'observed' },
  { stage: 'discovery', state: 'passed', reason: 'impliedByLaterEvidence' },
  {
    stage: 'selection',
    state: 'failed',
    reason: 'missingToolCall',
    evidence: { spanIds: ['s1', 's1'], promptIndexes: [0], predicateReasons: ['No search.'] },
  },
  ...['call', 'response', 'userValue'].map((stage) => ({
    stage,
    state: 'notReached',
    reason: 'earlierStageFailed',
  })),
];
const unmeasured = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'].map(
  (stage) => ({ stage, state: 'notMeasured', reason: 'setupAborted' }),
);
const claims = { firstFailedStage: 'selection', failureCategory: 'selection' };
const chain = { stageResults: walked, ...claims, stageAnalyzerVersion: 1 };
const ahead = { analyzerVersion: 7, analyzerVersionAhead: { reported: 7, known: 2 } };
const unverified = { status: 'unverified', analyzerVersion: 1 };

describe('the chain of a trial', () => {
  test.each<[string, unknown, object]>([
    ['valid', chain, { status: 'verified', stages: walked, ...claims, analyzerVersion: 1 }],
    [
      'with a category and no failed stage',
      { stageResults: unmeasured, failureCategory: 'setup', stageAnalyzerVersion: 1 },
      { status: 'verified', stages: unmeasured, failureCategory: 'setup', analyzerVersion: 1 },
    ],
    [
      'of a newer analyzer',
      { ...chain, stageAnalyzerVersion: 7 },
      { status: 'verified', stages: walked, ...claims, ...ahead },
    ],
    [
      'of a newer analyzer with a word nobody knows',
      { ...chain, failureCategory: 'weather', stageAnalyzerVersion: 7 },
      { status: 'unverified', ...ahead },
    ],
    ['whose column is empty', undefined, { status: 'absent' }],
    ['that is a bare version', { stageAnalyzerVersion: 1 }, { status: 'absent' }],
    ['that holds nothing', {}, { status: 'absent' }],
    [
      'with null for its first failed stage',
      { ...chain, stageResults: unmeasured, firstFailedStage: null },
      unverified,
    ],
    ['with null for its category', { ...chain, failureCategory: null }, unverified],
    ['with null for its rows', { stageResults: null, stageAnalyzerVersion: 1 }, unverified],
    ['without a version', { stageResults: walked, ...claims }, { status: 'unverified' }],
    [
      'with an unknown key in a row',
      { ...chain, stageResults: walked.map((row) => ({ ...row, note: 1 })) },
      unverified,
    ],
    [
      'with a category that its failed stage cannot have',
      { ...chain, failureCategory: 'serverData' },
      unverified,
    ],
    ['that names a later stage', { ...chain, firstFailedStage: 'call' }, unverified],
    [
      'that does not walk',
      { ...chain, stageResults: [...walked.slice(0, 5), { stage: 'userValue', state: 'passed' }] },
      unverified,
    ],
    ['that lacks a row', { ...chain, stageResults: walked.slice(1) }, unverified],
  ])('%s', async (_title, stored, shown) => {
    const run = await insertRun(service, suite, { result: 'failed' });
    await insertTrialRows(service, run, [{ chain: stored }]);
    const [item] = (await readSummary(run)).diagnostics.items;
    expect(item.chain).toEqual(shown);
    const isFailedStage = 'firstFailedStage' in shown;
    expect(item.evidence.stage).toBe(isFailedStage ? 'selection' : undefined);
    expect(item.evidence.spanIds).toEqual(isFailedStage ? ['s1'] : undefined);
    expect(item.nextAction).toMatch(/\w/);
  });
});

describe('a diagnostic', () => {
  test('says all that is known of a trial, and nothing that is not', async () => {
    const run = await insertRun(service, suite, { result: 'failed' });
    const [full, bare] = await insertTrialRows(service, run, [
      {
        chain,
        declared_case_id: 'search-works',
        case_id: 'cas_1',
        title: 'Search works',
        expected_tool_calls: [{ toolName: 'search' }, { tool: 'open' }, { name: 'search' }],
        actual_tool_calls: [{ toolName: 'list', arguments: { secret: 'no names but these' } }],
        error: 'It went wrong.',
      },
      { status: 'pending', result: null, title: '', declared_case_id: 'not an id', error: '' },
    ]);
    const { items } = (await readSummary(run)).diagnostics;
    const place = `/projects/${run.projectId}/eval-runs/${run.runId}/iterations`;
    expect(items).toEqual([
      {
        iterationId: full,
        iterationNumber: 1,
        caseId: 'search-works',
        testCaseId: 'cas_1',
        title: 'Search works',
        status: 'completed',
        result: 'failed',
        chain: { status: 'verified', stages: walked, ...claims, analyzerVersion: 1 },
        expected: { toolNames: ['search', 'open'] },
        observed: { toolNames: ['list'], failure: 'It went wrong.' },
        evidence: {
          runId: run.runId,
          iterationId: full,
          stage: 'selection',
          spanIds: ['s1'],
          promptIndexes: [0],
          reasons: ['No search.'],
          tracePath: `${place}/${full}/trace`,
        },
        nextAction: expect.any(String),
      },
      {
        iterationId: bare,
        iterationNumber: 2,
        status: 'pending',
        chain: { status: 'absent' },
        evidence: { runId: run.runId, iterationId: bare, tracePath: `${place}/${bare}/trace` },
        nextAction: expect.any(String),
      },
    ]);
  });

  test('leads to the trace of its trial', async () => {
    const run = await insertRun(service, suite, { result: 'failed' });
    await insertTrialRows(service, run, [{}]);
    await insertTrace(service, run, { trace: { traceVersion: 1, messages: [], prompts: [] } });
    const [item] = (await readSummary(run)).diagnostics.items;
    const url = `${service.baseUrl}/api/v1${item.evidence.tracePath}`;
    expect((await call(url, { key: tenant.key })).status).toBe(200);
  });
});

test('the same run gives the same bytes', async () => {
  const run = await insertRun(service, suite, { ...v2, verdict_summary: failed });
  await insertTrialRows(service, run, [{ chain }, { result: 'passed' }, { chain: {} }]);
  const texts = await Promise.all(
    Array.from({ length: 5 }, async () => (await call(urlOf(run), { key: tenant.key })).text),
  );
  expect(new Set(texts).size).toBe(1);
});

test('a run of another project or organization, or of nobody, is one and the same 404', async () => {
  const other = await insertProject(service, tenant);
  const run = await insertRun(service, await insertSuite(service, other));
  await insertTrialRows(service, run, [{}]);
  const foreign = await createTenant(service, 'globex');
  const theirs = await insertRun(service, await insertSuite(service, foreign));
  const answers = await Promise.all(
    [run.runId, theirs.runId, 'run_unknown'].map((runId) =>
      call(urlOf({ projectId: tenant.projectId, runId }), { key: tenant.key }),
    ),
  );
  for (const answer of answers) expect(answer.status).toBe(404);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect((await call(urlOf(run), { key: tenant.key })).status).toBe(200);
});

function decide(...outcomes: readonly ('passed' | 'failed' | 'neither')[]): Decision {
  const decided = decideRun({
    policy: resolvePolicy({ minEligibleTrials: 1, minCompletionRate: 0 }),
    cases: outcomes.map((outcome, index) => ({
      caseId: `c${index}`,
      configuredTrials: 1,
      effectivePassThreshold: 1,
      trials: [
        outcome === 'neither'
          ? { status: 'setup_failed' }
          : { status: 'completed', taskVerdict: outcome },
      ],
    })),
  });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}
