import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
let name: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());
beforeEach(() => {
  name = unique('Straße Ö');
});

const create = (body: object = {}) =>
  ask('POST', 'environments', { name, hostId: tenant.hostId, ...body });
const write = (id: string, what: 'archive' | 'restore', expectedRevision: number) =>
  ask('POST', `environments/${id}/${what}`, { expectedRevision });
const read = async (id: string) => (await ask('GET', `environments/${id}`)).body;
const listed = async (query = '') => {
  const { body } = await ask('GET', `environments${query}`);
  return body.items.map(({ id }: { id: string }) => id);
};
const taken = { status: 409, body: { code: 'CONFLICT', details: { reason: 'NAME_TAKEN' } } };

describe('a name', () => {
  test('is taken whatever the case, for a new one and for a renamed one', async () => {
    const { body: first } = await create();
    expect(await create({ name: name.toUpperCase().replace('STRASSE', 'STRAße') })).toMatchObject(
      taken,
    );
    const { body: second } = await create({ name: unique('Another') });
    const rename = { expectedRevision: 1, name: name.toLowerCase() };
    expect(await ask('PATCH', `environments/${second.id}`, rename)).toMatchObject(taken);
    expect(await read(second.id)).toEqual(second);
    expect((await ask('PATCH', `environments/${first.id}`, rename)).body.name).toBe(
      name.toLowerCase(),
    );
  });

  test('is free again after archiving, and checked again when restoring', async () => {
    const { body: first } = await create();
    expect((await write(first.id, 'archive', 1)).status).toBe(200);
    const { status, body: second } = await create();
    expect(status).toBe(201);
    const refused = await write(first.id, 'restore', 2);
    expect(refused).toMatchObject(taken);
    expect(await read(first.id)).toMatchObject({ archived: true, revision: 2 });
    await write(second.id, 'archive', 1);
    expect((await write(first.id, 'restore', 2)).body).toMatchObject({
      archived: false,
      revision: 3,
    });
    expect(await write(second.id, 'restore', 2)).toMatchObject(taken);
  });
});

describe('archived', () => {
  test('it says when, is listed only on request and is read as ever', async () => {
    const { body: made } = await create({ modelId: 'a/b' });
    const before = Date.now();
    const { body: archived } = await write(made.id, 'archive', 1);
    expect(archived).toEqual({
      ...made,
      revision: 2,
      archived: true,
      archivedAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(archived.archivedAt).toBeGreaterThanOrEqual(before);
    expect(await read(made.id)).toEqual(archived);
    expect(await listed()).not.toContain(made.id);
    expect(await listed('?includeArchived=false')).not.toContain(made.id);
    expect(await listed('?includeArchived=true')).toContain(made.id);
    expect((await ask('GET', 'environments?includeArchived=yes')).status).toBe(400);
    const { body: restored } = await write(made.id, 'restore', 2);
    expect(restored).toEqual({ ...made, revision: 3, updatedAt: expect.any(Number) });
  });

  test('it cannot be edited, archived again or resolved; what is not cannot be restored', async () => {
    const { body: made } = await create({ serverAttachmentId: tenant.serverAttachmentId });
    expect(await write(made.id, 'restore', 1)).toMatchObject({
      status: 409,
      body: { details: { reason: 'ENVIRONMENT_NOT_ARCHIVED' } },
    });
    await write(made.id, 'archive', 1);
    const reason = { status: 409, body: { details: { reason: 'ENVIRONMENT_ARCHIVED' } } };
    const edit = { expectedRevision: 2, name: unique('Other') };
    expect(await ask('PATCH', `environments/${made.id}`, edit)).toMatchObject(reason);
    expect(await write(made.id, 'archive', 2)).toMatchObject(reason);
    expect(await ask('GET', `environments/${made.id}/resolve`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { code: 'ENV_ARCHIVED' } },
    });
    expect(await read(made.id)).toMatchObject({ name, revision: 2 });
  });
});

describe('restoring', () => {
  const plugin = async (serverId: string) =>
    (await ask('POST', 'plugins', { name: unique('P'), serverIds: [serverId] })).body;

  test('drops pins whose version is gone, and all of them when none is left', async () => {
    const [kept, gone] = [await plugin(tenant.serverId), await plugin(tenant.serverId)];
    const both = (await create({ pluginVersionIds: [gone.activeVersionId, kept.activeVersionId] }))
      .body;
    const one = (await create({ name: unique('E'), pluginVersionIds: [gone.activeVersionId] }))
      .body;
    for (const { id } of [both, one]) {
      expect((await ask('DELETE', `plugins/${gone.id}`)).status).toBe(409);
      await write(id, 'archive', 1);
    }
    expect((await ask('DELETE', `plugins/${gone.id}`)).status).toBe(200);
    expect((await read(both.id)).pluginVersionIds).toHaveLength(2);
    const restored = await write(both.id, 'restore', 2);
    expect(restored.body.pluginVersionIds).toEqual([kept.activeVersionId]);
    expect((await write(one.id, 'restore', 2)).body).not.toHaveProperty('pluginVersionIds');
  });
});

test('pages hold each environment once, in the order in which they were made', async () => {
  const made: string[] = [];
  for (let at = 0; at < 5; at += 1) made.push((await create({ name: unique('Page') })).body.id);
  await write(made[1] as string, 'archive', 1);
  const walk = async (query: string) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { body } = await ask('GET', `environments?limit=2${query}${more}`);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    return ids.filter((id) => made.includes(id));
  };
  expect(await walk('&includeArchived=true')).toEqual(made);
  expect(await walk('')).toEqual(made.filter((_, at) => at !== 1));
});
