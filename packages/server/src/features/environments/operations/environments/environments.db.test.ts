import { createEnvironment, type EnvironmentSet } from '@proofmark/harness/create-environment.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import {
  createMember,
  createTemplateClient,
  createTenant,
  type Tenant,
} from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
/**
 * Environments with their parts: one set of another organization, one of another project in this
 * organization.
 */
let strangers: (EnvironmentSet & { hostId: string })[];

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
  strangers = [await createTenant(service, 'other'), await createSibling()];
});
afterAll(() => service.stop());

async function createSibling() {
  const made = await ask('POST', '../../projects', { name: 'Sibling' });
  const place = { projectId: made.body.id as string, key: tenant.key };
  const server = { name: 'S', enabled: true, transportType: 'http', url: 'http://127.0.0.1:9/' };
  const { body } = await projectCaller(service, place)('POST', 'servers', server);
  const hostId = await createTemplateClient(service, place, 'Client');
  const set = await createEnvironment(service, { ...place, serverId: body.id, hostId }, 'There');
  return { ...set, hostId };
}

const create = async (body: object = {}) =>
  (await ask('POST', 'environments', { name: unique('E'), hostId: tenant.hostId, ...body })).body;
const read = async (id: string) => (await ask('GET', `environments/${id}`)).body;
const audited = (id: string) =>
  service.owner
    .sql`select action, account_id, details from audit_log where subject_id = ${id} order by id`;

describe('creating', () => {
  test('keeps every field, each id once, at revision 1', async () => {
    const name = unique('E');
    const { skillId, pluginVersionId } = tenant;
    const body = {
      name: ` ${name} `,
      description: 'Before release.',
      hostId: tenant.hostId,
      serverAttachmentId: tenant.serverAttachmentId,
      modelId: ' a/b ',
      skillSelection: { mode: 'explicit', skillIds: [skillId, skillId] },
      pluginVersionIds: [pluginVersionId, pluginVersionId],
      sandboxImageId: 'image',
    };
    const answer = await ask('POST', 'environments', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...body,
      id: expect.stringMatching(/^env_/),
      projectId: tenant.projectId,
      name,
      modelId: 'a/b',
      skillSelection: { mode: 'explicit', skillIds: [skillId] },
      pluginVersionIds: [pluginVersionId],
      revision: 1,
      archived: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await read(answer.body.id)).toEqual(answer.body);
  });

  test('needs no more than a name and a client, and says nothing it was not told', async () => {
    expect(Object.keys(await create()).sort()).toEqual([
      'archived',
      'createdAt',
      'hostId',
      'id',
      'name',
      'projectId',
      'revision',
      'updatedAt',
    ]);
  });

  test.each([
    [{ skillSelection: { mode: 'explicit', skillIds: [] } }, 'body.skillSelection.skillIds'],
    [{ pluginVersionIds: [] }, 'body.pluginVersionIds'],
    [{ pluginVersionIds: null }, 'body.pluginVersionIds'],
    [{ skillSelection: { mode: 'all-visible' } }, 'body.skillSelection.mode'],
    [{ modelId: '  ' }, 'body.modelId'],
    [{ revision: 7 }, 'body.revision'],
  ])('%j is refused', async (given, path) => {
    const body = { name: unique('E'), hostId: tenant.hostId, ...given };
    expect(await ask('POST', 'environments', body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path } },
    });
  });
});

describe('what is not of the project is refused', () => {
  const cases: [string, (set: EnvironmentSet & { hostId: string }) => object, string, string][] = [
    ['a client', ({ hostId }) => ({ hostId }), 'body.hostId', 'CLIENT_NOT_FOUND'],
    [
      'a server group',
      ({ serverAttachmentId }) => ({ serverAttachmentId }),
      'body.serverAttachmentId',
      'SERVER_ATTACHMENT_NOT_FOUND',
    ],
    [
      'a skill',
      ({ skillId }) => ({
        skillSelection: { mode: 'explicit', skillIds: [tenant.skillId, skillId] },
      }),
      'body.skillSelection.skillIds[1]',
      'SKILL_NOT_FOUND',
    ],
    [
      'a plugin version',
      (set) => ({ pluginVersionIds: [tenant.pluginVersionId, set.pluginVersionId] }),
      'body.pluginVersionIds[1]',
      'PLUGIN_VERSION_NOT_FOUND',
    ],
  ];

  test.each(cases)(
    '%s of another project, of another organization or of nobody, all alike',
    async (...given) => {
      const [, fieldOf, path, reason] = given;
      const nobody = {
        environmentId: 'env_x',
        hostId: 'cli_x',
        serverAttachmentId: 'grp_x',
        skillId: 'skl_x',
        pluginId: 'plg_x',
        pluginVersionId: 'plv_x',
      };
      const { id } = await create();
      const before = await read(id);
      const refused = [];
      for (const set of [nobody, ...strangers]) {
        const field = fieldOf(set);
        const body = { name: unique('E'), hostId: tenant.hostId, ...field };
        refused.push(await ask('POST', 'environments', body));
        refused.push(await ask('PATCH', `environments/${id}`, { expectedRevision: 1, ...field }));
      }
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
      expect(refused[0]).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { path, reason } },
      });
      expect(await read(id)).toEqual(before);
    },
  );
});

