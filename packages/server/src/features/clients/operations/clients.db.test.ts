import { clientTemplateIds, templateConfig } from '@proofmark/domain';
import {
  type ClientCaller,
  createClientCaller,
  createProject,
  leastConfig,
  refusal,
} from '@proofmark/harness/client-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let outsider: Tenant;
let clients: ClientCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  outsider = await createTenant(service, 'other');
  clients = createClientCaller(service, tenant);
});
afterAll(() => service.stop());

const none = {
  liveEnvironmentCount: 0,
  scenarioAttachmentCount: 0,
  activeLegacyJourneyCount: 0,
};

describe('a client is made', () => {
  test.each(clientTemplateIds)('from the template %s, in either theme', async (template) => {
    const light = await clients.createFrom({ name: unique('Light'), template });
    expect(light.status, light.text).toBe(201);
    expect(light.body.config).toEqual({
      ...templateConfig(template),
      serverIds: [],
      optionalServerIds: [],
    });
    const dark = await clients.createFrom({ name: unique('Dark'), template, theme: 'dark' });
    expect(dark.body.config.hostContext.theme).toBe('dark');
    expect(dark.body.configId).not.toBe(light.body.configId);
  });

  test('from a config, which is told back in its one spelling', async () => {
    const [first, second] = [await clients.saveServer(), await clients.saveServer()].sort();
    const before = Date.now();
    const answer = await clients.createFrom({
      name: '  Desk client ',
      config: {
        id: 'cfg_mine',
        schemaVersion: 2,
        modelId: ' acme/model-1 ',
        serverIds: [second, first, second],
        computer: null,
        skillSelection: { mode: 'all-visible' },
        builtInToolIds: [],
      },
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^cli_[0-9a-z]{26}$/),
      name: 'Desk client',
      configId: expect.stringMatching(/^cfg_[0-9a-f]{64}$/),
      modelId: 'acme/model-1',
      serverCount: 2,
      ownerScope: null,
      hasComputer: false,
      createdAt: expect.any(Number),
      updatedAt: answer.body.createdAt,
      config: {
        modelId: 'acme/model-1',
        clientCapabilities: {},
        hostContext: {},
        serverIds: [first, second],
        optionalServerIds: [],
      },
      impact: none,
    });
    expect(answer.body.createdAt).toBeGreaterThanOrEqual(before - 1);
    expect((await clients.read(answer.body.id)).body).toEqual(answer.body);
  });

  test('and what it declares, optional servers and a computer included, is counted', async () => {
    const optional = await clients.saveServer();
    const { body } = await clients.create({
      config: {
        ...leastConfig,
        serverIds: [tenant.serverId],
        optionalServerIds: [optional],
        computer: { kind: 'personal' },
      },
    });
    expect(body).toMatchObject({ serverCount: 2, hasComputer: true });
  });

  const config = leastConfig;
  const override = { srv_x: { requestTimeoutOverride: 5 } };
  const headers = { 'Bad Name': 'x' };
  test.each<[string, object, string]>([
    ['neither', { name: 'A' }, 'body'],
    ['both', { name: 'A', template: 'claude', config }, 'body'],
    ['an unknown template', { name: 'A', template: 'netscape' }, 'body.template'],
    ['a theme without a template', { name: 'A', theme: 'dark', config }, 'body.theme'],
    ['another theme', { name: 'A', template: 'claude', theme: 'blue' }, 'body.theme'],
    ['no name', { template: 'claude' }, 'body.name'],
    ['a blank name', { name: ' ', template: 'claude' }, 'body.name'],
    ['an unknown field', { name: 'A', config, colour: 1 }, 'body.colour'],
    ['an empty config', { name: 'A', config: {} }, 'body.config.modelId'],
    ['a blank model', { name: 'A', config: { modelId: ' ' } }, 'body.config.modelId'],
    [
      'an unknown field of a config',
      { name: 'A', config: { ...config, colour: 1 } },
      'body.config.colour',
    ],
    [
      'an unknown harness',
      { name: 'A', config: { ...config, harness: 'emacs' } },
      'body.config.harness',
    ],
    [
      'capabilities that are no object',
      { name: 'A', config: { ...config, clientCapabilities: [] } },
      'body.config.clientCapabilities',
    ],
    [
      'an override of a server it is not attached to',
      { name: 'A', config: { ...config, serverConnectionOverrides: override } },
      'body.config.serverConnectionOverrides.srv_x',
    ],
    [
      'a server in both lists',
      { name: 'A', config: { ...config, serverIds: ['s'], optionalServerIds: ['s'] } },
      'body.config.optionalServerIds',
    ],
    [
      'a header that cannot be sent',
      { name: 'A', config: { ...config, connectionDefaults: { headers } } },
      'body.config.connectionDefaults.headers',
    ],
  ])('but not from %s', async (_title, body, path) => {
    const count = () => service.owner.sql`select from clients`.then((rows) => rows.count);
    const before = await count();
    expect(refusal(await clients.createFrom(body))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { path },
    });
    expect(await count()).toBe(before);
  });

  test.each(['serverIds', 'optionalServerIds'])(
    'but not with %s of another project, another organization or nobody, all refused alike',
    async (list) => {
      const elsewhere = createClientCaller(service, tenant, {
        projectId: await createProject(service, tenant),
      });
      const strangers = [await elsewhere.saveServer(), outsider.serverId, 'srv_nobody'];
      const answers = [];
      for (const stranger of strangers) {
        const own = await clients.saveServer();
        answers.push(await clients.create({ config: { ...leastConfig, [list]: [own, stranger] } }));
      }
      const path = `body.config.${list}[1]`;
      expect(refusal(answers[0] as never)).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        details: { path, reason: 'SERVER_NOT_FOUND' },
      });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    },
  );
});

