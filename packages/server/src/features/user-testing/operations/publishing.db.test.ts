import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { unique } from '@proofmark/harness/reporter.ts';
import { createScenarioCaller, type ScenarioCaller } from '@proofmark/harness/scenario-caller.ts';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../../platform/accounts/token.ts';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let own: ScenarioCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  for (const { organizationId } of [tenant, theirs])
    await service.operator.setFeature(organizationId, 'user-testing', 'on');
  own = createScenarioCaller(service, tenant);
});
afterAll(() => service.stop());

/**
 * Sends the requests while a lock blocks them all. When the lock is released, they run
 * concurrently.
 */
async function atOnce(
  environmentIds: readonly string[],
  start: () => readonly Promise<TestAnswer>[],
): Promise<TestAnswer[]> {
  let begun: readonly Promise<TestAnswer>[] = [];
  await service.owner.transaction(async (sql) => {
    await sql`select from environments where id = any (${environmentIds as string[]}) for update`;
    begun = start();
    await untilWaiting(service.owner.sql, 4);
  });
  return Promise.all(begun);
}

const tokenOf = (link: string) => link.split('/').at(-1) as string;
const stored = async (scenarioId: string) => {
  const rows = await service.owner.sql`select * from scenarios where id = ${scenarioId}`;
  return rows[0] as Record<string, unknown>;
};

