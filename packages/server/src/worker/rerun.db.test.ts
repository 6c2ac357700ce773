/** What failed or was not graded is run again: those case variants alone, with what their run was launched with. */
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;

const good: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };

beforeAll(async () => {
  const price = { inputPerMillion: 1, outputPerMillion: 1 };
  fixture = await startEvalFixture(
    {
      one: good,
      bad: () => ({ text: 'I do not know.' }),
      away: () => ({ status: 500 }),
    },
    {},
    { one: price, bad: price, away: price },
  );
  serverId = (await fixture.mcpServer()).id;
});
afterAll(() => fixture.stop());

const on = (...models: string[]) => ({
  models: models.map((name) => ({ model: `local/${name}` })),
});

/** One case passes, one fails on one of its models, one is never graded. */
async function played(run: object = {}, more: object = {}) {
  const suiteId = await fixture.suite({
    serverIds: [serverId],
    cases: [
      { title: 'Good', steps: whole, ...on('one') },
      { title: 'Half', steps: whole, ...on('one', 'bad') },
      { title: 'Away', steps: whole, ...on('away') },
    ],
    ...more,
  });
  return { suiteId, ...(await fixture.run(suiteId, run)) };
}

const rerun = (runId: string, body: object, key?: string) =>
  fixture.ask('POST', `eval-runs/${runId}/rerun`, body, key);

async function reran(runId: string, body: object) {
  const launched = await fixture.expect(202, rerun(runId, body));
  const ended = await fixture.read(launched.runId);
  const variants = ended.trials.map(({ title, model }) => `${title} ${model}`);
  return { launched, ...ended, variants };
}

describe('a rerun', () => {
  test.each([
    ['failed', ['Half local/bad']],
    ['notGraded', ['Away local/away']],
    ['all', ['Good local/one', 'Half local/one', 'Half local/bad', 'Away local/away']],
  ])('of %s is of those case variants, with all their repetitions', async (scope, expected) => {
    const { runId, suiteId } = await played({ iterationOverride: 2 });
    const { launched, run, variants } = await reran(runId, { scope });
    expect(launched).toMatchObject({ suiteId, warnings: [], servers: [{ id: serverId }] });
    expect(variants).toEqual(expected.flatMap((variant) => [variant, variant]));
    expect(run).toMatchObject({ rerunOf: { runId, scope }, runNumber: 2 });
  });

  test('says again what the launch said, and takes the suite as it is now', async () => {
    const { runId, suiteId } = await played({
      ...{ matchOptionsOverride: { arguments: 'ignore' }, passCriteria: { minimumPassRate: 10 } },
    });
    const [, half] = (await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`)).items;
    const path = `eval-suites/${suiteId}/cases/${half.id}`;
    await fixture.get(200, 'PATCH', path, { title: 'Renamed', iterations: 3 });
    const { run, trials } = await reran(runId, { scope: 'failed' });
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
    const { runId } = await played({ maxCredits: 5000 });
    const { run } = await reran(runId, { scope: 'failed' });
    expect(run.maxCredits).toBe(5000);
  });

  test('of a case with rows is of those rows alone', async () => {
    const steps = [
      { id: 'ask', kind: 'prompt', prompt: 'The weather in {{city}}?' },
      {
        ...{ id: 'expect', kind: 'assert' },
        assertion: {
          type: 'toolCalledWith',
          toolName: 'weather',
          args: { args: { city: '{{city}}' } },
        },
      },
    ];
    const suiteId = await fixture.suite({
      serverIds: [serverId],
      cases: [{ title: 'Place', steps: whole, ...on('one') }],
    });
    const [{ id }] = (await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`)).items;
    const data = { key: 'city', rows: [{ city: 'Rome' }, { city: 'Oslo' }] };
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${id}`, { steps, data });
    const { runId } = await fixture.run(suiteId);
    const { variants, launched } = await reran(runId, { scope: 'failed' });
    expect(variants).toEqual(['Place [Oslo] local/one']);
    expect(launched.warnings).toEqual([]);
  });

  test('tells what the suite no longer has, and runs the rest', async () => {
    const { runId, suiteId } = await played();
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
    await fixture.get(200, 'DELETE', `eval-suites/${suiteId}/cases/${items[0].id}`);
    await fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${items[1].id}`, on('one'));
    const { launched, variants } = await reran(runId, { scope: 'all' });
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
    const failed = await rerun(runId, { scope: 'failed' });
    expect(failed.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NOTHING_TO_RERUN' },
    });
  });

  test('with a key is launched once, and the key is of that request alone', async () => {
    const { runId } = await played();
    const body = { scope: 'failed', idempotencyKey: unique('key') };
    const first = await fixture.expect(202, rerun(runId, body));
    const again = await fixture.expect(202, rerun(runId, body));
    expect(again).toMatchObject({
      runId: first.runId,
      deduped: true,
      caseUpsert: { committed: [] },
    });
    const other = await rerun(runId, { ...body, scope: 'all' });
    expect(other.body.details).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('is in the audit log, with the run it came of', async () => {
    const { runId } = await played();
    const { launched } = await reran(runId, { scope: 'failed' });
    const sql = fixture.service.owner.sql;
    const [line] = await sql<{ details: string }[]>`
      select details from audit_log where subject_id = ${launched.runId} and action = 'evalRun.launched'`;
    expect(JSON.parse(line?.details ?? '')).toMatchObject({ rerunOf: runId, scope: 'failed' });
  });
});

