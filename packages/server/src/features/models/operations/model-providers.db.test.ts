import {
  type ConsolePerson,
  consolePerson,
  newConsolePerson,
} from '@proofmark/harness/console-person.ts';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operateModels } from '../../../main/operate-models.ts';
import { operatorActor } from '../../../main/operator-input.ts';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import { listProviders } from '../store/model-providers.ts';

const secret = 'sk-canary-of-a-provider-4711';
let provider: OpenAiServer;
let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let owner: ConsolePerson;
let stranger: ConsolePerson;
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
  service = await startTestService({ models });
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  stranger = await consolePerson(service, { ...theirs, email: 'owner@theirs.example' });
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
const refusal = (status: number, details: object) => ({ status, body: { details } });
const modelIds = async (key: string): Promise<string[]> => {
  const { body } = await call(`${service.baseUrl}/api/v1/models`, { key });
  return body.items.map(({ id }: { id: string }) => id);
};

test('what was set is listed with its prices, and the key is told as set and never answered', async () => {
  const name = await made({ baseUrl: `${provider.baseUrl}?token=${secret}`, requestsAtOnce: 3 });
  const listed = await owner.ask('GET', path);
  expect(listed.body.items).toContainEqual({
    name,
    kind: 'openai-compatible',
    source: 'organization',
    isInForce: true,
    baseUrl: `${provider.baseUrl}?token=***`,
    hasKey: true,
    requestsAtOnce: 3,
    revision: 1,
    models: [{ name: 'm', inputPerMillion: 2, outputPerMillion: 8 }],
  });
  const [row] = await service.owner.sql`
    select model_providers::text as text from model_providers where name = ${name}`;
  const logged = await service.owner.sql`select audit_log::text as text from audit_log`;
  const everything = [listed.text, row?.['text'], JSON.stringify(logged), ...service.logLines];
  expect(everything.join('\n')).not.toContain('canary-of');
});

test('what the file names is shown as from the file, without its address, and cannot be changed', async () => {
  const { body } = await owner.ask('GET', path);
  expect(body.items).toContainEqual({
    name: 'filed',
    kind: 'openai-compatible',
    source: 'file',
    isInForce: true,
    baseUrl: null,
    hasKey: true,
    models: [{ name: 'm' }],
    requestsAtOnce: null,
    revision: null,
  });
  expect(JSON.stringify(body)).not.toContain('sk-of-the-file');
  expect(await owner.ask('PUT', `${path}/filed`, providerBody())).toMatchObject(
    refusal(409, { reason: 'NAME_OF_OPERATOR' }),
  );
  expect((await owner.ask('DELETE', `${path}/filed`)).status).toBe(404);
});

describe('who may', () => {
  test.each(['admin', 'member'] as const)('not a plain %s', async (role) => {
    const person = await newConsolePerson(service, mine.organizationId, role);
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PUT', `${path}/x`, providerBody()],
      ['DELETE', `${path}/x`, undefined],
      ['POST', `${path}/filed/test`, {}],
    ] as const) {
      expect((await person.ask(method, at, body)).status).toBe(403);
    }
  });

  test('not the owner of another organization, who does not even see that there is one', async () => {
    const name = await made();
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PUT', `${path}/${name}`, providerBody({ expectedRevision: 1 })],
      ['DELETE', `${path}/${name}`, undefined],
      ['POST', `${path}/${name}/test`, {}],
    ] as const) {
      expect((await stranger.ask(method, at, body)).status).toBe(404);
    }
    const elsewhere = `organizations/${theirs.organizationId}/model-providers`;
    expect((await stranger.ask('GET', elsewhere)).text).not.toContain(name);
    expect((await stranger.ask('DELETE', `${elsewhere}/${name}`)).status).toBe(404);
    expect((await stranger.ask('POST', `${elsewhere}/${name}/test`, {})).status).toBe(404);
    expect(await modelIds(theirs.key)).not.toContain(`${name}/m`);
    expect(await modelIds(mine.key)).toContain(`${name}/m`);
    const launched = await createLauncher(service, theirs).ask(
      ...(['POST', 'eval-runs'] as const),
      createLauncher(service, theirs).inline({
        tests: [{ title: 'One', steps: [], model: `${name}/m` }],
      }),
    );
    expect(launched.status).toBe(400);
  });

  test('not the agent of another organization, also where the caller is of both', async () => {
    const name = await made();
    const { accountId } = await service.operator.addMember(
      ...([theirs.organizationId, 'both@people.example', 'owner'] as const),
    );
    await service.operator.addMember(mine.organizationId, 'both@people.example', 'owner');
    const both = await consolePerson(service, { accountId, email: 'both@people.example' });
    const messages = [{ role: 'user', content: 'list models' }];
    const asked = async ({ projectId }: Tenant) => {
      const url = `${service.baseUrl}/api/v1/projects/${projectId}/agent`;
      const answer = await call(url, { method: 'POST', headers: both.headers, body: { messages } });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.reply;
    };
    expect(await asked(mine)).toContain(`${name}/m`);
    expect(await asked(theirs)).not.toContain(name);
  });

  test('the database itself shows a tenant its own and the operator’s alone, and takes no other', async () => {
    const name = await made();
    await operator().setProvider('shared', { kind: 'openai' });
    const seen = (organizationId: string, of = organizationId) =>
      service.database.tenant([organizationId], async (sql) =>
        (await listProviders(sql, service.vault, of)).map((one) => one.name),
      );
    expect(await seen(mine.organizationId)).toEqual(expect.arrayContaining([name, 'shared']));
    expect(await seen(theirs.organizationId, mine.organizationId)).toEqual(['shared']);
    const write = (statement: string) =>
      service.database.tenant([theirs.organizationId], (sql) => sql.unsafe(statement));
    const columns = `(id, organization_id, name, kind, sealed_access, models)`;
    for (const organization of ['null', `'${mine.organizationId}'`]) {
      const values = `('mdp_x', ${organization}, 'x', 'openai', '', '[]')`;
      await expect(
        write(`insert into model_providers ${columns} values ${values}`),
      ).rejects.toThrow('row-level security');
    }
    await write(`delete from model_providers; update model_providers set name = 'x'`);
    expect(await seen(mine.organizationId)).toEqual(expect.arrayContaining([name, 'shared']));
    await operator().removeProvider('shared');
  });

  test('a sealed key opens in its own row alone', async () => {
    const [name, other] = [await made(), await made()];
    await service.owner.sql`
      update model_providers set sealed_access = (
        select sealed_access from model_providers where name = ${name}
      ) where name = ${other}`;
    await expect(
      listProviders(service.owner.sql, service.vault, mine.organizationId),
    ).rejects.toThrow();
    await service.owner.sql`delete from model_providers where name = ${other}`;
  });
});

