import { createHash } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

async function make(kind: string, body: object) {
  const answer = await ask('POST', kind, { name: unique(kind), ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}
const server = async () =>
  (await make('servers', { enabled: true, transportType: 'http', url: 'http://127.0.0.1:9/' })).id;
const client = (config: object = {}) =>
  make('clients', {
    config: { modelId: 'a/b', skillSelection: { mode: 'explicit', skillIds: [] }, ...config },
  });
const skill = (content: string) => make('skills', { content });
const resolve = (id: string) => ask('GET', `environments/${id}/resolve`);
const conflict = (code: string, more: object = {}) => ({
  status: 409,
  body: { code: 'CONFLICT', details: { code, ...more } },
});
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an environment resolves to', () => {
  test('the config, the closed set, the model and the pinned versions', async () => {
    const [own, grouped, plugged] = [await server(), await server(), await server()];
    const [named, bundled] = [await skill('Named.'), await skill('Bundled.')];
    const host = await client({ serverIds: [own], systemPrompt: 'Help.' });
    const group = await make('server-attachments', { serverIds: [grouped] });
    const plugin = await make('plugins', { serverIds: [plugged, grouped], skillIds: [bundled.id] });
    const environment = await make('environments', {
      hostId: host.id,
      serverAttachmentId: group.id,
      modelId: 'c/d',
      skillSelection: { mode: 'explicit', skillIds: [named.id] },
      pluginVersionIds: [plugin.activeVersionId],
      sandboxImageId: 'image',
    });
    const names = async (id: string) => (await ask('GET', `servers/${id}`)).body.name;
    const { status, body } = await resolve(environment.id);
    expect(status).toBe(200);
    const detail = (await ask('GET', `clients/${host.id}`)).body;
    expect(body).toEqual({
      environment: { id: environment.id, name: environment.name, revision: 1 },
      hostId: host.id,
      hostName: host.name,
      hostConfigId: detail.configId,
      config: detail.config,
      modelId: 'c/d',
      effectiveModelId: 'c/d',
      modelSource: 'environment',
      serverAttachmentId: group.id,
      sandboxImageId: 'image',
      selectedServerIds: [grouped],
      effectiveServerIds: [grouped, plugged],
      servers: [
        { serverId: grouped, name: await names(grouped) },
        { serverId: plugged, name: await names(plugged) },
      ],
      pluginVersions: [
        {
          pluginId: plugin.id,
          pluginVersionId: plugin.activeVersionId,
          name: plugin.name,
          bundleHash: plugin.versions[0].bundleHash,
        },
      ],
      skills: [
        {
          skillId: named.id,
          skillVersionId: named.latest.id,
          name: named.name,
          contentHash: sha256('Named.'),
        },
        {
          skillId: bundled.id,
          skillVersionId: bundled.latest.id,
          name: bundled.name,
          contentHash: sha256('Bundled.'),
        },
      ],
    });
  });

  test('what its client says where it says nothing itself', async () => {
    const own = await server();
    const host = await client({ serverIds: [own] });
    const { body } = await resolve((await make('environments', { hostId: host.id })).id);
    expect(body).toMatchObject({
      effectiveModelId: 'a/b',
      modelSource: 'host',
      selectedServerIds: [own],
      effectiveServerIds: [own],
      pluginVersions: [],
      skills: [],
    });
    for (const field of ['modelId', 'serverAttachmentId', 'sandboxImageId'])
      expect(body).not.toHaveProperty(field);
  });

  test('the pinned versions of a plugin after plugin, skill and client have moved on', async () => {
    const [first, second] = [await server(), await server()];
    const text = await skill('Once.');
    const host = await client();
    const plugin = await make('plugins', { serverIds: [first], skillIds: [text.id] });
    const pins = { pluginVersionIds: [plugin.activeVersionId] };
    const { id } = await make('environments', { hostId: host.id, ...pins });
    const before = (await resolve(id)).body;
    await ask('POST', `skills/${text.id}/versions`, { content: 'Now.' });
    await ask('POST', `plugins/${plugin.id}/versions`, {
      serverIds: [second],
      skillIds: [text.id],
    });
    const pinned = (await resolve(id)).body;
    expect(pinned).toEqual(before);
    expect(pinned.skills).toMatchObject([{ skillVersionId: text.latest.id }]);
    await ask('PATCH', `clients/${host.id}`, {
      set: { systemPrompt: 'New.' },
      expectedConfigId: host.configId,
    });
    const { body } = await resolve(id);
    expect(body.config.systemPrompt).toBe('New.');
    expect(body.hostConfigId).not.toBe(before.hostConfigId);
    expect(body.environment.revision).toBe(1);
  });
});

