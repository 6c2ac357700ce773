/**
 * Tests that an unreadable client or plugin version is reported as such: no read fails, and nothing
 * new can use it.
 */

import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
const ids = { client: '', config: '', plugin: '', version: '', environment: '', suite: '' };

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'broken');
  ask = projectCaller(service, tenant);
  const { serverId } = tenant;
  const config = { modelId: 'proofmark/lexical-1', serverIds: [serverId] };
  const client = (await ask('POST', 'clients', { name: 'Lost', config })).body;
  Object.assign(ids, { client: client.id, config: client.configId });
  const plugin = (await ask('POST', 'plugins', { name: 'Lost', serverIds: [serverId] })).body;
  Object.assign(ids, { plugin: plugin.id, version: plugin.activeVersionId });
  const parts = { hostId: ids.client, pluginVersionIds: [ids.version] };
  ids.environment = (await ask('POST', 'environments', { name: 'Lost', ...parts })).body.id;
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
  const suite = { name: 'Played', serverIds: [serverId], model: 'proofmark/lexical-1' };
  const tests = [{ title: 'One', steps }];
  ids.suite = (await ask('POST', 'eval-suites', { ...suite, tests })).body.suiteId;
  // A trigger forbids changes of stored documents, so the test disables it to corrupt one.
  await service.owner.sql`alter table client_configs disable trigger user`;
  await service.owner.sql`alter table plugin_versions disable trigger user`;
});
afterAll(() => service.stop());

const unreadable = { code: 'CONFLICT', details: { reason: 'STORED_DOCUMENT_UNREADABLE' } };
const broken = ['{"cut', '{}', '[null]'];

async function expectRead(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const answer = await ask('GET', path);
    expect(answer.status, `${path}: ${answer.text}`).toBe(200);
  }
}

test.each(broken)('a version of a plugin that is %s is invalid, and not resolved', async (text) => {
  const { sql } = service.owner;
  const [kept] = await sql`select content from plugin_versions where id = ${ids.version}`;
  await sql`update plugin_versions set content = ${text} where id = ${ids.version}`;
  await expectRead(['plugins', `environments/${ids.environment}`]);
  const { body } = await ask('GET', `plugins/${ids.plugin}`);
  expect(body.versions).toMatchObject([{ id: ids.version, status: 'invalid', servers: [] }]);
  const resolved = await ask('GET', `environments/${ids.environment}/resolve`);
  expect(resolved.body).toMatchObject(unreadable);
  await sql`update plugin_versions set content = ${kept?.['content']} where id = ${ids.version}`;
  await expectRead([`environments/${ids.environment}/resolve`]);
});

test.each(broken)(
  'a client that is %s is listed, and neither shown, edited nor played',
  async (text) => {
    const { sql } = service.owner;
    const { client, config } = ids;
    const [kept] = await sql`select config from client_configs where id = ${config}`;
    await sql`update client_configs set config = ${text} where id = ${config}`;
    await expectRead(['clients', 'hosts', 'environments', `environments/${ids.environment}`]);
    for (const answer of [
      await ask('GET', `clients/${client}`),
      await ask('GET', `hosts/${client}`),
      await ask('PATCH', `clients/${client}`, { name: 'Found', expectedName: 'Lost' }),
      await ask('POST', `clients/${client}/duplicate`, {}),
      await ask('GET', `environments/${ids.environment}/resolve`),
      await ask('POST', 'eval-runs', { suiteId: ids.suite, namedHostId: client }),
      await ask('POST', `servers/${tenant.serverId}/tools`, { clientId: client }),
    ]) {
      expect(answer.body, answer.text).toMatchObject(unreadable);
    }
    await sql`update client_configs set config = ${kept?.['config']} where id = ${config}`;
    await expectRead([`clients/${client}`]);
  },
);

test('a client that cannot be read can be deleted', async () => {
  const config = { modelId: 'proofmark/lexical-1', systemPrompt: 'Its own.' };
  const { id, configId } = (await ask('POST', 'clients', { name: 'Gone', config })).body;
  await service.owner.sql`update client_configs set config = '{' where id = ${configId}`;
  expect((await ask('DELETE', `clients/${id}`)).status).toBe(200);
});
