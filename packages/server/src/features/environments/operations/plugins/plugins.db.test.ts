/**
 * Tests plugins over HTTP: a version keeps servers and skills as they were, and equal content gets
 * the same version.
 */
import { createHash } from 'node:crypto';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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

const create = (body: object = {}, key?: string) =>
  ask('POST', 'plugins', { name: unique('Plugin'), serverIds: [tenant.serverId], ...body }, key);
const write = (id: string, body: object, key?: string) =>
  ask('POST', `plugins/${id}/versions`, body, key);
const read = async (id: string) => (await ask('GET', `plugins/${id}`)).body;
const skill = async (name = unique('Skill')) =>
  (await ask('POST', 'skills', { name, content: 'Be brief.' })).body;
const readVersion = (id: string, key: string) =>
  call(`${service.baseUrl}/api/v1/plugin-versions/${id}`, { key });
const audited = async (id: string) =>
  (await service.owner.sql`select action from audit_log where subject_id = ${id} order by id`).map(
    ({ action }) => action,
  );

test('a plugin begins with a version of what it was made from', async () => {
  const name = unique('Plugin');
  const text = await skill(unique('Answer Well'));
  const body = { name, displayName: 'Plugin!', description: 'D.', declaredVersion: '1.2.0' };
  const stdioId = unique('srv');
  const { sql } = service.owner;
  const place = { organization_id: tenant.organizationId, project_id: tenant.projectId };
  const stdio = { name: unique('Local'), enabled: true, transport_type: 'stdio' };
  await sql`insert into servers ${sql({ id: stdioId, ...place, ...stdio })}`;
  const answer = await create({
    ...body,
    serverIds: [tenant.serverId, stdioId],
    skillIds: [text.id],
  });
  expect(answer.status).toBe(201);
  const key = text.name.toLowerCase().replace(' ', '-');
  const version = {
    id: expect.stringMatching(/^plv_/),
    pluginId: answer.body.id,
    declaredVersion: '1.2.0',
    bundleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    status: 'ready',
    componentCounts: { skills: 1, servers: 2, apps: 0, assets: 0, unsupported: 0 },
    servers: expect.arrayContaining([
      {
        componentId: tenant.serverId,
        componentKey: 'sample',
        declaredName: 'Sample',
        placement: 'remote',
        authenticationPolicy: 'on_use',
        materializedServerId: tenant.serverId,
      },
      expect.objectContaining({ materializedServerId: stdioId, placement: 'local' }),
    ]),
    skills: [
      {
        componentId: text.latest.id,
        componentKey: key,
        declaredName: text.name,
        modelRef: key,
        materializedSkillId: text.id,
      },
    ],
    createdAt: expect.any(Number),
    readyAt: expect.any(Number),
  };
  const summary = {
    id: expect.stringMatching(/^plg_/),
    projectId: tenant.projectId,
    name,
    displayName: 'Plugin!',
    description: 'D.',
    enabled: true,
    activeVersionId: answer.body.versions[0].id,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  };
  expect(answer.body).toEqual({ ...summary, versions: [version] });
  expect(await read(answer.body.id)).toEqual(answer.body);
  expect((await ask('GET', 'plugins')).body.items.at(-1)).toEqual(summary);
  const direct = await readVersion(answer.body.activeVersionId, tenant.key);
  expect(direct.body).toEqual(answer.body.versions[0]);
  const [stored] = await sql`select content from plugin_versions where id = ${direct.body.id}`;
  const hash = createHash('sha256').update(stored?.['content']).digest('hex');
  expect(direct.body.bundleHash).toBe(hash);
});

