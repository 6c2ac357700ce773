import { type ConsolePerson, consolePerson } from '@proofmark/harness/console-person.ts';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import { defaultSpending } from '../platform/spending/spending.ts';
import { operateModels } from './operate-models.ts';
import { operatorActor } from './operator-input.ts';

const secret = 'sk-canary-of-a-provider-4711';
let provider: OpenAiServer;
let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let owner: ConsolePerson;
let path: string;
const egress = { allowLoopback: true, allowedPrivateHosts: [] };
const models = createModelGateway({
  egress,
  providers: [
    {
      name: 'filed',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'sk-of-the-file',
      models: [{ name: 'm' }],
    },
  ],
});
beforeAll(async () => {
  provider = await startOpenAiServer();
  service = await startTestService({ models, spending: { ...defaultSpending, brakes: false } });
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  path = `organizations/${mine.organizationId}/model-providers`;
});
afterAll(async () => {
  await service.stop();
  await models.close();
  await provider.stop();
});

function providerBody(more: object = {}) {
  return {
    kind: 'openai-compatible',
    baseUrl: provider.baseUrl,
    apiKey: secret,
    models: [{ name: 'm', inputPerMillion: 2, outputPerMillion: 8 }],
    expectedRevision: 0,
    ...more,
  };
}

async function made(more: object = {}): Promise<string> {
  const name = unique('own').toLowerCase().replaceAll(' ', '-');
  const answer = await owner.ask('PUT', `${path}/${name}`, providerBody(more));
  expect(answer.status, answer.text).toBe(200);
  return name;
}

const operator = () => operateModels(service.owner, operatorActor(), models);
const modelIds = async (key: string): Promise<string[]> => {
  const { body } = await call(`${service.baseUrl}/api/v1/models`, { key });
  return body.items.map(({ id }: { id: string }) => id);
};

describe('the operator', () => {
  test('names providers for all; one of an organization that is called the same stands back', async () => {
    const name = await made();
    const set = await operator().setProvider(name, {
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      models: [{ name: 'o' }],
    });
    expect(set).toMatchObject({ source: 'operator', isInForce: true, hasKey: false });
    const { body } = await owner.ask('GET', path);
    const both = body.items.filter((one: { name: string }) => one.name === name);
    expect(both).toMatchObject([
      { source: 'organization', isInForce: false },
      { source: 'operator', isInForce: true, baseUrl: null, revision: null },
    ]);
    expect(await modelIds(mine.key)).not.toContain(`${name}/m`);
    for (const key of [mine.key, theirs.key]) expect(await modelIds(key)).toContain(`${name}/o`);
    await operator().removeProvider(name);
    expect(await modelIds(mine.key)).toContain(`${name}/m`);
    await expect(operator().removeProvider(name)).rejects.toThrow('no model provider');
    await expect(operator().removeProvider('filed')).rejects.toThrow('configuration file');
    const [line] = await service.owner.sql`
      select organization_id, caller_kind, action from audit_log order by id desc limit 1`;
    expect(line).toEqual({
      organizationId: null,
      callerKind: 'operator',
      action: 'modelProvider.deleted',
    });
  });

  test('changes what is given and leaves the rest, of one organization where that is named', async () => {
    const name = await made();
    const set = (more: object) => operator().setProvider(name, more, mine.organizationId);
    expect(await set({ requestsAtOnce: 5 })).toMatchObject({
      hasKey: true,
      requestsAtOnce: 5,
      baseUrl: provider.baseUrl,
      source: 'organization',
    });
    expect(await set({ apiKey: null })).toMatchObject({ hasKey: false, requestsAtOnce: 5 });
    const listed = await operator().listProviders(mine.organizationId);
    expect(listed.map((one) => one.name)).toEqual(expect.arrayContaining([name, 'filed']));
    expect((await operator().listProviders()).map((one) => one.name)).not.toContain(name);
    await expect(operator().setProvider('fresh', {})).rejects.toThrow('needs a kind');
    await expect(set({ kind: 'other' })).rejects.toThrow('no kind other');
    await expect(set({ models: [{ name: '' }] })).rejects.toThrow();
    await expect(set({ baseUrl: 'nothing' })).rejects.toThrow(
      '--base-url: The url is not a valid absolute URL.',
    );
    await expect(set({ kind: 'openai-compatible', baseUrl: null })).rejects.toThrow('--base-url');
  });
});

describe('one call', () => {
  const tested = async (name: string, body: object = {}) =>
    (await owner.ask('POST', `${path}/${name}/test`, body)).body;

  test('asks the first model for a few tokens, once, on the key of the organization', async () => {
    let asked: unknown[] = [];
    provider.scripts.set('m', ({ max_tokens, messages }, _count, authorization) => {
      asked = [max_tokens, messages.length, authorization];
      return { text: 'yes' };
    });
    const name = await made();
    expect(await tested(name)).toEqual({
      ok: true,
      model: 'm',
      reason: null,
      message: `The model provider ${name} answered.`,
    });
    expect(asked).toEqual([16, 1, `Bearer ${secret}`]);
    const wanted = { model: 'm' };
    const never = new AbortController().signal;
    const place = { organization: mine.organizationId };
    expect(await operator().testProvider(name, { ...wanted, ...place }, never)).toMatchObject({
      ok: true,
    });
    await expect(operator().testProvider(name, wanted, never)).rejects.toThrow('no model provider');
  });

  test.each([
    ['KEY_REFUSED', { status: 401, body: secret }, 'refuses the key'],
    ['REQUEST_REFUSED', { status: 404 }, 'check the name of the model'],
    ['RATE_LIMITED', { status: 429 }, 'limits the number of requests'],
    ['PROVIDER_ERROR', { status: 500 }, 'failed (HTTP'],
    ['INVALID_RESPONSE', 'garbage', 'cannot be read'],
  ] as const)('that fails says %s in our own words, after one try', async (reason, does, words) => {
    const name = await made({ models: [{ name: reason }] });
    provider.scripts.set(reason, () => does);
    const result = await tested(name);
    expect(result).toMatchObject({ ok: false, model: reason, reason });
    expect(result.message).toContain(words);
    expect(JSON.stringify(result)).not.toContain('canary-of');
    expect(provider.count(reason)).toBe(1);
  });

  test('on the key of the operator is for the models the operator offers', async () => {
    const name = unique('shared').toLowerCase().replaceAll(' ', '-');
    const { expectedRevision: _new, ...shared } = providerBody();
    await operator().setProvider(name, shared);
    provider.scripts.set('m', () => ({ text: 'yes' }));
    provider.scripts.set('costly', () => ({ text: 'yes' }));
    expect(await tested(name, { model: 'm' })).toMatchObject({ ok: true });
    for (const taken of [name, 'filed']) {
      const answer = await owner.ask('POST', `${path}/${taken}/test`, { model: 'costly' });
      expect(answer.status, answer.text).toBe(400);
    }
    expect(provider.count('costly')).toBe(0);
    await operator().removeProvider(name);
  });

  test('to nobody is told too, and needs a model to ask', async () => {
    const away = await made({ baseUrl: 'http://127.0.0.1:1/v1', models: [] });
    expect(await tested(away, { model: 'x' })).toMatchObject({
      ok: false,
      reason: 'PROVIDER_UNREACHABLE',
      model: 'x',
    });
    expect((await owner.ask('POST', `${path}/${away}/test`, {})).status).toBe(400);
    expect((await owner.ask('POST', `${path}/nowhere/test`, {})).status).toBe(404);
  });
});