describe('a client is found', () => {
  test('by its id, and by its name whatever the case and the space around it', async () => {
    const name = `${unique('Ünïcode')} /?%#`;
    const { body } = await clients.create({ name });
    for (const reference of [body.id, name, name.toUpperCase(), ` ${name.toLowerCase()}  `])
      expect((await clients.read(reference)).body).toEqual(body);
  });

  test('by its id before a name that is spelled like it', async () => {
    const first = (await clients.create()).body;
    const second = (await clients.create({ name: first.id })).body;
    expect((await clients.read(first.id)).body).toEqual(first);
    await clients.remove(first.id);
    expect((await clients.read(first.id)).body).toEqual(second);
  });

  test('not by a name that several have: each operation says which and does nothing', async () => {
    const name = unique('Twin');
    const one = (await clients.create({ name })).body;
    const other = (await clients.create({ name: name.toUpperCase() })).body;
    const refused = {
      status: 409,
      code: 'CONFLICT',
      details: { candidateIds: [one.id, other.id].sort() },
    };
    for (const answer of [
      await clients.read(name),
      await clients.edit(name, { name: 'New', expectedName: name }),
      await clients.setServers(name, { serverIds: [], expectedConfigId: one.configId }),
      await clients.duplicate(name),
      await clients.remove(name),
    ])
      expect(refusal(answer)).toEqual(refused);
    expect((await clients.read(one.id)).body).toEqual(one);
    expect((await clients.read(other.id)).body).toEqual(other);
  });

  test('only in its own project, by id or by name, by insiders and outsiders alike', async () => {
    const { body } = await clients.create({ name: unique('Hidden') });
    const projectId = await createProject(service, tenant);
    const elsewhere = createClientCaller(service, tenant, { projectId });
    const abroad = createClientCaller(service, outsider);
    const answers = [
      await clients.read('cli_nobody'),
      await elsewhere.read(body.id),
      await elsewhere.read(body.name),
      await abroad.read(body.id),
      await abroad.read(body.name),
      await abroad.edit(body.id, { name: 'Mine', expectedName: body.name }),
      await abroad.setServers(body.id, { serverIds: [], expectedConfigId: body.configId }),
      await abroad.duplicate(body.id),
      await abroad.remove(body.id),
      await clients.read(body.id, outsider.key),
    ];
    for (const { status } of answers) expect(status).toBe(404);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await clients.read(body.id)).body).toEqual(body);
  });
});

