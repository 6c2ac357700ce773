/**
 * Tests many concurrent edits of one client through two processes on one database. Exactly one edit
 * succeeds each time.
 */

import {
  type ClientCaller,
  createClientCaller,
  leastConfig,
  refusal,
} from '@proofmark/harness/client-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const rounds = 10;
const writers = 20;

let service: TestService;
let second: Awaited<ReturnType<TestService['another']>>;
let tenant: Tenant;
let clients: ClientCaller;
let apis: readonly ClientCaller[];
beforeAll(async () => {
  service = await startTestService();
  second = await service.another();
  tenant = await createTenant(service, 'acme');
  clients = createClientCaller(service, tenant);
  apis = [clients, createClientCaller({ ...service, baseUrl: second.baseUrl }, tenant)];
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

/**
 * Starts all requests while the row is locked, so that each has read the client before any of them
 * writes.
 */
function together(clientId: string, write: (api: ClientCaller, at: number) => Promise<TestAnswer>) {
  return whileRowIsHeld(service, { table: 'clients', id: clientId }, () =>
    Promise.all(
      Array.from({ length: writers }, (_, at) => write(apis[at % 2] as ClientCaller, at)),
    ),
  );
}

/**
 * Returns the only successful response. Checks that all others are rejected and report the state
 * that it created.
 */
function winner(answers: readonly TestAnswer[], current: (won: TestAnswer) => object): TestAnswer {
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const [only] = won as [TestAnswer];
  const lost = answers.filter(({ status }) => status === 409);
  expect(lost).toHaveLength(writers - 1);
  for (const answer of lost) expect(refusal(answer).details).toEqual(current(only));
  return only;
}

test('of twenty who change the config at once, one wins in each of many rounds', async () => {
  let { body: client } = await clients.create();
  const { id } = client;
  for (let round = 0; round < rounds; round += 1) {
    const expectedConfigId = client.configId;
    const answers = await together(id, (api, at) => {
      const systemPrompt = unique('Prompt');
      return at % 2 === 0
        ? api.edit(id, { set: { systemPrompt }, expectedConfigId })
        : api.edit(id, { config: { ...leastConfig, systemPrompt }, expectedConfigId });
    });
    const won = winner(answers, ({ body }) => ({ currentConfigId: body.configId }));
    expect((await clients.read(id)).body).toEqual(won.body);
    client = won.body;
  }
  expect(await clients.audited(id)).toHaveLength(1 + rounds);
});

test('of twenty who rename it at once, one wins in each of many rounds', async () => {
  let { body: client } = await clients.create();
  const { id } = client;
  for (let round = 0; round < rounds; round += 1) {
    const answers = await together(id, (api) =>
      api.edit(id, { name: unique('Name'), expectedName: client.name }),
    );
    const won = winner(answers, ({ body }) => ({ currentName: body.name }));
    expect((await clients.read(id)).body).toEqual(won.body);
    client = won.body;
  }
  expect(await clients.audited(id)).toHaveLength(1 + rounds);
});

test('of twenty who replace its servers at once, one wins, whatever way the others went', async () => {
  const { body: client } = await clients.create();
  const expectedConfigId = client.configId;
  const serverIds = await Promise.all(Array.from({ length: writers }, () => clients.saveServer()));
  const answers = await together(client.id, (api, at) =>
    at % 2 === 0
      ? api.setServers(client.id, { serverIds: [serverIds[at]], expectedConfigId })
      : api.edit(client.id, { set: { temperature: at / writers }, expectedConfigId }),
  );
  winner(answers, ({ body }) => ({ currentConfigId: body.configId }));
});

test('a change of the config and a rename at once do not stand in each other’s way', async () => {
  const { body: client } = await clients.create();
  const answers = await together(client.id, (api, at) =>
    at % 2 === 0
      ? api.edit(client.id, { name: unique('Name'), expectedName: client.name })
      : api.edit(client.id, {
          set: { systemPrompt: unique('s') },
          expectedConfigId: client.configId,
        }),
  );
  const won = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(won).toHaveLength(2);
  const { body: last } = await clients.read(client.id);
  expect(last.name).not.toBe(client.name);
  expect(last.configId).not.toBe(client.configId);
  expect(won).toContainEqual(last);
});

test('one deleted by its name while it is renamed is gone or renamed, not both', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const name = unique('Contested');
    const { body: client } = await clients.create({ name });
    const answers = await together(client.id, (api, at) =>
      at === 7
        ? api.edit(client.id, { name: unique('Name'), expectedName: name })
        : api.remove(name),
    );
    const renamed = answers[7]?.status === 200;
    const deleted = answers.filter((answer, at) => at !== 7 && answer.status === 200);
    expect(deleted).toHaveLength(renamed ? 0 : 1);
    expect((await clients.read(client.id)).status).toBe(renamed ? 200 : 404);
  }
});

test('one cannot be deleted while an environment is being made for it', async () => {
  const { body: client } = await clients.create();
  const environments = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/environments`;
  const body = { name: unique('Environment'), hostId: client.id };
  const { making, deleting } = await service.owner.transaction(async (sql) => {
    // This lock lets the first request read the client but stops it before it inserts the
    // environment.
    await sql`lock table environments in share row exclusive mode`;
    const making = call(environments, { method: 'POST', key: tenant.key, body });
    await untilWaiting(sql, 1);
    const deleting = clients.remove(client.id);
    await Promise.race([deleting, untilWaiting(sql, 2)]);
    return { making, deleting };
  });
  expect((await making).status).toBe(201);
  expect(refusal(await deleting).details).toMatchObject({ reason: 'CLIENT_IN_USE' });
  expect((await clients.read(client.id)).body.impact.liveEnvironmentCount).toBe(1);
});

test('twenty who save one config at once, under twenty names, share its id', async () => {
  const config = { modelId: unique('acme/model') };
  const answers = await Promise.all(
    Array.from({ length: writers }, (_, at) => apis[at % 2]?.create({ config })),
  );
  expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([201]));
  const ids = new Set(answers.map((answer) => answer?.body.configId));
  expect(ids.size).toBe(1);
  const kept = await service.owner.sql`
    select from client_configs where id = ${[...ids][0] as string}`;
  expect(kept.count).toBe(1);
});
