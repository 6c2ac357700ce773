import { defaultSpendingLimits } from '@proofmark/domain';
import { type ConsolePerson, consolePerson } from '@proofmark/harness/console-person.ts';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operateModels } from '../../../main/operate-models.ts';
import { operatorActor } from '../../../main/operator-input.ts';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import { defaultSpending } from '../../../platform/spending/spending.ts';
import { readSpending } from '../../../platform/spending/store/read-spending.ts';

let provider: OpenAiServer;
let service: TestService;
const egress = { allowLoopback: true, allowedPrivateHosts: [] };
const models = createModelGateway({ egress });
const operator = () => operateModels(service.owner, operatorActor(), models);
/** After one test of 25 credits, the maximum cost of a second one could exceed these 80. */
const limits = { ...defaultSpending.limits, creditsPerDay: 80 };
beforeAll(async () => {
  provider = await startOpenAiServer();
  service = await startTestService({ models, spending: { limits, brakes: true } });
  await operator().setProvider('shared', {
    kind: 'openai-compatible',
    baseUrl: provider.baseUrl,
    models: [{ name: 'm', inputPerMillion: 10_000, outputPerMillion: 20_000 }],
  });
  provider.scripts.set('m', () => ({
    usage: { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 },
  }));
});
afterAll(async () => {
  await service.stop();
  await models.close();
  await provider.stop();
});

async function newOwner(name: string): Promise<{ tenant: Tenant; owner: ConsolePerson }> {
  const tenant = await createTenant(service, name);
  const email = `owner@${name}.example`;
  return { tenant, owner: await consolePerson(service, { ...tenant, email }) };
}

const tested = ({ tenant, owner }: Awaited<ReturnType<typeof newOwner>>, name = 'shared') =>
  owner.ask('POST', `organizations/${tenant.organizationId}/model-providers/${name}/test`, {});
/** The trial that was reported when the tenant was created. */
const reportedTrial = { name: 'trialsPerDay', used: 1 };
const spent = ({ organizationId }: Tenant) =>
  service.database.tenant([organizationId], (sql) =>
    readSpending(sql, organizationId, undefined, defaultSpendingLimits),
  );

test('on the key of the operator it is written down, and refused when the cap does not hold it', async () => {
  const one = await newOwner('capped');
  expect((await tested(one)).body).toMatchObject({ ok: true });
  expect(await spent(one.tenant)).toMatchObject({
    counters: [{ name: 'credits', used: 25, reserved: 0 }, reportedTrial],
    ledger: [{ kind: 'provider_test', model: 'shared/m', steps: 1, credits: 25, unpriced: 0 }],
  });
  const count = provider.count('m');
  const refused = await tested(one);
  expect(refused.status, refused.text).toBe(403);
  expect(provider.count('m')).toBe(count);
});

test('on the key of the organization it is written down and not capped, and the pace is held', async () => {
  const one = await newOwner('braked');
  const at = `organizations/${one.tenant.organizationId}/model-providers/own`;
  const body = { kind: 'openai-compatible', baseUrl: provider.baseUrl, apiKey: 'sk-own' };
  await one.owner.ask('PUT', at, { ...body, models: [{ name: 'm' }], expectedRevision: 0 });
  const statuses: number[] = [];
  for (let number = 1; number <= 4; number += 1) statuses.push((await tested(one, 'own')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await spent(one.tenant)).toMatchObject({
    counters: [{ name: 'credits', used: 0 }, reportedTrial],
    ledger: [{ steps: 3, credits: 0 }],
  });
});

test('the operator who tests one for an organization finds it in its spending', async () => {
  const { tenant } = await newOwner('looked-after');
  const organization = tenant.organizationId;
  const { signal } = new AbortController();
  expect(await operator().testProvider('shared', { organization }, signal)).toMatchObject({
    ok: true,
  });
  expect(await spent(tenant)).toMatchObject({ ledger: [{ kind: 'provider_test', credits: 25 }] });
});
