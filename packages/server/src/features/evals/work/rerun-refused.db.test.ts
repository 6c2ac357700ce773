import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import {
  answersWell,
  onModels,
  type RerunFixture,
  startRerunFixture,
} from '@proofmark/harness/rerun-fixture.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RerunFixture;
beforeAll(async () => {
  fixture = await startRerunFixture();
});
afterAll(() => fixture.stop());

describe('nothing is run again', () => {
  const passing1 = () =>
    fixture.played({}, { cases: [{ title: 'Good', steps: whole, ...onModels('one') }] });

  test.each(['failed', 'notGraded'])('where no trial is of the kind %s', async (scope) => {
    const { runId } = await passing1();
    const answer = await fixture.rerun(runId, { scope });
    expect(answer.status).toBe(409);
    expect(answer.body.details).toEqual({ reason: 'NOTHING_TO_RERUN' });
  });

  test('of a run that was reported from outside', async () => {
    const report = { suiteName: unique('suite'), results: [{ ...passing, passed: false }] };
    const { body } = await createReporter(fixture.service, fixture.tenant).ingest('report', report);
    const answer = await fixture.rerun(body.runId, { scope: 'failed' });
    expect(answer.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'RUN_REPORTED' } });
  });

  test('of a run that goes on', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.provider.scripts.set('one', async (...asked) => {
      await held;
      return answersWell(...asked);
    });
    const suiteId = await fixture.suite({
      serverIds: [fixture.serverId],
      cases: [{ title: 'Good', steps: whole, ...onModels('one') }],
    });
    const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
    const answer = await fixture.rerun(runId, { scope: 'all' });
    release();
    fixture.provider.scripts.set('one', answersWell);
    await fixture.read(runId);
    expect(answer.body.details).toMatchObject({ reason: 'RUN_NOT_ENDED' });
  });

  test('where a server of the run is gone', async () => {
    const other = await fixture.mcpServer();
    const { runId } = await fixture.played({ serverIds: [other.id] });
    await fixture.get(200, 'DELETE', `servers/${other.id}`);
    const answer = await fixture.rerun(runId, { scope: 'failed' });
    expect(answer.body.details).toEqual({ reason: 'SERVER_NOT_FOUND', missingId: other.id });
  });

  test('where the client of the run is gone', async () => {
    const config = { modelId: 'local/bad', clientCapabilities: {}, hostContext: {} };
    const namedHostId = await fixture.client(config);
    const { runId } = await fixture.played({ namedHostId });
    await fixture.get(200, 'DELETE', `clients/${namedHostId}`);
    const answer = await fixture.rerun(runId, { scope: 'failed' });
    expect(answer.status).toBe(409);
    expect(answer.body.details).toEqual({ reason: 'CLIENT_NOT_FOUND', missingId: namedHostId });
    expect(answer.body.message).toMatch(/client of this run no longer exists; launch the suite/);
  });

  test('where the suite has the environment of the run no more, or has one since', async () => {
    const { runId, suiteId } = await fixture.played();
    const hostId = await fixture.client({
      modelId: 'local/bad',
      clientCapabilities: {},
      hostContext: {},
      serverIds: [fixture.serverId],
    });
    const made = { name: unique('Environment'), hostId };
    const { id: environmentId } = await fixture.get(201, 'POST', 'environments', made);
    const attach = (environmentIds: string[] | null) =>
      fixture.get(200, 'PATCH', `eval-suites/${suiteId}`, { environmentIds });
    await attach([environmentId]);
    const onServers = await fixture.rerun(runId, { scope: 'failed' });
    expect(onServers.body.details.reason).toBe('ENVIRONMENT_SERVERS_NOT_OVERRIDABLE');
    const inside = await fixture.run(suiteId);
    const again = await fixture.reran(inside.runId, { scope: 'failed' });
    expect(again.launched.environment).toMatchObject({ id: environmentId });
    await attach(null);
    const detached = await fixture.rerun(inside.runId, { scope: 'failed' });
    expect(detached.body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'ENVIRONMENT_NOT_ATTACHED' },
    });
  });

  test('under a scope nobody knows, or with a key nobody knows', async () => {
    const { runId } = await passing1();
    expect((await fixture.rerun(runId, { scope: 'some' })).body.details.path).toBe('body.scope');
    expect((await fixture.rerun(runId, { scope: 'all', caseIds: ['x'] })).status).toBe(400);
  });
});

test('a key that may only run reruns what ran as it is saved, and nothing else', async () => {
  const { service, tenant } = fixture;
  const { key } = await service.operator.createKey('owner@acme.example', 'acme', 'runner', {
    scope: 'run-only',
  });
  const saved = await fixture.played();
  const url = (runId: string) =>
    `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/rerun`;
  const asked = { method: 'POST', key, body: { scope: 'failed' } };
  expect((await call(url(saved.runId), asked)).status).toBe(202);
  const other = await fixture.mcpServer();
  const elsewhere = await fixture.played({ serverIds: [other.id] });
  const refused = await call(url(elsewhere.runId), asked);
  expect(refused.body).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'KEY_SCOPE' } });
  expect((await fixture.rerun(elsewhere.runId, { scope: 'failed' })).status).toBe(202);
});