describe('nothing is run again', () => {
  const passing1 = () => played({}, { cases: [{ title: 'Good', steps: whole, ...on('one') }] });

  test.each(['failed', 'notGraded'])('where no trial is of the kind %s', async (scope) => {
    const { runId } = await passing1();
    const answer = await rerun(runId, { scope });
    expect(answer.status).toBe(409);
    expect(answer.body.details).toEqual({ reason: 'NOTHING_TO_RERUN' });
  });

  test('of a run that was reported from outside', async () => {
    const report = { suiteName: unique('suite'), results: [{ ...passing, passed: false }] };
    const { body } = await createReporter(fixture.service, fixture.tenant).ingest('report', report);
    const answer = await rerun(body.runId, { scope: 'failed' });
    expect(answer.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_REPORTED' } });
  });

  test('of a run that goes on', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.provider.scripts.set('one', async (...asked) => {
      await held;
      return good(...asked);
    });
    const suiteId = await fixture.suite({
      ...{ serverIds: [serverId], cases: [{ title: 'Good', steps: whole, ...on('one') }] },
    });
    const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
    const answer = await rerun(runId, { scope: 'all' });
    release();
    fixture.provider.scripts.set('one', good);
    await fixture.read(runId);
    expect(answer.body.details).toMatchObject({ reason: 'RUN_NOT_ENDED' });
  });

  test('where a server of the run is gone', async () => {
    const other = await fixture.mcpServer();
    const { runId } = await played({ serverIds: [other.id] });
    await fixture.get(200, 'DELETE', `servers/${other.id}`);
    const answer = await rerun(runId, { scope: 'failed' });
    expect(answer.body.details).toEqual({ reason: 'SERVER_NOT_FOUND', missingId: other.id });
  });

  test('where the suite has the environment of the run no more, or has one since', async () => {
    const { runId, suiteId } = await played();
    const hostId = await fixture.client({
      ...{ modelId: 'local/bad', clientCapabilities: {}, hostContext: {}, serverIds: [serverId] },
    });
    const made = { name: unique('Environment'), hostId };
    const { id: environmentId } = await fixture.get(201, 'POST', 'environments', made);
    const attach = (environmentIds: string[] | null) =>
      fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { environmentIds });
    await attach([environmentId]);
    const onServers = await rerun(runId, { scope: 'failed' });
    expect(onServers.body.details.reason).toBe('ENVIRONMENT_SERVERS_NOT_OVERRIDABLE');
    const inside = await fixture.run(suiteId);
    const again = await reran(inside.runId, { scope: 'failed' });
    expect(again.launched.environment).toMatchObject({ id: environmentId });
    await attach(null);
    const detached = await rerun(inside.runId, { scope: 'failed' });
    expect(detached.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'ENVIRONMENT_NOT_ATTACHED' },
    });
  });

  test('under a scope nobody knows, or with a key nobody knows', async () => {
    const { runId } = await passing1();
    expect((await rerun(runId, { scope: 'some' })).body.details.path).toBe('body.scope');
    expect((await rerun(runId, { scope: 'all', caseIds: ['x'] })).status).toBe(400);
  });
});

test('a key that may only run reruns what ran as it is saved, and nothing else', async () => {
  const { service, tenant } = fixture;
  const { key } = await service.operator.createKey('owner@acme.example', 'acme', 'runner', {
    scope: 'run-only',
  });
  const saved = await played();
  const url = (runId: string) =>
    `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/rerun`;
  const asked = { method: 'POST', key, body: { scope: 'failed' } };
  expect((await call(url(saved.runId), asked)).status).toBe(202);
  const other = await fixture.mcpServer();
  const elsewhere = await played({ serverIds: [other.id] });
  const refused = await call(url(elsewhere.runId), asked);
  expect(refused.body).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'KEY_SCOPE' } });
  expect((await rerun(elsewhere.runId, { scope: 'failed' })).status).toBe(202);
});
