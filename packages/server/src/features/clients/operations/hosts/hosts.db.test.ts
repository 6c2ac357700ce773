/**
 * Tests the older API paths of clients (`hosts`), kept for existing programs: older field names,
 * ids only, no expected versions.
 */
import { clientTemplateIds } from '@proofmark/domain';
import {
  type ClientCaller,
  createClientCaller,
  createProject,
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
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let outsider: Tenant;
let hosts: ClientCaller;
let clients: ClientCaller;
let host: { id: string; name: string; config: Record<string, unknown> };
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  outsider = await createTenant(service, 'other');
  hosts = createClientCaller(service, tenant, { path: 'hosts' });
  clients = createClientCaller(service, tenant);
});
afterAll(() => service.stop());
beforeEach(async () => {
  host = (await hosts.create()).body;
});

function isDeprecated({ headers }: TestAnswer, successor: string): void {
  expect(headers.get('deprecation')).toBe('true');
  const { pathname } = new URL(successor);
  expect(headers.get('link')).toBe(`<${pathname}>; rel="successor-version"`);
}

test('the whole life of a host, in the older names, each answer with its successor', async () => {
  const name = unique('Host');
  const created = await hosts.createFrom({ name, config: leastConfig });
  const id = created.body.id as string;
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id,
    name,
    config: {
      ...leastConfig,
      clientCapabilities: {},
      hostContext: {},
      serverIds: [],
      optionalServerIds: [],
    },
  });
  isDeprecated(created, clients.url());

  const read = await hosts.read(id);
  expect(read.body).toEqual(created.body);
  isDeprecated(read, clients.url(id));

  const listed = await hosts.list();
  const { configId, createdAt, updatedAt } = (await clients.read(id)).body;
  expect(listed.body.items.at(-1)).toEqual({
    id,
    name,
    hostConfigId: configId,
    modelId: leastConfig.modelId,
    serverCount: 0,
    createdAt,
    updatedAt,
  });
  isDeprecated(listed, clients.url());

  const renamed = await hosts.edit(id, { name: `${name} two` });
  expect(renamed).toMatchObject({ status: 200, body: { ...created.body, name: `${name} two` } });
  isDeprecated(renamed, clients.url(id));

  const configured = await hosts.edit(id, { config: { modelId: 'acme/model-2' } });
  expect(configured.body).toMatchObject({ id, config: { modelId: 'acme/model-2' } });

  const attached = await hosts.setServers(id, { serverIds: [tenant.serverId] });
  expect(attached.body).toEqual({
    id,
    name: `${name} two`,
    config: { ...configured.body.config, serverIds: [tenant.serverId] },
  });
  isDeprecated(attached, clients.url(id, '/servers'));

  const copied = await hosts.duplicate(id);
  expect(copied.status).toBe(201);
  expect(copied.body).toEqual({
    id: expect.not.stringContaining(id),
    name: `${name} two copy`,
    config: attached.body.config,
  });
  isDeprecated(copied, clients.url(id, '/duplicate'));

  const deleted = await hosts.remove(id);
  expect(deleted).toMatchObject({ status: 200, body: { id, deleted: true } });
  isDeprecated(deleted, clients.url(id));
  expect((await hosts.read(id)).status).toBe(404);

  expect((await clients.audited(id)).map(({ action }) => action)).toEqual([
    'client.created',
    'client.updated',
    'client.updated',
    'client.serversReplaced',
    'client.deleted',
  ]);
});

test.each(clientTemplateIds)('a host is made from the template %s', async (template) => {
  const answer = await hosts.createFrom({ name: unique('Host'), template, theme: 'dark' });
  expect(answer).toMatchObject({ status: 201, body: { config: { hostStyle: template } } });
});

test('the list has pages, with a cursor that is not one of the newer list', async () => {
  const projectId = await createProject(service, tenant);
  const own = createClientCaller(service, tenant, { projectId, path: 'hosts' });
  const made = [(await own.create()).body.id, (await own.create()).body.id];
  const first = await own.list('?limit=1');
  const cursor = `?limit=1&cursor=${encodeURIComponent(first.body.nextCursor)}`;
  const last = await own.list(cursor);
  const walked = [...first.body.items, ...last.body.items];
  expect(walked.map(({ id }) => id)).toEqual(made);
  expect(last.body).not.toHaveProperty('nextCursor');
  const newer = await createClientCaller(service, tenant, { projectId }).list(cursor);
  expect(newer.status).toBe(400);
});