test('the list has every client once, oldest first, without configs, page by page', async () => {
  const projectId = await createProject(service, tenant);
  const listed = createClientCaller(service, tenant, { projectId });
  const made = [];
  for (let at = 0; at < 5; at += 1) {
    const { config: _config, impact: _impact, ...shown } = (await listed.create()).body;
    made.push(shown);
  }
  expect((await listed.list()).body).toEqual({ items: made });
  const walked = [];
  let query = '?limit=2';
  for (;;) {
    const { body } = await listed.list(query);
    walked.push(...body.items);
    if (body.nextCursor === undefined) break;
    query = `?limit=2&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(walked).toEqual(made);
});

describe('a copy', () => {
  test('has the config, an id of its own, and the given name or one of its own', async () => {
    const name = unique('Source');
    const source = (await clients.create({ name })).body;
    const copies = [
      await clients.duplicate(source.id),
      await clients.duplicate(name),
      await clients.duplicate(source.id, { name: ' Chosen ' }),
    ];
    for (const { status } of copies) expect(status).toBe(201);
    expect(copies.map(({ body }) => body.name)).toEqual([
      `${name} copy`,
      `${name} copy 2`,
      'Chosen',
    ]);
    for (const { body } of copies) {
      expect(body.id).not.toBe(source.id);
      expect(body).toMatchObject({ configId: source.configId, config: source.config });
    }
    expect((await clients.read(source.id)).body).toEqual(source);
  });

  test('takes along a server that was deleted since', async () => {
    const serverId = await clients.saveServer();
    const config = { ...leastConfig, serverIds: [serverId] };
    const source = (await clients.create({ config })).body;
    await clients.removeServer(serverId);
    expect((await clients.duplicate(source.id)).body.configId).toBe(source.configId);
  });

  test('is not made of a client without a model', async () => {
    const { body } = await clients.create({ config: { modelId: unique('acme/gone') } });
    await service.owner.sql`update client_configs set model_id = '' where id = ${body.configId}`;
    expect(refusal(await clients.duplicate(body.id))).toEqual({
      status: 409,
      code: 'CONFLICT',
      details: { reason: 'CLIENT_HAS_NO_MODEL' },
    });
  });

  test.each([
    [{ name: '' }, 'body.name'],
    [{ title: 'A' }, 'body.title'],
  ])('is refused with %j', async (body, path) => {
    const answer = await clients.duplicate(tenant.client, body);
    expect(refusal(answer)).toMatchObject({ status: 400, details: { path } });
  });
});

describe('a client goes', () => {
  test('once, by id or by name, and its config stays', async () => {
    const { body } = await clients.create({ name: unique('Going') });
    const answer = await clients.remove(body.name);
    expect(answer).toMatchObject({ status: 200, body: { id: body.id, deleted: true } });
    expect((await clients.remove(body.id)).status).toBe(404);
    const kept = await service.owner.sql`select from client_configs where id = ${body.configId}`;
    expect(kept.count).toBe(1);
  });

  test('not while a live environment uses it, which its impact counts; archived ones do not', async () => {
    const { body } = await clients.create();
    await clients.makeEnvironment(body.id);
    await clients.makeEnvironment(body.id);
    await clients.makeEnvironment(body.id, new Date());
    expect((await clients.read(body.id)).body.impact).toEqual({ ...none, liveEnvironmentCount: 2 });
    expect(refusal(await clients.remove(body.id))).toEqual({
      status: 409,
      code: 'CONFLICT',
      details: { reason: 'CLIENT_IN_USE', liveEnvironmentCount: 2 },
    });
    await service.owner.sql`update environments set archived_at = now() where host_id = ${body.id}`;
    expect((await clients.remove(body.id)).status).toBe(200);
  });

  test('with its project, and with its organization, configs included', async () => {
    const gone = await createTenant(service, unique('gone'));
    const { organizationId, client } = gone;
    await service.owner.sql`delete from organizations where id = ${organizationId}`;
    const left = await service.owner.sql`
      select from clients where id = ${client}
      union all select from client_configs where organization_id = ${organizationId}`;
    expect(left.count).toBe(0);
  });
});

test('a member reads; every write needs the manage tier', async () => {
  const { key } = await createMember(service, tenant, 'member');
  const manager = await createMember(service, tenant, 'member', 'manage');
  const { body } = await clients.create({}, manager.key);
  const rename = { name: 'New', expectedName: body.name };
  const servers = { serverIds: [], expectedConfigId: body.configId };
  expect((await clients.read(body.id, key)).body).toEqual(body);
  for (const answer of [
    await clients.create({}, key),
    await clients.edit(body.id, rename, key),
    await clients.setServers(body.id, servers, key),
    await clients.duplicate(body.id, {}, key),
    await clients.remove(body.id, key),
  ])
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect((await clients.edit(body.id, rename, manager.key)).status).toBe(200);
  expect((await clients.setServers(body.id, servers, manager.key)).status).toBe(200);
  expect((await clients.duplicate(body.id, {}, manager.key)).status).toBe(201);
  expect((await clients.remove(body.id, manager.key)).status).toBe(200);
});

test('each write leaves one line of the audit log, with names of fields and no values', async () => {
  const { body } = await clients.create();
  await clients.edit(body.id, { name: 'Audited', expectedName: body.name });
  const servers = { serverIds: [tenant.serverId], expectedConfigId: body.configId };
  await clients.setServers(body.id, servers);
  await clients.setServers(body.id, servers);
  const copy = (await clients.duplicate(body.id)).body;
  await clients.remove(body.id);
  expect(await clients.audited(body.id)).toEqual([
    { action: 'client.created', details: '{"fields":["name","config"]}' },
    { action: 'client.updated', details: '{"fields":["name","expectedName"]}' },
    { action: 'client.serversReplaced', details: '{"fields":["serverIds"]}' },
    { action: 'client.deleted', details: null },
  ]);
  expect(await clients.audited(copy.id)).toEqual([
    { action: 'client.duplicated', details: `{"sourceId":"${body.id}"}` },
  ]);
});
