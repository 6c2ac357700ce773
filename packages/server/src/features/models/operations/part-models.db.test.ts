import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operateModels } from '../../../main/operate-models.ts';
import { operatorActor } from '../../../main/operator-input.ts';

let fixture: EvalFixture;
beforeAll(async () => {
  fixture = await startEvalFixture({ late: () => ({ text: 'I came later.' }) });
});
afterAll(() => fixture.stop());

test('the agent asks a model from the moment it is offered, and says before that it is not', async () => {
  const { service, models, tenant, provider } = fixture;
  const partModels = { insights: 'off', agent: 'added/late', generation: 'added/late' };
  const { baseUrl, stop } = await service.another({ models, partModels });
  const turn = () =>
    call(`${baseUrl}/api/v1/projects/${tenant.projectId}/agent`, {
      method: 'POST',
      key: tenant.key,
      body: { messages: [{ role: 'user', content: 'Who are you?' }] },
    });
  const draft = () =>
    call(
      `${baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${tenant.suiteId}/cases/generate`,
      {
        method: 'POST',
        key: tenant.key,
        body: { servers: [tenant.serverId] },
      },
    );
  const before = await turn();
  expect([before.status, before.body.code]).toEqual([422, 'FEATURE_NOT_SUPPORTED']);
  expect(before.body.message).toContain('added/late');
  // The rejected request is not counted as a turn.
  const counted = await service.owner.sql`
    select counter from daily_counters where counter <> 'trialsPerDay'`;
  expect(counted).toEqual([]);
  const undrafted = await draft();
  expect([undrafted.status, undrafted.body.message]).toEqual([
    422,
    expect.stringContaining('added/late'),
  ]);
  await operateModels(service.owner, operatorActor(), models).setProvider('added', {
    kind: 'openai-compatible',
    baseUrl: provider.baseUrl,
    apiKey: 'sk-added',
    models: [{ name: 'late' }],
  });
  const after = await turn();
  expect([after.status, after.body.reply]).toEqual([200, 'I came later.']);
  // The model is now found, so the answer no longer contains an error that names it.
  expect((await draft()).text).not.toContain('added/late');
  await stop();
});