describe('an environment that cannot run is 409 and says by code', () => {
  test('that nothing names a server', async () => {
    const host = await client();
    const { id } = await make('environments', { hostId: host.id });
    expect(await resolve(id)).toMatchObject(conflict('ENV_NO_SERVERS'));
  });

  test.each([
    [
      'its group',
      async (gone: string) => {
        const group = await make('server-attachments', { serverIds: [tenant.serverId, gone] });
        return { hostId: tenant.hostId, serverAttachmentId: group.id };
      },
    ],
    ['its client', async (gone: string) => ({ hostId: (await client({ serverIds: [gone] })).id })],
    [
      'its plugin',
      async (gone: string) => {
        const plugin = await make('plugins', { serverIds: [gone] });
        return { hostId: tenant.hostId, pluginVersionIds: [plugin.activeVersionId] };
      },
    ],
  ])('that a server of %s was deleted', async (_whose, fieldsFor) => {
    const gone = await server();
    const { id } = await make('environments', await fieldsFor(gone));
    expect((await resolve(id)).status).toBe(200);
    expect((await ask('DELETE', `servers/${gone}`)).status).toBe(409);
    // The API no longer allows this deletion, so the test deletes the server's row directly.
    await service.owner.sql`delete from servers where id = ${gone}`;
    expect(await resolve(id)).toMatchObject(conflict('ENV_SERVER_NOT_FOUND', { missingId: gone }));
  });

  test.each([
    [
      'client',
      'ENV_HOST_NOT_FOUND',
      async () => {
        const { id } = await client({ serverIds: [tenant.serverId] });
        return { fields: { hostId: id }, path: `clients/${id}`, missingId: id };
      },
    ],
    [
      'server group',
      'ENV_SERVER_ATTACHMENT_NOT_FOUND',
      async () => {
        const { id } = await make('server-attachments', { serverIds: [tenant.serverId] });
        return {
          fields: { serverAttachmentId: id },
          path: `server-attachments/${id}`,
          missingId: id,
        };
      },
    ],
    [
      'skill',
      'ENV_SKILL_NOT_FOUND',
      async () => {
        const { id } = await skill('Gone soon.');
        const fields = { skillSelection: { mode: 'explicit', skillIds: [id] } };
        return { fields, path: `skills/${id}`, missingId: id };
      },
    ],
    [
      'skill of a plugin',
      'ENV_SKILL_NOT_FOUND',
      async () => {
        const { id } = await skill('Gone soon.');
        const plugin = await make('plugins', { serverIds: [tenant.serverId], skillIds: [id] });
        const fields = { pluginVersionIds: [plugin.activeVersionId] };
        return { fields, path: `skills/${id}`, missingId: id };
      },
    ],
  ])('that its %s was deleted while it was archived', async (_what, code, prepare) => {
    const { fields, path, missingId } = await prepare();
    const host = await client({ serverIds: [tenant.serverId] });
    const { id } = await make('environments', { hostId: host.id, ...fields });
    expect((await resolve(id)).status).toBe(200);
    expect((await ask('DELETE', path)).status).toBe(409);
    await ask('POST', `environments/${id}/archive`, { expectedRevision: 1 });
    expect((await ask('DELETE', path)).status).toBe(200);
    expect((await ask('POST', `environments/${id}/restore`, { expectedRevision: 2 })).status).toBe(
      200,
    );
    expect(await resolve(id)).toMatchObject(conflict(code, { missingId }));
  });

  test('that a plugin version is gone, whoever took it', async () => {
    const plugin = await make('plugins', { serverIds: [tenant.serverId] });
    const pins = { pluginVersionIds: [plugin.activeVersionId] };
    const { id } = await make('environments', { hostId: tenant.hostId, ...pins });
    await service.owner.sql`delete from plugins where id = ${plugin.id}`;
    const missingId = plugin.activeVersionId;
    expect(await resolve(id)).toMatchObject(
      conflict('ENV_PLUGIN_VERSION_NOT_FOUND', { missingId }),
    );
  });

  test('that nobody names a model, with the reason', async () => {
    const host = await client({ serverIds: [tenant.serverId] });
    const { id } = await make('environments', { hostId: host.id });
    const { sql } = service.owner;
    // Earlier versions allowed saving a client without a model.
    await sql`
      update client_configs set config = replace(config, '"a/b"', '""')
      where organization_id = ${tenant.organizationId} and id = ${host.configId}`;
    expect(await resolve(id)).toMatchObject(
      conflict('ENV_MODEL_REQUIRED', { reason: 'environment_model_required' }),
    );
    await ask('PATCH', `environments/${id}`, { expectedRevision: 1, modelId: 'c/d' });
    expect((await resolve(id)).body).toMatchObject({ effectiveModelId: 'c/d' });
  });
});

test('an environment of another project or of nobody is not found', async () => {
  const other = await createTenant(service, 'other');
  const nobody = makeId('environment', Date.now(), crypto.getRandomValues(new Uint8Array(10)));
  const answers = [await resolve(other.environmentId), await resolve(nobody)];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(answers[0]?.text).toBe(answers[1]?.text);
  const { key } = await createMember(service, tenant, 'member');
  expect(
    (await ask('GET', `environments/${tenant.environmentId}/resolve`, undefined, key)).status,
  ).toBe(200);
});