describe('publishing', () => {
  test('makes the narrowest scenario; again, nothing that is sent counts', async () => {
    const environmentId = await own.environment();
    const { name } = (await own.ask('GET', `environments/${environmentId}`)).body;
    const first = await own.publish(environmentId);
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^scn_/),
        environmentId,
        name,
        mode: 'project_members',
        accessVersion: 1,
        link: expect.stringMatching(
          new RegExp(`^${service.baseUrl}/user-testing/[a-z0-9-]+/[\\w-]{43}$`),
        ),
        created: true,
      },
    ]);
    const again = await own.publish(environmentId, { mode: 'anyone_with_link' });
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, created: false, overridesIgnored: true },
    ]);
    const plain = await own.publish(environmentId);
    expect(plain.body).toEqual({ ...first.body, created: false });
    expect(await own.audited(first.body.id)).toEqual([
      { action: 'scenario.published', details: { environmentId, mode: 'project_members' } },
    ]);
  });

  test('takes name, description and mode, the name without what surrounds it', async () => {
    const publishBody = { name: '  Bücher & Mehr ', description: 'Ask.', mode: 'invited_only' };
    const made = await own.scenario(publishBody);
    expect(made).toMatchObject({ name: 'Bücher & Mehr', mode: 'invited_only', accessVersion: 1 });
    expect(made.link).toContain('/user-testing/bucher-mehr/');
    const { body } = await own.ask('GET', `user-testing/scenarios/${made.id}`);
    expect(body).toEqual({
      id: made.id,
      projectId: tenant.projectId,
      name: 'Bücher & Mehr',
      description: 'Ask.',
      mode: 'invited_only',
      environmentId: made.environmentId,
      insights: expect.objectContaining({ status: 'not_available', reasonCode: 'not_mined' }),
    });
  });

  test.each([
    { name: '' },
    { name: 'x'.repeat(201) },
    { description: 'x'.repeat(2001) },
    { description: null },
    { mode: 'everyone' },
    { mode: null },
    { colour: 1 },
  ])('refuses %j', async (body) => {
    expect((await own.publish(await own.environment(), body)).status).toBe(400);
  });

  test('needs an admin of the project; of another organization it is as if nothing were there', async () => {
    const environmentId = await own.environment();
    for (const tier of ['member', 'manage'] as const) {
      const { key } = await createMember(service, tenant, 'member', tier);
      expect((await own.publish(environmentId, {}, key)).status).toBe(403);
    }
    const ofNobody = makeId('environment', Date.now(), randomBytes(10));
    const foreign = createScenarioCaller(service, { ...theirs, projectId: tenant.projectId });
    const refused = await foreign.publish(environmentId);
    expect(refused.status).toBe(404);
    expect(refused.text).toBe((await foreign.publish(ofNobody)).text);
    const inTheirs = createScenarioCaller(service, theirs);
    expect((await inTheirs.publish(environmentId)).text).toBe(refused.text);
    const made = await own.publish(environmentId);
    expect(made.status).toBe(201);
  });

  test('by twenty at once makes one', async () => {
    const environmentId = await own.environment();
    const answers = await atOnce([environmentId], () =>
      Array.from({ length: 20 }, (_, at) => own.publish(environmentId, { name: `Try ${at}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 19 }, () => 200),
      201,
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.link)).size).toBe(1);
  });

  test('keeps the token of the link as a hash and sealed, and logs it nowhere', async () => {
    const { id, link } = await own.scenario();
    const row = await stored(id);
    expect(row['tokenHash']).toEqual(hashToken(tokenOf(link)));
    const [text] = await service.owner.sql<{ text: string }[]>`
      select scenarios::text as text from scenarios where id = ${id}`;
    const hex = Buffer.from(tokenOf(link)).toString('hex');
    for (const clear of [
      tokenOf(link),
      hex,
      Buffer.from(tokenOf(link), 'base64url').toString('hex'),
    ])
      expect(text?.text).not.toContain(clear);
    expect(service.logLines.join()).not.toContain(tokenOf(link));
  });
});

describe('what cannot be played for strangers is not published', () => {
  const refusedAs = async (environmentId: string, code: string) => {
    const refused = await own.publish(environmentId);
    expect([refused.status, refused.body.details?.code], refused.text).toEqual([409, code]);
    const rows = await service.owner
      .sql`select from scenarios where environment_id = ${environmentId}`;
    expect(rows.count).toBe(0);
  };

  test('an archived environment', async () => {
    const environmentId = await own.environment();
    await own.ask('POST', `environments/${environmentId}/archive`, { expectedRevision: 1 });
    await refusedAs(environmentId, 'ENV_ARCHIVED');
  });

  test('one that does not resolve', async () => {
    const hostId = (await own.ask('POST', 'clients', { name: unique('C'), template: 'proofmark' }))
      .body.id;
    const made = await own.ask('POST', 'environments', { name: unique('E'), hostId });
    await refusedAs(made.body.id, 'ENV_NO_SERVERS');
  });

  test('one that starts a program on the host', async () => {
    const { sql } = service.owner;
    const serverId = makeId('server', Date.now(), randomBytes(10));
    await sql`insert into servers ${sql({ id: serverId, organization_id: tenant.organizationId, project_id: tenant.projectId, name: serverId, enabled: true, transport_type: 'stdio' })}`;
    const group = await own.ask('POST', 'server-attachments', {
      name: unique('Group'),
      serverIds: [tenant.serverId, serverId],
    });
    const made = await own.ask('POST', 'environments', {
      name: unique('E'),
      hostId: tenant.hostId,
      serverAttachmentId: group.body.id,
    });
    await refusedAs(made.body.id, 'ENV_SERVER_NOT_HTTP');
    // An existing scenario cannot be moved to this environment either.
    const { id } = await own.scenario();
    const path = `user-testing/scenarios/${id}/rebind`;
    const rebound = await own.ask('POST', path, { environmentId: made.body.id });
    expect([rebound.status, rebound.body.details.code]).toEqual([409, 'ENV_SERVER_NOT_HTTP']);
  });

  test('more of them than the operator allows', async () => {
    const project = await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: tenant.key,
      body: { name: unique('Project'), organizationId: tenant.organizationId },
    });
    const saved = await call(`${service.baseUrl}/api/v1/projects/${project.body.id}/servers`, {
      method: 'POST',
      key: tenant.key,
      body: { name: 'S', enabled: true, transportType: 'http', url: 'http://127.0.0.1:9/mcp' },
    });
    const client = await call(`${service.baseUrl}/api/v1/projects/${project.body.id}/clients`, {
      method: 'POST',
      key: tenant.key,
      body: { name: 'C', template: 'proofmark' },
    });
    const inProject = {
      ...tenant,
      projectId: project.body.id,
      serverId: saved.body.id,
      hostId: client.body.id,
    };
    const limits = { ...defaultSpending.limits, maxScenariosPerProject: 1 };
    const limited = await service.another({ spending: { ...defaultSpending, limits } });
    const there = createScenarioCaller({ ...service, baseUrl: limited.baseUrl }, inProject);
    const environments = await Promise.all([0, 1, 2, 3].map(() => there.environment()));
    const answers = await atOnce(environments, () => environments.map((id) => there.publish(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body.details).toEqual({
      limit: 'maxScenariosPerProject',
      allowedValue: 1,
      currentValue: 1,
    });
    // Publishing the published environment again does not exceed the limit. After it is
    // unpublished, the other environment can be published.
    const published = environments[answers.findIndex(({ status }) => status === 201)] as string;
    const free = environments.find((id) => id !== published) as string;
    expect((await there.publish(published)).status).toBe(200);
    await there.ask('DELETE', `environments/${published}/scenario`);
    expect((await there.publish(free)).status).toBe(201);
    const capabilities = await there.ask('GET', 'capabilities');
    expect(capabilities.body.plan.limits.maxScenariosPerProject).toBe(1);
    await limited.stop();
  });
});

describe('unpublishing', () => {
  test('works with the feature off, and says whether there was anything', async () => {
    const { environmentId, id } = await own.scenario({ mode: 'anyone_with_link' });
    const path = `environments/${environmentId}/scenario`;
    await service.operator.setFeature(tenant.organizationId, 'user-testing', 'off');
    for (const [method, at, body] of [
      ['PUT', path, {}],
      ['PATCH', `user-testing/scenarios/${id}`, { bogus: 1 }],
      ['POST', `user-testing/scenarios/${id}/rotate-link`, undefined],
      ['PUT', `user-testing/scenarios/${id}/members`, {}],
      ['PUT', `user-testing/scenarios/${id}/guest-execution`, {}],
      ['POST', `user-testing/scenarios/${id}/rebind`, {}],
    ] as const) {
      const refused = await own.ask(method, at, body);
      expect([refused.status, refused.body.details]).toEqual([
        403,
        { reason: 'FEATURE_UNAVAILABLE', feature: 'user-testing' },
      ]);
    }
    expect((await own.ask('GET', 'scenarios')).body).toEqual({ items: [] });
    expect((await own.ask('GET', `scenarios/${id}`)).body.id).toBe(id);
    const manage = await createMember(service, tenant, 'member', 'manage');
    expect((await own.ask('DELETE', path, undefined, manage.key)).status).toBe(403);
    const gone = await own.ask('DELETE', path);
    expect([gone.status, gone.body]).toEqual([200, { environmentId, deleted: true, id }]);
    const again = await own.ask('DELETE', path);
    expect([again.status, again.body]).toEqual([200, { environmentId, deleted: false }]);
    await service.operator.setFeature(tenant.organizationId, 'user-testing', 'on');
    expect(await own.audited(id)).toContainEqual({
      action: 'scenario.unpublished',
      details: { environmentId },
    });
  });

  test('leaves nothing to read or change, and publishing again makes another', async () => {
    const first = await own.scenario({ mode: 'anyone_with_link' });
    await own.ask('DELETE', `environments/${first.environmentId}/scenario`);
    const path = `user-testing/scenarios/${first.id}`;
    const reads = [`scenarios/${first.id}`, path, `${path}/members`];
    for (const at of reads) expect((await own.ask('GET', at)).status).toBe(404);
    expect((await own.ask('PATCH', path, { name: 'New' })).status).toBe(404);
    expect((await own.ask('POST', `${path}/rotate-link`)).status).toBe(404);
    const listed = await own.ask('GET', 'scenarios?limit=200');
    expect(listed.body.items.map(({ id }: { id: string }) => id)).not.toContain(first.id);
    const second = await own.publish(first.environmentId);
    expect([second.status, second.body.accessVersion, second.body.mode]).toEqual([
      ...[201, 1, 'project_members'],
    ]);
    expect(second.body.id).not.toBe(first.id);
    expect(second.body.link).not.toBe(first.link);
    expect(await stored(first.id)).toMatchObject({ accessVersion: 2 });
  });
});
