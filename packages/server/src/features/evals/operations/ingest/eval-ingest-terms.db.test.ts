/**
 * Tests that a reported run (executed elsewhere and uploaded) is decided by its suite's terms, and
 * ends even if no reporter finalizes it.
 */

import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watch } from '../../work/end-overdue-runs.ts';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
let { ingest, read } = {} as ReturnType<typeof createReporter>;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'terms');
  ask = projectCaller(service, tenant);
  ({ ingest, read } = createReporter(service, tenant));
});
afterAll(() => service.stop());

describe('a run of a suite that declares its policy', () => {
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
  async function author(
    settings: object,
    testsOf: object[] = [{ title: 'hello', steps }],
    suiteName = unique('Declared'),
  ) {
    const made = await ask('POST', 'eval-suites', {
      name: suiteName,
      serverIds: [tenant.serverId],
      model: 'a/b',
      tests: testsOf,
    });
    expect(made.status, made.text).toBe(201);
    const set = await ask('PATCH', `eval-suites/${made.body.suiteId}`, { settings });
    expect(set.status, set.text).toBe(200);
    return { suiteName, suiteId: made.body.suiteId as string };
  }
  const hello = { caseTitle: 'hello', steps, passed: true };
  const five = { verdictPolicyDefaults: { repetitions: 5, passThreshold: 0.8 } };

  test('has the declared trials: one that passed of five is not a pass, five are', async () => {
    const { suiteName, suiteId } = await author(five);
    const one = await ingest('report', { suiteName, results: [hello] });
    expect(one.body).toMatchObject({ suiteId, status: 'completed', result: null });
    const summary = (await read(`eval-runs/${one.body.runId}/decision-summary`)).body;
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      decision: {
        reasons: ['configuredTrialsNotAttempted'],
        cases: [{ configuredTrials: 5, attemptedTrials: 1, effectivePassThreshold: 0.8 }],
      },
    });
    const all = await ingest('report', {
      suiteName,
      results: [hello, hello, hello, hello, { ...hello, passed: false }],
    });
    expect(all.body.result).toBe('passed');
  });

  test('has the terms of the suite and not those of its reporter', async () => {
    const { suiteName } = await author(five);
    const lax = { passThreshold: 0, minEligibleTrials: 1 };
    const stated = await ingest('report', { suiteName, verdictPolicy: lax, results: [hello] });
    expect(stated.body.result).toBe(null);
    const passCriteria = { minimumPassRate: 0 };
    const percent = await ingest('report', { suiteName, passCriteria, results: [hello] });
    expect(percent.body.result).toBe(null);
    const decided = (await read(`eval-runs/${percent.body.runId}`)).body;
    expect(decided.verdictPolicyVersion).toBe(2);
  });

  test('keeps what was declared when it began, and is answered again after an edit', async () => {
    const { suiteName, suiteId } = await author(five);
    const run = { suiteName, externalRunId: unique('edited') };
    const { runId } = (await ingest('runs/start', run)).body;
    await ask('PATCH', `eval-suites/${suiteId}`, {
      settings: { verdictPolicyDefaults: { repetitions: 1 } },
    });
    await ingest('runs/iterations', { runId, results: [hello] });
    expect((await ingest('runs/finalize', { runId })).body.result).toBe(null);
    expect((await ingest('report', { ...run, results: [hello] })).body).toMatchObject({
      reused: true,
      result: null,
    });
  });

  test('has the trials and the threshold of the case where the case has its own', async () => {
    const { suiteName } = await author(five, [
      { title: 'hello', steps, runs: 2 },
      { title: 'other', steps: [{ ...steps[0], prompt: 'Other' }] },
    ]);
    const two = await ingest('report', { suiteName, results: [hello, hello] });
    expect(two.body.result).toBe('passed');
  });

  test('is decided by the percent of a suite that declares one', async () => {
    const { suiteName } = await author({ minimumAccuracy: 50 });
    const half = [hello, { ...hello, passed: false }];
    const answer = await ingest('report', { suiteName, results: half });
    expect(answer.body.result).toBe('passed');
    expect((await read(`eval-runs/${answer.body.runId}`)).body.verdictPolicyVersion).toBe(null);
    for (const lax of [
      { passCriteria: { minimumPassRate: 0 } },
      { verdictPolicy: { passThreshold: 0 } },
    ]) {
      const results = [{ ...hello, passed: false }];
      expect((await ingest('report', { suiteName, ...lax, results })).body.result).toBe('failed');
    }
  });

  test('is decided so too where the name was reported before the suite was authored', async () => {
    const suiteName = unique('Reported first');
    const before = await ingest('report', {
      suiteName,
      externalRunId: 'first',
      results: [hello],
    });
    const { suiteId } = await author(five, undefined, suiteName);
    expect(suiteId).not.toBe(before.body.suiteId);
    const after = await ingest('report', { suiteName, results: [hello] });
    expect(after.body).toMatchObject({ suiteId, result: null });
    // The run of the first report still belongs to the old suite. Repeating that report returns
    // that run.
    const again = await ingest('report', {
      suiteName,
      externalRunId: 'first',
      results: [hello],
    });
    expect(again.body).toMatchObject({ reused: true, runId: before.body.runId, result: 'passed' });
  });
});