describe('every refusal is deprecated too', () => {
  test('and says the same as the newer path', async () => {
    const { key: member } = await createMember(service, tenant, 'member');
    const abroad = createClientCaller(service, outsider, { path: 'hosts' });
    const { id } = host;
    const refused: [TestAnswer, number][] = [
      [await call(hosts.url()), 401],
      [await call(hosts.url(), { key: 'sk_nonsense' }), 401],
      [await hosts.create({}, member), 403],
      [await hosts.edit(id, { name: 'New' }, member), 403],
      [await hosts.setServers(id, { serverIds: [] }, member), 403],
      [await hosts.duplicate(id, {}, member), 403],
      [await hosts.remove(id, member), 403],
      [await abroad.read(id), 404],
      [await hosts.read(id, outsider.key), 404],
      [await hosts.read('cli_nobody'), 404],
      [await hosts.createFrom({ name: 'A' }), 400],
      [await hosts.list('?limit=x'), 400],
    ];
    await hosts.makeEnvironment(id);
    refused.push([await hosts.remove(id), 409]);
    for (const [answer, status] of refused) {
      expect(answer.status, answer.text).toBe(status);
      expect(answer.headers.get('deprecation')).toBe('true');
    }
    expect(refusal(await hosts.remove(id))).toEqual(refusal(await clients.remove(id)));
    expect((await hosts.read('cli_nobody')).text).toBe((await clients.read('cli_nobody')).text);
  });

  test('and the newer path is not', async () => {
    for (const answer of [await clients.read(host.id), await clients.read('cli_nobody')]) {
      expect(answer.headers.has('deprecation')).toBe(false);
      expect(answer.headers.has('link')).toBe(false);
    }
  });
});

describe('the older paths', () => {
  test('know ids only', async () => {
    const unknown = await hosts.read('cli_nobody');
    for (const answer of [
      await hosts.read(host.name),
      await hosts.edit(host.name, { name: 'New' }),
      await hosts.setServers(host.name, { serverIds: [] }),
      await hosts.duplicate(host.name),
      await hosts.remove(host.name),
    ])
      expect({ status: answer.status, text: answer.text }).toEqual({
        status: 404,
        text: unknown.text,
      });
    expect((await hosts.read(host.id)).body).toEqual(host);
  });

  test.each<[string, object, string]>([
    ['a token of the newer path', { name: 'A', expectedName: 'B' }, 'body.expectedName'],
    ['set', { set: { temperature: 1 } }, 'body.set'],
    ['nothing', {}, 'body'],
    ['an empty config', { config: {} }, 'body.config.modelId'],
    [
      'a server of nobody',
      { config: { modelId: 'a/b', serverIds: ['x'] } },
      'body.config.serverIds[0]',
    ],
  ])('refuse %s in an edit, and write nothing', async (_title, body, path) => {
    const before = await hosts.stored(host.id);
    expect(refusal(await hosts.edit(host.id, body))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { path },
    });
    expect(await hosts.stored(host.id)).toEqual(before);
  });

  test.each<[object, string]>([
    [{ serverIds: [], expectedConfigId: 'x' }, 'body.expectedConfigId'],
    [{ serverIds: ['srv_nobody'] }, 'body.serverIds[0]'],
    [{ optionalServerIds: [] }, 'body.serverIds'],
  ])('refuse the servers %j', async (body, path) => {
    expect(refusal(await hosts.setServers(host.id, body))).toMatchObject({
      status: 400,
      details: { path },
    });
  });

  test('write nothing for an edit without effect', async () => {
    const before = await hosts.stored(host.id);
    await hosts.edit(host.id, { name: host.name, config: host.config });
    await hosts.setServers(host.id, { serverIds: [] });
    expect(await hosts.stored(host.id)).toEqual(before);
  });

  test('pass over the body of a deletion', async () => {
    const answer = await call(hosts.url(host.id), {
      method: 'DELETE',
      key: tenant.key,
      body: { force: true },
    });
    expect(answer).toMatchObject({ status: 200, body: { id: host.id, deleted: true } });
  });

  test('let twenty edits at once all through, one after the other; the last one holds', async () => {
    const answers = await whileRowIsHeld(service, { table: 'clients', id: host.id }, () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          hosts.edit(host.id, { config: { modelId: unique('acme/model') } }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body: last } = await hosts.read(host.id);
    expect(answers.map(({ body }) => body)).toContainEqual(last);
    expect(await hosts.audited(host.id)).toHaveLength(21);
  });

  test('lose no edit to changes of servers that began while it was under way', async () => {
    const serverIds = await Promise.all(Array.from({ length: 5 }, () => hosts.saveServer()));
    const modelId = unique('acme/model');
    const answers = await whileRowIsHeld(service, { table: 'clients', id: host.id }, async () => {
      const edit = hosts.edit(host.id, { config: { modelId } });
      // The edit queues before the `setServers` calls. A call that used the config from before the
      // edit would undo the edit.
      await untilWaiting(service.owner.sql, 1);
      const others = serverIds.map((id) => hosts.setServers(host.id, { serverIds: [id] }));
      return Promise.all([edit, ...others]);
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await hosts.read(host.id)).body.config.modelId).toBe(modelId);
  });

  test('make an edit of the newer path stale', async () => {
    const { configId, name } = (await clients.read(host.id)).body;
    await hosts.edit(host.id, { name: 'Taken', config: { modelId: 'acme/model-2' } });
    const now = (await clients.read(host.id)).body;
    const config = await clients.edit(host.id, {
      set: { temperature: 1 },
      expectedConfigId: configId,
    });
    expect(refusal(config)).toMatchObject({
      status: 409,
      details: { currentConfigId: now.configId },
    });
    const rename = await clients.edit(host.id, { name: 'Mine', expectedName: name });
    expect(refusal(rename)).toMatchObject({ status: 409, details: { currentName: 'Taken' } });
  });
});
