/** Tests edits of clients over HTTP: a stale edit is rejected, and nothing is written. */

import {
  type ClientCaller,
  createClientCaller,
  createProject,
  refusal,
} from '@proofmark/harness/client-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let outsider: Tenant;
let clients: ClientCaller;
let client: {
  id: string;
  name: string;
  configId: string;
  updatedAt: number;
  config: Record<string, unknown>;
  impact: Record<string, number>;
};
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  outsider = await createTenant(service, 'other');
  clients = createClientCaller(service, tenant);
});
afterAll(() => service.stop());
beforeEach(async () => {
  const config = {
    modelId: 'acme/model-1',
    systemPrompt: 'Help.',
    temperature: 0.5,
    requireToolApproval: false,
    connectionDefaults: { headers: { 'X-A': '1' }, requestTimeout: 1000 },
    clientCapabilities: { sampling: {} },
    serverIds: [tenant.serverId],
    serverConnectionOverrides: { [tenant.serverId]: { requestTimeoutOverride: 5 } },
    oauthProfile: { models: ['b', 'a'] },
  };
  client = (await clients.create({ config })).body;
});

const edit = (body: object) => clients.edit(client.id, body);
const set = (fields: object) => edit({ set: fields, expectedConfigId: client.configId });
const replace = (config: object) => edit({ config, expectedConfigId: client.configId });
const setServers = (body: object) =>
  clients.setServers(client.id, { expectedConfigId: client.configId, ...body });

describe('an edit', () => {
  test('by set replaces the fields it names, each whole, and leaves the others', async () => {
    const answer = await set({ temperature: 1, connectionDefaults: { requestTimeout: 7 } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      ...client,
      configId: expect.not.stringContaining(client.configId),
      updatedAt: expect.any(Number),
      config: { ...client.config, temperature: 1, connectionDefaults: { requestTimeout: 7 } },
    });
    expect((await clients.read(client.id)).body).toEqual(answer.body);
  });

  test('by null takes a field back to its absence, which an explicit false is not', async () => {
    const { requireToolApproval: _a, systemPrompt: _b, ...rest } = client.config;
    const answer = await set({ requireToolApproval: null, systemPrompt: null });
    expect(answer.body.config).toEqual(rest);
    expect(answer.body.configId).not.toBe(client.configId);
  });

  test('by config leaves nothing of the old one', async () => {
    const answer = await replace({ modelId: ' acme/model-2 ', id: 'x', schemaVersion: 2 });
    expect(answer.body).toMatchObject({ modelId: 'acme/model-2', serverCount: 0 });
    expect(answer.body.config).toEqual({
      modelId: 'acme/model-2',
      clientCapabilities: {},
      hostContext: {},
      serverIds: [],
      optionalServerIds: [],
    });
  });

  test('renames, and may do both at once', async () => {
    const name = unique('Renamed');
    const both = await edit({
      name: ` ${name} `,
      expectedName: client.name,
      set: { temperature: 2 },
      expectedConfigId: client.configId,
    });
    expect(both.body).toMatchObject({ name, config: { temperature: 2 } });
    const again = await clients.edit(name, { name: name.toUpperCase(), expectedName: name });
    expect(again.body.name).toBe(name.toUpperCase());
    expect((await clients.read(client.name)).status).toBe(404);
  });

  test('and back again has the first id of its config', async () => {
    const changed = (await set({ temperature: 1 })).body;
    const back = await edit({ config: client.config, expectedConfigId: changed.configId });
    expect(back.body.configId).toBe(client.configId);
  });
});

describe('an edit without effect writes nothing', () => {
  test.each<[string, () => object]>([
    ['the same name', () => ({ name: ` ${client.name} `, expectedName: client.name })],
    ['the same field', () => ({ set: { temperature: 0.5 }, expectedConfigId: client.configId })],
    ['an absent field', () => ({ set: { harness: null }, expectedConfigId: client.configId })],
    [
      'the same config in another spelling',
      () => ({
        config: {
          ...Object.fromEntries(Object.entries(client.config).reverse()),
          serverIds: [tenant.serverId, tenant.serverId],
          builtInToolIds: [],
          computer: null,
          skillSelection: { mode: 'all-visible' },
        },
        expectedConfigId: client.configId,
      }),
    ],
  ])('%s', async (_title, body) => {
    const before = await clients.stored(client.id);
    const answer = await edit(body());
    expect(answer).toMatchObject({ status: 200, body: client });
    expect(await clients.stored(client.id)).toEqual(before);
    expect(await clients.audited(client.id)).toHaveLength(1);
  });

  test('the same servers', async () => {
    const before = await clients.stored(client.id);
    const answer = await setServers({ serverIds: [tenant.serverId] });
    expect(answer).toMatchObject({ status: 200, body: client });
    expect(await clients.stored(client.id)).toEqual(before);
    expect(await clients.audited(client.id)).toHaveLength(1);
  });
});