describe('a change', () => {
  test('needs what was read, keeps the key where nothing is said, and is told by names of fields', async () => {
    const name = await made();
    const { apiKey: _key, ...kept } = providerBody({ expectedRevision: 1, requestsAtOnce: 2 });
    const stale = await owner.ask('PUT', `${path}/${name}`, providerBody());
    expect(stale).toMatchObject(refusal(409, { reason: 'PROVIDER_CHANGED' }));
    const changed = await owner.ask('PUT', `${path}/${name}`, kept);
    expect(changed.body).toMatchObject({ hasKey: true, requestsAtOnce: 2, revision: 2 });
    expect((await owner.ask('DELETE', `${path}/${name}`)).body).toEqual({ name, deleted: true });
    expect((await owner.ask('DELETE', `${path}/${name}`)).status).toBe(404);
    const { body } = await owner.ask(
      'GET',
      `organizations/${mine.organizationId}/audit-log?kind=modelProvider&limit=3`,
    );
    expect(body.items.map((line: object) => line)).toMatchObject([
      { action: 'modelProvider.deleted', details: { provider: name }, actor: owner.email },
      { action: 'modelProvider.updated', details: { provider: name, fields: ['requestsAtOnce'] } },
      { action: 'modelProvider.created', details: { provider: name } },
    ]);
  });

  test('of two that are made or changed at once, one is told', async () => {
    const name = unique('twin').toLowerCase().replaceAll(' ', '-');
    const both = (expectedRevision: number, wishes: readonly number[]) =>
      Promise.all(
        wishes.map((requestsAtOnce) =>
          owner.ask('PUT', `${path}/${name}`, providerBody({ expectedRevision, requestsAtOnce })),
        ),
      );
    expect((await both(0, [1, 2])).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await both(1, [3, 4])).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ['a name that is none', 'A b', {}, { path: 'params.providerName' }],
    ['the name of Proofmark', 'proofmark', {}, { path: 'params.providerName' }],
    ['another address for a name all know', 'openai', {}, { reason: 'KNOWN_NAME' }],
    [
      'no key where one is needed',
      'x',
      { kind: 'openai', baseUrl: null, apiKey: null },
      { path: 'body.apiKey' },
    ],
    [
      'half a price',
      'x',
      { models: [{ name: 'm', inputPerMillion: 1 }] },
      { path: 'body.models[0]' },
    ],
    [
      'an address that is not allowed',
      'x',
      { baseUrl: 'http://10.1.2.3/v1' },
      { reason: 'EGRESS_BLOCKED' },
    ],
    [
      'metadata of a cloud',
      'x',
      { baseUrl: 'http://169.254.169.254/v1' },
      { reason: 'EGRESS_BLOCKED' },
    ],
  ])('with %s is refused', async (_what, name, more, details) => {
    const answer = await owner.ask(
      'PUT',
      `${path}/${encodeURIComponent(name)}`,
      providerBody(more),
    );
    expect(answer).toMatchObject(refusal(400, details));
    expect(answer.text).not.toContain('canary-of');
  });

  test('is heard by another process at once', async () => {
    const another = await service.another({ models: createModelGateway({ egress }) });
    const listed = async () =>
      (await call(`${another.baseUrl}/api/v1/models`, { key: mine.key })).text;
    const name = await made();
    expect(await listed()).toContain(`"${name}/m"`);
    await owner.ask('DELETE', `${path}/${name}`);
    expect(await listed()).not.toContain(name);
    await another.stop();
  });
});