describe('a version', () => {
  test('stays as it is whatever becomes of its parts, and cannot be changed by hand', async () => {
    const text = await skill();
    const made = (await create({ skillIds: [text.id] })).body;
    const [before] = made.versions;
    await ask('POST', `skills/${text.id}/versions`, { content: 'Be long.' });
    await ask('DELETE', `skills/${text.id}`);
    expect((await readVersion(before.id, tenant.key)).body).toEqual(before);
    await expect(
      service.owner.sql`update plugin_versions set content = '{}' where id = ${before.id}`,
    ).rejects.toThrow('never changes');
  });

  test('is new when a server, a declared version or the text of a skill is', async () => {
    const text = await skill();
    const made = (await create({ skillIds: [text.id] })).body;
    const parts = { serverIds: [tenant.serverId], skillIds: [text.id] };
    const ids = [made.activeVersionId];
    const next = async (body: object) => {
      const answer = await write(made.id, body);
      expect(answer.status).toBe(201);
      ids.push(answer.body.id);
      expect((await read(made.id)).activeVersionId).toBe(answer.body.id);
    };
    await next({ ...parts, declaredVersion: '2' });
    await next({ skillIds: [text.id] });
    await ask('POST', `skills/${text.id}/versions`, { content: 'Be long.' });
    await next(parts);
    expect(new Set(ids).size).toBe(4);
    const { versions } = await read(made.id);
    expect(versions.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(new Set(versions.map((one: { bundleHash: string }) => one.bundleHash)).size).toBe(4);
  });

  test('of the same content answers the earlier one, in whatever order, and makes it active again', async () => {
    const [one, two] = [await skill(), await skill()];
    const made = (await create({ skillIds: [one.id, two.id] })).body;
    const same = { serverIds: [tenant.serverId], skillIds: [two.id, one.id, two.id] };
    const again = await write(made.id, same);
    expect(again).toMatchObject({ status: 201, body: made.versions[0] });
    expect(await read(made.id)).toEqual(made);
    await write(made.id, { skillIds: [one.id] });
    expect((await write(made.id, same)).body.id).toBe(made.activeVersionId);
    const now = await read(made.id);
    expect(now.activeVersionId).toBe(made.activeVersionId);
    expect(now.versions).toHaveLength(2);
    expect(await audited(made.id)).toEqual([
      ...['plugin.created', 'plugin.versionCreated', 'plugin.versionActivated'],
    ]);
  });

  test('of twenty at once each content is made once', async () => {
    const { id } = (await create()).body;
    const answers = await whileRowIsHeld(service, { table: 'plugins', id }, () =>
      Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          write(id, { serverIds: [tenant.serverId], declaredVersion: `v${at % 5}` }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(5);
    const rows = await service.owner.sql`
      select number from plugin_versions where plugin_id = ${id} order by number`;
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('what is not of the project', () => {
  test.each([
    ['server', 'serverIds', 'SERVER_NOT_FOUND', () => ['srv_x', other.serverId]],
    ['skill', 'skillIds', 'SKILL_NOT_FOUND', () => ['skl_x', other.skillId]],
  ])('a %s is refused, foreign and unknown alike', async (_what, field, reason, ids) => {
    const made = (await create()).body;
    const refused = [];
    for (const id of ids()) {
      const body = { [field]: [field === 'skillIds' ? tenant.skillId : tenant.serverId, id] };
      refused.push(await create(body), await write(made.id, body));
    }
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    expect(refused[0]).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path: `body.${field}[1]`, reason } },
    });
    expect(await read(made.id)).toEqual(made);
  });

  test('a version is not found by its id: not of another organization, not of a private project', async () => {
    const hidden = await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: tenant.key,
      body: { name: unique('Hidden'), visibility: 'private' },
    });
    const there = projectCaller(service, { projectId: hidden.body.id, key: tenant.key });
    const text = (await there('POST', 'skills', { name: 'S', content: 'T' })).body;
    const { activeVersionId } = (await there('POST', 'plugins', { name: 'P', skillIds: [text.id] }))
      .body;
    const member = await createMember(service, tenant, 'member');
    expect((await readVersion(activeVersionId, tenant.key)).status).toBe(200);
    expect((await readVersion(tenant.pluginVersionId, member.key)).status).toBe(200);
    const refused = [
      await readVersion(activeVersionId, member.key),
      await readVersion(activeVersionId, other.key),
      await readVersion(other.pluginVersionId, tenant.key),
      await readVersion('plv_x', tenant.key),
    ];
    for (const { status, text: body } of refused) {
      expect([status, body]).toEqual([404, refused[0]?.text]);
    }
  });
});

test('a plugin holds at least one server or skill and has a name of its own', async () => {
  expect(await create({ serverIds: [] })).toMatchObject({
    status: 400,
    body: { details: { path: 'body.serverIds' } },
  });
  const name = unique('Plugin Ö');
  await create({ name });
  expect(await create({ name: name.toLowerCase() })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { path: 'body.name', reason: 'NAME_TAKEN' } },
  });
});

test('a plugin goes unless a live environment pins any of its versions', async () => {
  const made = (await create()).body;
  const environment = await ask('POST', 'environments', {
    name: unique('E'),
    hostId: tenant.hostId,
    pluginVersionIds: [made.activeVersionId],
  });
  await write(made.id, { skillIds: [tenant.skillId] });
  expect(await ask('DELETE', `plugins/${made.id}`)).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT',
      details: { reason: 'IN_USE', environmentIds: [environment.body.id] },
    },
  });
  const clear = { expectedRevision: 1, pluginVersionIds: null };
  await ask('PATCH', `environments/${environment.body.id}`, clear);
  expect((await ask('DELETE', `plugins/${made.id}`)).body).toEqual({ id: made.id, deleted: true });
  expect((await ask('GET', `plugins/${made.id}`)).status).toBe(404);
  expect((await readVersion(made.activeVersionId, tenant.key)).status).toBe(404);
  expect((await audited(made.id)).at(-1)).toBe('plugin.deleted');
});

test('a member reads; the manage tier writes and deletes', async () => {
  const member = await createMember(service, tenant, 'member', 'member');
  const manager = await createMember(service, tenant, 'member', 'manage');
  expect((await create({}, member.key)).status).toBe(403);
  const { id } = (await create({}, manager.key)).body;
  const body = { skillIds: [tenant.skillId] };
  expect((await ask('GET', `plugins/${id}`, undefined, member.key)).status).toBe(200);
  expect((await write(id, body, member.key)).status).toBe(403);
  expect((await write(id, body, manager.key)).status).toBe(201);
  expect((await ask('DELETE', `plugins/${id}`, undefined, member.key)).status).toBe(403);
  expect((await ask('DELETE', `plugins/${id}`, undefined, manager.key)).status).toBe(200);
});
