/**
 * A rerun plays only the case variants that failed or were not graded, with the launch options of
 * the original run.
 */
import { unique } from '@proofmark/harness/reporter.ts';
import {
  onModels,
  type RerunFixture,
  startRerunFixture,
} from '@proofmark/harness/rerun-fixture.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RerunFixture;
beforeAll(async () => {
  fixture = await startRerunFixture();
});
afterAll(() => fixture.stop());

describe('a rerun', () => {
  test.each([
    ['failed', ['Half local/bad']],
    ['notGraded', ['Away local/away']],
    ['all', ['Good local/one', 'Half local/one', 'Half local/bad', 'Away local/away']],
  ])('of %s is of those case variants, with all their repetitions', async (scope, expected) => {
    const { runId, suiteId } = await fixture.played({ iterationOverride: 2 });
    const { launched, run, variants } = await fixture.reran(runId, { scope });
    expect(launched).toMatchObject({ suiteId, warnings: [], servers: [{ id: fixture.serverId }] });
    expect(variants).toEqual(expected.flatMap((variant) => [variant, variant]));
    expect(run).toMatchObject({ rerunOf: { runId, scope }, runNumber: 2 });
  });

  test('says again what the launch said, and takes the suite as it is now', async () => {
    const { runId, suiteId } = await fixture.played({
      matchOptionsOverride: { arguments: 'ignore' },
      passCriteria: { minimumPassRate: 10 },
    });
    const [, half] = (await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`)).items;
    const path = `eval-suites/${suiteId}/cases/${half.id}`;
    await fixture.get(200, 'PATCH', path, { title: 'Renamed', iterations: 3 });
    const { run, trials } = await fixture.reran(runId, { scope: 'failed' });
    expect(trials.map(({ title }) => title)).toEqual(['Renamed', 'Renamed', 'Renamed']);
    const sql = fixture.service.owner.sql;
    const [row] = await sql<{ plan: string }[]>`
      select plan from eval_run_plans where run_id = ${run.id}`;
    expect(JSON.parse(row?.plan ?? '')).toMatchObject({
      overrides: {
        matchOptionsOverride: { arguments: 'ignore' },
        passCriteria: { minimumPassRate: 10 },
      },
      cases: [{ matchOptions: { argumentMatching: 'ignore' } }],
    });
    expect(run.verdictPolicyVersion).toBeNull();
  });

  test('may spend no more than its run might', async () => {
    const { runId } = await fixture.played({ maxCredits: 5000 });
    const { run } = await fixture.reran(runId, { scope: 'failed' });
    expect(run.maxCredits).toBe(5000);
  });

  test('of a case with rows is of those rows alone', async () => {
    const steps = [
      { id: 'ask', kind: 'prompt', prompt: 'The weather in {{city}}?' },
      {
        id: 'expect',
        kind: 'assert',
        assertion: {
          type: 'toolCalledWith',
          toolName: 'weather',
          args: { args: { city: '{{city}}' } },
        },
      },
    ];
    const suiteId = await fixture.suite({
      serverIds: [fixture.serverId],
      cases: [{ title: 'Place', steps: whole, ...onModels('one') }],
    });
    const [{ id }] = (await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`)).items;
    const data = { key: 'city', rows: [{ city: 'Rome' }, { city: 'Oslo' }] };
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${id}`, { steps, data });
    const { runId } = await fixture.run(suiteId);
    const { variants, launched } = await fixture.reran(runId, { scope: 'failed' });
    expect(variants).toEqual(['Place [Oslo] local/one']);
    expect(launched.warnings).toEqual([]);
  });

  test('tells what the suite no longer has, and runs the rest', async () => {
    const { runId, suiteId } = await fixture.played();
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
    await fixture.get(200, 'DELETE', `eval-suites/${suiteId}/cases/${items[0].id}`);
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${items[1].id}`, onModels('one'));
    const { launched, variants } = await fixture.reran(runId, { scope: 'all' });
    expect(variants).toEqual(['Half local/one', 'Away local/away']);
    expect(
      launched.warnings.map(({ code, message }: Record<string, string>) => [
        code,
        message?.split(' is not')[0],
      ]),
    ).toEqual([
      ['RERUN_CASE_GONE', 'The case "Good" on local/one'],
      ['RERUN_CASE_GONE', 'The case "Half" on local/bad'],
    ]);
    const failed = await fixture.rerun(runId, { scope: 'failed' });
    expect(failed.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NOTHING_TO_RERUN' },
    });
  });

  test('with a key is launched once, and the key is of that request alone', async () => {
    const { runId } = await fixture.played();
    const body = { scope: 'failed', idempotencyKey: unique('key') };
    const first = await fixture.expect(202, fixture.rerun(runId, body));
    const again = await fixture.expect(202, fixture.rerun(runId, body));
    expect(again).toMatchObject({
      runId: first.runId,
      deduped: true,
      caseUpsert: { committed: [] },
    });
    const other = await fixture.rerun(runId, { ...body, scope: 'all' });
    expect(other.body.details).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('is in the audit log, with the run it came of', async () => {
    const { runId } = await fixture.played();
    const { launched } = await fixture.reran(runId, { scope: 'failed' });
    const sql = fixture.service.owner.sql;
    const [line] = await sql<{ details: string }[]>`
      select details from audit_log where subject_id = ${launched.runId} and action = 'evalRun.launched'`;
    expect(JSON.parse(line?.details ?? '')).toMatchObject({ rerunOf: runId, scope: 'failed' });
  });
});