describe('a stale edit is 409 with what holds now, and nothing is written', () => {
  const stale = async (answer: Promise<{ status: number }>, details: object) => {
    const before = await clients.stored(client.id);
    expect(refusal((await answer) as never)).toEqual({ status: 409, code: 'CONFLICT', details });
    expect(await clients.stored(client.id)).toEqual(before);
    expect(await clients.audited(client.id)).toHaveLength(1);
  };

  test('of the config, by set, by config and by servers', async () => {
    const details = { currentConfigId: client.configId };
    const expectedConfigId = 'cfg_old';
    await stale(edit({ set: { temperature: 1 }, expectedConfigId }), details);
    await stale(edit({ config: { modelId: 'a/b' }, expectedConfigId }), details);
    await stale(setServers({ serverIds: [], expectedConfigId }), details);
  });

  test('of the name', async () => {
    const details = { currentName: client.name };
    await stale(edit({ name: 'New', expectedName: 'Old' }), details);
    await stale(edit({ name: 'New', expectedName: client.name.toUpperCase() }), details);
  });

  test('of one of both: neither is written', async () => {
    const both = { name: 'New', set: { temperature: 1 } };
    const { configId: expectedConfigId, name: expectedName } = client;
    await stale(edit({ ...both, expectedName: 'Old', expectedConfigId }), {
      currentName: client.name,
    });
    await stale(edit({ ...both, expectedName, expectedConfigId: 'cfg_old' }), {
      currentConfigId: client.configId,
    });
  });

  test('even where it would change nothing, or name a server that is not there', async () => {
    const details = { currentConfigId: client.configId };
    await stale(edit({ config: client.config, expectedConfigId: 'cfg_old' }), details);
    await stale(setServers({ serverIds: ['srv_nobody'], expectedConfigId: 'cfg_old' }), details);
  });

  test('of what depends on the client', async () => {
    await clients.makeEnvironment(client.id);
    const body = { set: { temperature: 1 }, expectedConfigId: client.configId };
    const currentImpact = { ...client.impact, liveEnvironmentCount: 1 };
    await stale(edit({ ...body, expectedImpact: client.impact }), { currentImpact });
    const answer = await edit({ ...body, expectedImpact: currentImpact });
    expect(answer).toMatchObject({ status: 200, body: { impact: currentImpact } });
  });
});

describe('what cannot be an edit is 400 with the place, and nothing is written', () => {
  const expectedConfigId = 'cfg_any';
  const config = { modelId: 'a/b' };
  const strange = { srv_x: {} };
  test.each<[string, object, string]>([
    ['nothing', {}, 'body'],
    ['expectations alone', { expectedConfigId }, 'body'],
    ['a config without what was read', { config }, 'body.expectedConfigId'],
    ['a set without what was read', { set: { temperature: 1 } }, 'body.expectedConfigId'],
    ['a name without what was read', { name: 'New' }, 'body.expectedName'],
    ['both ways at once', { config, set: { temperature: 1 }, expectedConfigId }, 'body.set'],
    ['an empty set', { set: {}, expectedConfigId }, 'body.set'],
    ['an empty config', { config: {}, expectedConfigId }, 'body.config.modelId'],
    ['no model', { set: { modelId: null }, expectedConfigId }, 'body.set.modelId'],
    ['a blank model', { set: { modelId: ' ' }, expectedConfigId }, 'body.set.modelId'],
    ['servers by set', { set: { serverIds: [] }, expectedConfigId }, 'body.set.serverIds'],
    [
      'a temperature in words',
      { set: { temperature: 'hot' }, expectedConfigId },
      'body.set.temperature',
    ],
    ['an unknown field', { name: 'New', expectedName: 'A', colour: 1 }, 'body.colour'],
    ['a name of control characters', { name: 'a\nb', expectedName: 'A' }, 'body.name'],
    [
      'an override of nothing',
      { config: { ...config, serverConnectionOverrides: strange } },
      'body.config.serverConnectionOverrides.srv_x',
    ],
  ])('%s', async (_title, body, path) => {
    const before = await clients.stored(client.id);
    // The override of `srv_x` is rejected by the rule `editClient`, which runs only if the edit is
    // not stale.
    const isRule = path.includes('srv_x');
    const answer = await edit(isRule ? { ...body, expectedConfigId: client.configId } : body);
    expect(refusal(answer)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { path },
    });
    expect(await clients.stored(client.id)).toEqual(before);
  });

  test('a header by set that cannot be sent', async () => {
    const answer = await set({ connectionDefaults: { headers: { 'X-A': 'a\r\nb' } } });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: { path: 'body.set.connectionDefaults.headers' } },
    });
  });
});

