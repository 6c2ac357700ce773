import {
  createLauncher,
  type Launcher,
  hostedModel as model,
} from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let ask: ProjectCaller;
let inline: Launcher['inline'];
let suite: Launcher['suite'];
let ended: Launcher['ended'];
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  ({ ask, inline, suite, ended } = createLauncher(service, tenant));
});
afterAll(() => service.stop());

describe('cancelling', () => {
  test('ends every open trial, decides and frees the slot; again it says the same', async () => {
    const { runId } = (await ask('POST', 'eval-runs', inline())).body;
    const cancelled = await ask('POST', `eval-runs/${runId}/cancel`);
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(cancelled.body).toMatchObject({ id: runId, status: 'cancelled', result: null });
    expect(cancelled.body.verdictSummary.verdict).toBe('inconclusive');
    const trials = await ask('GET', `eval-runs/${runId}/iterations`);
    expect(trials.body.items[0]).toMatchObject({ status: 'cancelled', result: null });
    const again = await ask('POST', `eval-runs/${runId}/cancel`);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(cancelled.body);
  });

  test('is refused for a run that ended otherwise, reported or not, and one of others', async () => {
    const { runId } = (await ask('POST', 'eval-runs', inline())).body;
    await service.owner.sql`update eval_runs set status = 'completed' where id = ${runId}`;
    const refused = await ask('POST', `eval-runs/${runId}/cancel`);
    expect(refused.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_ENDED' } });
    const reported = await ask('POST', `eval-runs/${tenant.runId}/cancel`);
    expect(reported.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_ENDED' } });
    expect((await ask('POST', `eval-runs/${other.runId}/cancel`)).status).toBe(404);
  });
});

test('a launch is refused where an assertion asks a judge whom nobody names', async () => {
  const goal = { type: 'goalCompleted', outcome: 'Done.' };
  const suiteId = await suite({}, { settings: { checks: [goal] } });
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
  const tests = [{ title: 'Judged', steps, model, assertions: [goal] }];
  for (const body of [{ suiteId }, inline({ tests })]) {
    const refused = await ask('POST', 'eval-runs', body);
    expect([refused.status, refused.body.details.reason]).toEqual([400, 'JUDGE_MODEL_REQUIRED']);
    expect(refused.body.message).toContain('needs a judge, but no model is set for it');
    expect(refused.body.message).toContain('set judgeModel in the assertion');
  }
});

describe('the judge', () => {
  const goalOf = async (runId: string) =>
    (await ask('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;

  test('is asked with what the request enables, once', async () => {
    const runId = await ended();
    const asked = await ask('POST', `eval-runs/${runId}/judge`, {
      enable: true,
      model,
      threshold: 0.6,
    });
    expect(asked.status, asked.text).toBe(202);
    expect(asked.body).toEqual({ runId, projectId: tenant.projectId, status: 'pending' });
    expect(await goalOf(runId)).toMatchObject({ status: 'pending', threshold: 0.6, cases: [] });
    const work = () =>
      service.owner.sql`
        select from leased_work where kind = 'eval-judgements' and group_id = ${runId} and status = 'open'`;
    expect((await work()).length).toBe(1);
    const again = await ask('POST', `eval-runs/${runId}/judge`, {
      enable: true,
      model,
      force: true,
    });
    expect(again.status).toBe(202);
    expect(await goalOf(runId)).toMatchObject({ threshold: 0.6 });
  });

  test('whose answer is there is asked anew only by force', async () => {
    const runId = await ended();
    const judged = {
      status: 'completed',
      errorCode: null,
      summary: 'Fine.',
      generatedAt: 1,
      modelUsed: model,
    };
    await service.owner.sql`
      update eval_runs set judge_status = 'completed', judge_summary = 'Fine.', judge_model = ${model},
        judge_generated_at = to_timestamp(0.001), judge_threshold = 0.7, judge_cases = '[]' where id = ${runId}`;
    const body = { enable: true, model };
    expect((await ask('POST', `eval-runs/${runId}/judge`, body)).body.status).toBe('completed');
    expect(await goalOf(runId)).toMatchObject(judged);
    expect(
      (await ask('POST', `eval-runs/${runId}/judge`, { ...body, force: true })).body.status,
    ).toBe('pending');
    expect(await goalOf(runId)).toMatchObject({ status: 'pending', summary: null });
  });

  test('is not asked once the traces were removed, and what it said before stays', async () => {
    const [judged, unjudged] = [await ended(), await ended()];
    const { sql } = service.owner;
    await sql`
      update eval_runs set judge_status = 'completed', judge_summary = 'Fine.', judge_model = ${model},
        judge_generated_at = now(), judge_threshold = 0.7, judge_cases = '[]' where id = ${judged}`;
    await sql`update eval_runs set traces_removed_at = now() where id = any (${[judged, unjudged]})`;
    const body = { enable: true, model };
    const before = await goalOf(judged);
    expect((await ask('POST', `eval-runs/${judged}/judge`, body)).body.status).toBe('completed');
    for (const refused of [
      await ask('POST', `eval-runs/${judged}/judge`, { ...body, force: true }),
      await ask('POST', `eval-runs/${unjudged}/judge`, body),
    ]) {
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'TRACES_REMOVED' },
      });
    }
    expect(await goalOf(judged)).toEqual(before);
  });

  test('that was pinned at the launch is asked without a word', async () => {
    const suiteId = await suite(
      {},
      { settings: { judge: { enabled: true, model, threshold: 0.4 } } },
    );
    const { runId } = (await ask('POST', 'eval-runs', { suiteId })).body;
    const early = await ask('POST', `eval-runs/${runId}/judge`);
    expect(early.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_NOT_ENDED' } });
    await ask('POST', `eval-runs/${runId}/cancel`);
    const refused = await ask('POST', `eval-runs/${runId}/judge`, { threshold: 0.9 });
    expect(refused.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'JUDGE_PINNED' },
    });
    expect((await ask('POST', `eval-runs/${runId}/judge`)).status).toBe(202);
    expect(await goalOf(runId)).toMatchObject({ status: 'pending', threshold: 0.4 });
  });

  test.each<[string, object, number, object]>([
    ['without a model', {}, 400, { reason: 'JUDGE_MODEL_REQUIRED' }],
    [
      'with a model nobody hosts',
      { enable: true, model: 'openai/x' },
      400,
      { hostedModels: [model] },
    ],
    [
      'with a threshold out of range',
      { enable: true, model, threshold: 70 },
      400,
      { path: 'body.threshold' },
    ],
  ])('%s is not asked', async (_, body, status, details) => {
    const runId = await ended();
    const refused = await ask('POST', `eval-runs/${runId}/judge`, body);
    expect(refused.status, refused.text).toBe(status);
    expect(refused.body.details).toMatchObject(details);
  });

  test('is not asked about what was reported, nor about runs of others', async () => {
    const body = { enable: true, model };
    const reported = await ask('POST', `eval-runs/${tenant.runId}/judge`, body);
    expect(reported.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_REPORTED' } });
    expect((await ask('POST', `eval-runs/${other.runId}/judge`, body)).status).toBe(404);
  });
});
