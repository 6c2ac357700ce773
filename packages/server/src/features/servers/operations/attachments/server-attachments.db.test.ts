import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'other');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const create = (body: object = {}, key?: string) => {
  const group = { name: unique('Group'), serverIds: [tenant.serverId], ...body };
  return ask('POST', 'server-attachments', group, key);
};
const server = async () => {
  const body = {
    name: unique('S'),
    enabled: true,
    transportType: 'http',
    url: 'http://127.0.0.1:9/',
  };
  return (await ask('POST', 'servers', body)).body.id;
};
const audited = (id: string) =>
  service.owner.sql`select action, details from audit_log where subject_id = ${id} order by id`;

test('a group keeps its servers in order, each once, also when one of them is deleted', async () => {
  const gone = await server();
  const name = unique('Group');
  const answer = await create({ name, serverIds: [gone, tenant.serverId, gone] });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^grp_/),
    projectId: tenant.projectId,
    name,
    serverIds: [gone, tenant.serverId],
    createdAt: expect.any(Number),
  });
  expect((await ask('DELETE', `servers/${gone}`)).status).toBe(200);
  expect((await ask('GET', `server-attachments/${answer.body.id}`)).body).toEqual(answer.body);
  const listed = (await ask('GET', 'server-attachments')).body.items;
  expect(listed.at(-1)).toEqual(answer.body);
});

test('nobody changes a group, not even by hand', async () => {
  const { id } = (await create()).body;
  await expect(
    service.owner.sql`update server_attachments set server_ids = '{}' where id = ${id}`,
  ).rejects.toThrow('never changes');
});

test.each([
  ['nobody', () => 'srv_x'],
  ['another organization', () => other.serverId],
])('a server of %s is refused in the same words', async (_whose, idOf) => {
  const name = unique('Group');
  const answer = await create({ name, serverIds: [tenant.serverId, idOf()] });
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: {
      code: 'VALIDATION_ERROR',
      message: 'This project does not contain this server; create it first or name another.',
      details: { path: 'body.serverIds[1]', reason: 'SERVER_NOT_FOUND' },
    },
  });
  const { items } = (await ask('GET', 'server-attachments')).body;
  expect(items.map((group: { name: string }) => group.name)).not.toContain(name);
});

test('a group has at least one server and a name of its own', async () => {
  expect(await create({ serverIds: [] })).toMatchObject({
    status: 400,
    body: { details: { path: 'body.serverIds' } },
  });
  const name = unique('Group é');
  await create({ name });
  expect(await create({ name: name.toUpperCase() })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { path: 'body.name', reason: 'NAME_TAKEN' } },
  });
});

test('a group goes unless a live environment uses it, and its name with it', async () => {
  const { id, name } = (await create()).body;
  const environment = await ask('POST', 'environments', {
    name: unique('E'),
    hostId: tenant.hostId,
    serverAttachmentId: id,
  });
  expect(await ask('DELETE', `server-attachments/${id}`)).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT',
      details: { reason: 'IN_USE', environmentIds: [environment.body.id] },
    },
  });
  await ask('PATCH', `environments/${environment.body.id}`, {
    expectedRevision: 1,
    serverAttachmentId: null,
  });
  const deleted = await ask('DELETE', `server-attachments/${id}`);
  expect(deleted).toMatchObject({ status: 200, body: { id, deleted: true } });
  expect((await ask('GET', `server-attachments/${id}`)).status).toBe(404);
  expect((await ask('DELETE', `server-attachments/${id}`)).status).toBe(404);
  expect((await create({ name })).status).toBe(201);
  expect(await audited(id)).toEqual([
    { action: 'serverAttachment.created', details: '{"fields":["name","serverIds"]}' },
    { action: 'serverAttachment.deleted', details: null },
  ]);
});

test('a member reads; the manage tier makes and deletes', async () => {
  const member = await createMember(service, tenant, 'member', 'member');
  const manager = await createMember(service, tenant, 'member', 'manage');
  expect((await create({}, member.key)).status).toBe(403);
  const { status, body } = await create({}, manager.key);
  expect(status).toBe(201);
  const path = `server-attachments/${body.id}`;
  expect((await ask('GET', path, undefined, member.key)).status).toBe(200);
  expect((await ask('DELETE', path, undefined, member.key)).status).toBe(403);
  expect((await ask('DELETE', path, undefined, manager.key)).status).toBe(200);
});