describe('the servers of a client', () => {
  test('are replaced all together, and what was said about those left out goes', async () => {
    const [first, second] = [await clients.saveServer(), await clients.saveServer()];
    const answer = await setServers({ serverIds: [first], optionalServerIds: [second] });
    const { serverConnectionOverrides: _gone, ...rest } = client.config;
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.config).toEqual({
      ...rest,
      serverIds: [first],
      optionalServerIds: [second],
    });
    expect(answer.body.serverCount).toBe(2);
    const { configId: expectedConfigId } = answer.body;
    const emptied = await setServers({ serverIds: [], expectedConfigId });
    expect(emptied.body).toMatchObject({
      serverCount: 0,
      config: { serverIds: [], optionalServerIds: [] },
    });
  });

  test.each(['serverIds', 'optionalServerIds'])(
    'in %s are of its own project: all others are refused alike, and nothing is written',
    async (list) => {
      const projectId = await createProject(service, tenant);
      const elsewhere = await createClientCaller(service, tenant, { projectId }).saveServer();
      const before = await clients.stored(client.id);
      for (const [send, path] of [
        [(lists: object) => setServers({ serverIds: [], ...lists }), 'body'],
        [(lists: object) => replace({ modelId: 'a/b', ...lists }), 'body.config'],
      ] as const) {
        const answers = [];
        for (const stranger of [elsewhere, outsider.serverId, 'srv_nobody'])
          answers.push(await send({ [list]: [stranger] }));
        expect(refusal(answers[0] as never)).toEqual({
          status: 400,
          code: 'VALIDATION_ERROR',
          details: { path: `${path}.${list}[0]`, reason: 'SERVER_NOT_FOUND' },
        });
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      }
      expect(await clients.stored(client.id)).toEqual(before);
    },
  );

  test('that were deleted meanwhile do not stand in the way of an edit of something else', async () => {
    const serverId = await clients.saveServer();
    const attached = (await setServers({ serverIds: [serverId] })).body;
    await clients.removeServer(serverId);
    const edited = await edit({
      config: { ...attached.config, temperature: 1 },
      expectedConfigId: attached.configId,
    });
    expect(edited).toMatchObject({ status: 200, body: { config: { serverIds: [serverId] } } });
    const again = await clients.create({ config: edited.body.config });
    expect(again).toMatchObject({ status: 400, body: { details: { reason: 'SERVER_NOT_FOUND' } } });
  });

  test.each<[object, string]>([
    [{}, 'body.serverIds'],
    [{ serverIds: 'srv_a' }, 'body.serverIds'],
    [{ serverIds: [''] }, 'body.serverIds[0]'],
    [{ serverIds: [], expectedConfigId: undefined }, 'body.expectedConfigId'],
    [{ serverIds: [], hostConfigId: 'x' }, 'body.hostConfigId'],
    [{ serverIds: ['srv_a'], optionalServerIds: ['srv_a'] }, 'body.optionalServerIds'],
  ])('%j is refused at %s', async (body, path) => {
    expect(refusal(await setServers(body))).toMatchObject({ status: 400, details: { path } });
  });
});