describe('editing', () => {
  const full = () => ({
    description: 'Before.',
    serverAttachmentId: tenant.serverAttachmentId,
    modelId: 'a/b',
    skillSelection: { mode: 'explicit', skillIds: [tenant.skillId] },
    pluginVersionIds: [tenant.pluginVersionId],
    sandboxImageId: 'image',
  });

  test('changes what is sent, keeps what is left out and clears what is null', async () => {
    const made = await create(full());
    const renamed = await ask('PATCH', `environments/${made.id}`, {
      expectedRevision: 1,
      name: `${made.name} again`,
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({
      ...made,
      name: `${made.name} again`,
      revision: 2,
      updatedAt: expect.any(Number),
    });
    const cleared = await ask('PATCH', `environments/${made.id}`, {
      expectedRevision: 2,
      serverAttachmentId: null,
      modelId: null,
      skillSelection: null,
      pluginVersionIds: null,
      sandboxImageId: null,
    });
    const {
      serverAttachmentId,
      modelId,
      skillSelection,
      pluginVersionIds,
      sandboxImageId,
      ...rest
    } = renamed.body;
    expect(cleared.body).toEqual({ ...rest, revision: 3, updatedAt: expect.any(Number) });
    expect(await read(made.id)).toEqual(cleared.body);
  });

  test.each([
    [{ expectedRevision: 1 }, 'body'],
    [{ modelId: null }, 'body.expectedRevision'],
    [{ modelId: null, expectedRevision: -1 }, 'body.expectedRevision'],
    [{ modelId: null, expectedRevision: 1.5 }, 'body.expectedRevision'],
    [{ pluginVersionIds: [], expectedRevision: 1 }, 'body.pluginVersionIds'],
    [
      { skillSelection: { mode: 'explicit', skillIds: [] }, expectedRevision: 1 },
      'body.skillSelection.skillIds',
    ],
    [{ hostId: null, expectedRevision: 1 }, 'body.hostId'],
    [{ name: null, expectedRevision: 1 }, 'body.name'],
  ])('%j is refused at %s and nothing is written', async (body, path) => {
    const made = await create(full());
    expect(await ask('PATCH', `environments/${made.id}`, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path } },
    });
    expect(await read(made.id)).toEqual(made);
  });

  test('from a stale revision is 409 with the current one, and nothing is written', async () => {
    const made = await create(full());
    const { body: current } = await ask('PATCH', `environments/${made.id}`, {
      expectedRevision: 1,
      modelId: 'c/d',
    });
    for (const [path, fields] of [
      ['', { modelId: null }],
      ['/archive', {}],
      ['/restore', {}],
    ] as const) {
      for (const expectedRevision of [0, 1, 3]) {
        const method = path === '' ? 'PATCH' : 'POST';
        const body = { ...fields, expectedRevision };
        expect(await ask(method, `environments/${made.id}${path}`, body)).toMatchObject({
          status: 409,
          body: { code: 'CONFLICT', details: { currentRevision: 2 } },
        });
      }
    }
    expect(await read(made.id)).toEqual(current);
    expect(await audited(made.id)).toHaveLength(2);
  });

  test('does not ask again for what the environment named before', async () => {
    const hostId = await createTemplateClient(service, tenant, unique('Client'));
    const made = await create({ hostId });
    await service.owner.sql`delete from clients where id = ${hostId}`;
    const body = { expectedRevision: 1, modelId: 'a/b' };
    expect((await ask('PATCH', `environments/${made.id}`, body)).status).toBe(200);
  });
});

describe('who may', () => {
  test.each(['member', 'manage'] as const)(
    'the %s tier reads and resolves, and writes nothing',
    async (tier) => {
      const { key } = await createMember(service, tenant, 'member', tier);
      const made = await create({ serverAttachmentId: tenant.serverAttachmentId });
      const at = `environments/${made.id}`;
      for (const path of ['environments', at, `${at}/resolve`])
        expect((await ask('GET', path, undefined, key)).status).toBe(200);
      const revision = { expectedRevision: 1 };
      for (const refused of [
        await ask('POST', 'environments', { name: unique('E'), hostId: tenant.hostId }, key),
        await ask('PATCH', at, { ...revision, modelId: null }, key),
        await ask('POST', `${at}/archive`, revision, key),
        await ask('POST', `${at}/restore`, revision, key),
      ]) {
        expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
      expect(await read(made.id)).toEqual(made);
    },
  );

  test('the admin tier may all of it, and every write leaves a line without values', async () => {
    const admin = await createMember(service, tenant, 'member', 'admin');
    const body = { name: unique('E'), hostId: tenant.hostId };
    const { id } = (await ask('POST', 'environments', body, admin.key)).body;
    const write = async (method: 'PATCH' | 'POST', path: string, sent: object) =>
      (await ask(method, `environments/${id}${path}`, sent, admin.key)).status;
    expect(
      await write('PATCH', '', { expectedRevision: 1, modelId: 'a/b', hostId: tenant.hostId }),
    ).toBe(200);
    expect(await write('POST', '/archive', { expectedRevision: 2 })).toBe(200);
    expect(await write('POST', '/restore', { expectedRevision: 3 })).toBe(200);
    const line = (action: string, fields?: string[]) => ({
      action,
      accountId: admin.accountId,
      details: fields === undefined ? null : JSON.stringify({ fields }),
    });
    expect(await audited(id)).toEqual([
      line('environment.created', ['name', 'hostId']),
      line('environment.updated', ['hostId', 'modelId']),
      line('environment.archived'),
      line('environment.restored'),
    ]);
  });
});