describe('a reported run that nobody finalizes', () => {
  async function start(changes: object = {}) {
    const run = { suiteName: 'Left', externalRunId: unique('left'), ...changes };
    const { runId } = (await ingest('runs/start', run)).body;
    await ingest('runs/iterations', { runId, results: [passing, passing] });
    return { run, runId: runId as string };
  }
  const log = { error: () => undefined };
  const dueIn = async (runId: string) => {
    const [row] = await service.owner.sql<{ hours: number }[]>`
      select extract(epoch from deadline_at - now()) / 3600 as hours from eval_runs where id = ${runId}`;
    return Math.round(row?.hours ?? Number.NaN);
  };
  const growOld = (runId: string) => service.owner.sql`
    update eval_runs set deadline_at = deadline_at - interval '24 hours' where id = ${runId}`;
  const undecided = async (runId: string) =>
    (await read(`eval-runs/${runId}/decision-summary`)).body.undecided;

  test('is ended after a day without a batch, undecided although all that came has passed', async () => {
    const { runId } = await start();
    expect(await dueIn(runId)).toBe(24);
    await growOld(runId);
    await ingest('runs/iterations', { runId, results: [passing] });
    expect(await dueIn(runId)).toBe(24);
    expect(await watch(service.database, log)).toBe(0);
    await growOld(runId);
    expect(await watch(service.database, log)).toBe(1);
    const ended = (await read(`eval-runs/${runId}`)).body;
    expect(ended).toMatchObject({
      status: 'failed',
      result: null,
      verdictSummary: null,
      summary: { total: 3, passed: 3, failed: 0 },
    });
    expect(await undecided(runId)).toEqual({
      reason: 'verdictSummaryUnavailable',
      detail: 'The run was never finalized: nothing was reported to it for too long.',
    });
    expect((await ingest('runs/iterations', { runId, results: [passing] })).status).toBe(409);
    expect((await ingest('runs/finalize', { runId })).body).toMatchObject({ status: 'failed' });
    expect(await watch(service.database, log)).toBe(0);
  });

  test('under a percent is ended without a result', async () => {
    const { runId } = await start({ passCriteria: { minimumPassRate: 10 } });
    await growOld(runId);
    await watch(service.database, log);
    expect((await read(`eval-runs/${runId}`)).body).toMatchObject({
      status: 'failed',
      result: null,
    });
    expect(await undecided(runId)).toEqual({ reason: 'runStatusNotAVerdict' });
  });

  test('is cancelled, undecided, and again the same; a finalized one is not', async () => {
    const { runId, run } = await start();
    const cancelled = await ask('POST', `eval-runs/${runId}/cancel`);
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      result: null,
      verdictSummary: null,
      summary: { total: 2, passed: 2, failed: 0 },
    });
    expect((await ask('POST', `eval-runs/${runId}/cancel`)).body).toEqual(cancelled.body);
    expect(await undecided(runId)).toEqual({
      reason: 'verdictSummaryUnavailable',
      detail: 'The run was cancelled before it was finalized.',
    });
    const trials = (await read(`eval-runs/${runId}/iterations`)).body.items;
    expect(trials.map(({ status }: { status: string }) => status)).toEqual([
      'completed',
      'completed',
    ]);
    const again = await ingest('report', { ...run, results: [passing, failing] });
    expect(again.body.details).toMatchObject({
      reason: 'RUN_ALREADY_REPORTED',
      status: 'cancelled',
    });
    const ended = await ingest('report', { suiteName: 'Left', results: [passing] });
    const refused = await ask('POST', `eval-runs/${ended.body.runId}/cancel`);
    expect(refused.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_ENDED' } });
  });
});
