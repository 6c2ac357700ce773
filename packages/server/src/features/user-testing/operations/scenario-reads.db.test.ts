import { unique } from '@proofmark/harness/reporter.ts';
import { createScenarioCaller, type ScenarioCaller } from '@proofmark/harness/scenario-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let own: ScenarioCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  await service.operator.setFeature(tenant.organizationId, 'user-testing', 'on');
  own = createScenarioCaller(service, tenant);
});
afterAll(() => service.stop());

const make = async (kind: string, body: object) => {
  const made = await own.ask('POST', kind, { name: unique(kind), ...body });
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const saveServer = (more: object = {}) =>
  make('servers', {
    enabled: true,
    transportType: 'http',
    url: 'https://books.example/mcp',
    ...more,
  });

test('tells client, model, approval and servers as they are at this moment', async () => {
  const plain = await saveServer();
  const secret = await saveServer({ headers: { Authorization: 'Bearer hidden' }, useOAuth: true });
  const client = await make('clients', {
    config: {
      hostStyle: 'desk',
      modelId: 'proofmark/lexical-1',
      systemPrompt: 'Be brief.',
      temperature: 0.3,
      requireToolApproval: true,
      serverIds: [plain.id, secret.id],
      computer: { kind: 'personal' },
      harness: 'codex',
    },
  });
  const environment = await make('environments', { hostId: client.id });
  const made = (await own.publish(environment.id, { description: 'Ask.' })).body;
  const path = new URL(made.link).pathname;
  const listed = {
    id: made.id,
    projectId: tenant.projectId,
    name: made.name,
    description: 'Ask.',
    mode: 'project_members',
    accessVersion: 1,
    environmentId: environment.id,
    hostStyle: 'desk',
    hostId: client.id,
    hostName: client.name,
    serverCount: 2,
    serverNames: [plain.name, secret.name].sort(),
    credentialedServerNames: [secret.name],
    link: { path, url: made.link },
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  };
  const member = await createMember(service, tenant, 'member', 'member');
  const first = (await own.ask('GET', 'scenarios?limit=1', undefined, member.key)).body.items[0];
  expect({ ...first, serverNames: [...first.serverNames].sort() }).toEqual(listed);
  const detail = await own.ask('GET', `scenarios/${made.id}`, undefined, member.key);
  expect(detail.text).not.toContain('hidden');
  expect({
    ...detail.body,
    serverNames: [...detail.body.serverNames].sort(),
    servers: undefined,
  }).toEqual({
    ...listed,
    modelId: 'proofmark/lexical-1',
    systemPrompt: 'Be brief.',
    temperature: 0.3,
    requireToolApproval: true,
    feedback: 'off',
    welcome: null,
    guestExecution: null,
    guestCreditsToday: 0,
    unsupported: ['computer', 'codex'],
  });
  expect(detail.body.servers).toHaveLength(2);
  const url = 'https://books.example/mcp';
  expect(detail.body.servers).toEqual(
    expect.arrayContaining([
      { id: plain.id, name: plain.name, url, useOAuth: false },
      { id: secret.id, name: secret.name, url, useOAuth: true },
    ]),
  );
  // A change of the environment applies to its scenario at once, because a scenario stores no copy
  // of it.
  await own.ask('PATCH', `environments/${environment.id}`, {
    modelId: 'a/b',
    expectedRevision: 1,
  });
  expect((await own.ask('GET', `scenarios/${made.id}`)).body.modelId).toBe('a/b');
});

test('what is unset is null, and no approval is asked for', async () => {
  const server = await saveServer();
  const config = { modelId: 'a/b', serverIds: [server.id] };
  const client = await make('clients', { config });
  const environment = await make('environments', { hostId: client.id });
  const { id } = (await own.publish(environment.id)).body;
  const { body } = await own.ask('GET', `scenarios/${id}`);
  expect(body).toMatchObject({
    description: null,
    hostStyle: null,
    systemPrompt: null,
    temperature: null,
    requireToolApproval: false,
    credentialedServerNames: [],
  });
  expect(body).not.toHaveProperty('unsupported');
  expect(body).not.toHaveProperty('environmentError');
});

test.each([
  ['headers of the client', { connectionDefaults: { headers: { 'X-Key': 'v' } } }, {}],
  ['a header of the server', {}, { headers: { 'X-Key': 'v' } }],
  ['a secret in the address', {}, { url: 'https://books.example/mcp?key=abc' }],
])('says that visitors act with %s', async (_, config, saved) => {
  const server = await saveServer(saved);
  const client = await make('clients', {
    config: { modelId: 'a/b', serverIds: [server.id], ...config },
  });
  const environment = await make('environments', { hostId: client.id });
  const { id } = (await own.publish(environment.id)).body;
  const { body } = await own.ask('GET', `scenarios/${id}`);
  expect(body.credentialedServerNames).toEqual([server.name]);
});

test('says so of tokens that were imported, as long as they can be used', async () => {
  const server = await saveServer();
  const client = await make('clients', { config: { modelId: 'a/b', serverIds: [server.id] } });
  const environment = await make('environments', { hostId: client.id });
  const { id } = (await own.publish(environment.id)).body;
  const { sql } = service.owner;
  await sql`
    insert into oauth_grants (server_id, organization_id, project_id, import_id, origin, sealed_tokens)
    values (${server.id}, ${tenant.organizationId}, ${tenant.projectId}, 'imp', 'https://books.example', '\\x01')`;
  const named = async () =>
    (await own.ask('GET', `scenarios/${id}`)).body.credentialedServerNames as string[];
  expect(await named()).toEqual([server.name]);
  await sql`update oauth_grants set state = 'over' where server_id = ${server.id}`;
  expect(await named()).toEqual([]);
});

test('a scenario whose environment does not resolve is still shown, with the reason', async () => {
  const { id, environmentId, link } = await own.scenario();
  const revision = { expectedRevision: 1 };
  await own.ask('POST', `environments/${environmentId}/archive`, revision);
  const detail = await own.ask('GET', `scenarios/${id}`);
  expect([detail.status, detail.body]).toEqual([
    200,
    expect.objectContaining({
      id,
      mode: 'project_members',
      link: { path: new URL(link).pathname, url: link },
      hostStyle: null,
      hostId: null,
      hostName: null,
      serverCount: 0,
      serverNames: [],
      modelId: null,
      systemPrompt: null,
      temperature: null,
      servers: [],
      requireToolApproval: true,
      environmentError: { code: 'ENV_ARCHIVED', message: expect.stringContaining('archived') },
    }),
  ]);
  const listed = (await own.ask('GET', 'scenarios?limit=200')).body.items;
  const found = listed.find((one: { id: string }) => one.id === id);
  expect(found.environmentError.code).toBe('ENV_ARCHIVED');
  expect((await own.ask('PATCH', `user-testing/scenarios/${id}`, { name: 'Old' })).status).toBe(
    200,
  );
  expect((await own.ask('DELETE', `environments/${environmentId}/scenario`)).body.deleted).toBe(
    true,
  );
});

test('the list goes on where the page before ended', async () => {
  const made = [await own.scenario(), await own.scenario(), await own.scenario()];
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await own.ask('GET', `scenarios?limit=2${cursor}`);
    ids.push(...body.items.map((one: { id: string }) => one.id));
    if (body.nextCursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(ids.slice(0, 3)).toEqual(made.map(({ id }) => id).reverse());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain(tenant.scenarioId);
});

test('a client says how many scenarios play it', async () => {
  const server = await saveServer();
  const client = await make('clients', { config: { modelId: 'a/b', serverIds: [server.id] } });
  const impact = async () =>
    (await own.ask('GET', `clients/${client.id}`)).body.impact.scenarioAttachmentCount;
  expect(await impact()).toBe(0);
  const environments = [
    await make('environments', { hostId: client.id }),
    await make('environments', { hostId: client.id }),
  ];
  for (const { id } of environments) await own.publish(id);
  expect(await impact()).toBe(2);
  await own.ask('DELETE', `environments/${environments[0].id}/scenario`);
  expect(await impact()).toBe(1);
});
