import { createScenarioCaller, type ScenarioCaller } from '@proofmark/harness/scenario-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../../platform/accounts/token.ts';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let own: ScenarioCaller;
let manage: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  for (const { organizationId } of [tenant, theirs])
    await service.operator.setFeature(organizationId, 'user-testing', 'on');
  own = createScenarioCaller(service, tenant);
  manage = (await createMember(service, tenant, 'member', 'manage')).key;
});
afterAll(() => service.stop());

const pathOf = (id: string) => `user-testing/scenarios/${id}`;
const tokenOf = (link: string) => link.split('/').at(-1) as string;

describe('an edit', () => {
  test('changes what it names, and an empty text empties', async () => {
    const { id } = await own.scenario({ description: 'Ask.' });
    const path = pathOf(id);
    const changes = { name: ' New ', feedback: 'thumbs', welcome: 'Hello.' };
    const edited = await own.ask('PATCH', path, changes, manage);
    expect([edited.status, edited.body]).toEqual([
      200,
      {
        id,
        projectId: tenant.projectId,
        name: 'New',
        description: 'Ask.',
        mode: 'project_members',
      },
    ]);
    const read = async () => (await own.ask('GET', `scenarios/${id}`)).body;
    expect(await read()).toMatchObject({ name: 'New', feedback: 'thumbs', welcome: 'Hello.' });
    await own.ask('PATCH', path, { description: '', welcome: '' });
    expect(await read()).toMatchObject({ description: null, welcome: null, accessVersion: 1 });
    expect(await own.audited(id)).toContainEqual({
      action: 'scenario.updated',
      details: { fields: ['name', 'feedback', 'welcome'] },
    });
  });

  test.each([
    {},
    { name: 'New', mode: 'anyone_with_link' },
    { description: 'New', mode: 'anyone_with_link' },
    { welcome: 'New', mode: 'anyone_with_link' },
    { mode: 'everyone' },
    { mode: null },
    { colour: 1 },
    { name: '' },
    { name: 'x'.repeat(201) },
    { description: null },
    { description: 'x'.repeat(2001) },
    { feedback: 'smileys' },
    { welcome: 'x'.repeat(2001) },
  ])('refuses %j', async (body) => {
    const { id, mode } = await own.scenario();
    expect((await own.ask('PATCH', pathOf(id), body)).status).toBe(400);
    expect((await own.ask('GET', pathOf(id))).body.mode).toBe(mode);
  });

  test('is for the manage tier, and opening wider for admins', async () => {
    const { id, environmentId } = await own.scenario({ mode: 'invited_only' });
    const path = pathOf(id);
    const member = await createMember(service, tenant, 'member', 'member');
    expect((await own.ask('PATCH', path, { name: 'New' }, member.key)).status).toBe(403);
    const wider = { mode: 'anyone_with_link' };
    expect((await own.ask('PATCH', path, wider, manage)).status).toBe(403);
    expect((await own.ask('GET', path)).body.mode).toBe('invited_only');
    const same = await own.ask('PATCH', path, { mode: 'invited_only' }, manage);
    expect([same.status, same.body.mode]).toEqual([200, 'invited_only']);
    expect((await own.ask('PATCH', path, wider)).status).toBe(200);
    expect((await own.publish(environmentId)).body).toMatchObject({ ...wider, accessVersion: 1 });
    const narrower = { mode: 'project_members' };
    const narrowed = await own.ask('PATCH', path, narrower, manage);
    expect([narrowed.status, narrowed.body]).toEqual([200, expect.objectContaining(narrower)]);
    expect(narrowed.body).not.toHaveProperty('accessVersion');
    expect((await own.publish(environmentId)).body).toMatchObject({
      ...narrower,
      accessVersion: 2,
    });
    expect((await own.audited(id)).slice(1)).toEqual([
      {
        action: 'scenario.modeChanged',
        details: { mode: 'anyone_with_link', formerMode: 'invited_only' },
      },
      {
        action: 'scenario.modeChanged',
        details: { mode: 'project_members', formerMode: 'anyone_with_link' },
      },
    ]);
  });

  test('of twenty at once to the narrowest counts once', async () => {
    const { id, environmentId } = await own.scenario({ mode: 'anyone_with_link' });
    const body = { mode: 'project_members' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => own.ask('PATCH', pathOf(id), body)),
    );
    for (const { status } of answers) expect(status).toBe(200);
    expect((await own.publish(environmentId)).body.accessVersion).toBe(2);
  });

  test('of a scenario of another project is not found', async () => {
    const foreign = await own.ask('PATCH', pathOf(theirs.scenarioId), { name: 'Mine' });
    expect(foreign.status).toBe(404);
  });
});

describe('the link', () => {
  const liveHash = async (id: string) => {
    const [row] = await service.owner.sql<{ tokenHash: Buffer }[]>`
      select token_hash from scenarios where id = ${id}`;
    return row?.tokenHash.toString('hex');
  };
  const hashOf = (link: string) => hashToken(tokenOf(link)).toString('hex');

  test('is replaced by another, which alone is found from then on', async () => {
    const { id, link, environmentId } = await own.scenario();
    const rotated = await own.ask('POST', `${pathOf(id)}/rotate-link`, undefined, manage);
    expect([rotated.status, rotated.body]).toEqual([
      200,
      { id, projectId: tenant.projectId, rotated: true, link: expect.any(String) },
    ]);
    expect(rotated.body.link).not.toBe(link);
    expect(await liveHash(id)).toBe(hashOf(rotated.body.link));
    const again = (await own.publish(environmentId)).body;
    expect([again.link, again.accessVersion]).toEqual([rotated.body.link, 1]);
    expect((await own.ask('GET', `scenarios/${id}`)).body.link.url).toBe(rotated.body.link);
    expect((await own.audited(id)).at(-1)).toEqual({
      action: 'scenario.linkRotated',
      details: null,
    });
    expect((await own.ask('POST', `${pathOf(id)}/rotate-link`, { now: true })).status).toBe(400);
    const member = await createMember(service, tenant, 'member', 'member');
    const path = `${pathOf(id)}/rotate-link`;
    expect((await own.ask('POST', path, {}, member.key)).status).toBe(403);
  });

  test('rotated by ten at once is one of those that were answered', async () => {
    const { id } = await own.scenario();
    const path = `${pathOf(id)}/rotate-link`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.ask('POST', path)));
    const links: string[] = answers.map(({ body }) => body.link);
    expect(new Set(links).size).toBe(10);
    expect(links.map(hashOf)).toContain(await liveHash(id));
  });
});

describe('rebinding', () => {
  const rebind = (id: string, environmentId: string, key?: string) =>
    own.ask('POST', `${pathOf(id)}/rebind`, { environmentId }, key);

  test('keeps everything but the environment', async () => {
    const { id, link, name, mode, environmentId } = await own.scenario();
    const other = await own.environment();
    const rebound = await rebind(id, other);
    const expected = { id, projectId: tenant.projectId, name, mode, accessVersion: 1, link };
    expect([rebound.status, rebound.body]).toEqual([200, { ...expected, environmentId: other }]);
    expect((await own.ask('GET', pathOf(id))).body.environmentId).toBe(other);
    expect((await own.audited(id)).at(-1)).toEqual({
      action: 'scenario.rebound',
      details: { environmentId: other },
    });
    // After the move, the former environment has no scenario, so publishing it creates one.
    // Publishing the new environment returns the moved scenario.
    expect((await own.publish(environmentId)).status).toBe(201);
    expect((await own.publish(other)).body).toMatchObject({ id, created: false });
  });

  test('to the same one changes nothing', async () => {
    const { id, environmentId } = await own.scenario();
    const same = await rebind(id, environmentId);
    expect([same.status, same.body.environmentId]).toEqual([200, environmentId]);
    expect(await own.audited(id)).toHaveLength(1);
  });

  test('to one that is not there, archived or published is refused', async () => {
    const { id } = await own.scenario();
    expect((await rebind(id, theirs.environmentId)).status).toBe(404);
    const other = await own.scenario();
    const published = await rebind(id, other.environmentId);
    expect([published.status, published.body.details.reason]).toEqual([
      ...[409, 'ENVIRONMENT_PUBLISHED'],
    ]);
    const archived = await own.environment();
    await own.ask('POST', `environments/${archived}/archive`, { expectedRevision: 1 });
    const refused = await rebind(id, archived);
    expect([refused.status, refused.body.details.code]).toEqual([409, 'ENV_ARCHIVED']);
    expect((await rebind(id, await own.environment(), manage)).status).toBe(403);
  });

  test('of ten to one environment at once, with a publish between them, lets one have it', async () => {
    const scenarios = await Promise.all(Array.from({ length: 9 }, () => own.scenario()));
    const environmentId = await own.environment();
    const answers = await Promise.all([
      ...scenarios.map(({ id }) => rebind(id, environmentId)),
      own.publish(environmentId),
    ]);
    for (const { status, text } of answers) expect([200, 201, 409], text).toContain(status);
    const rows = await service.owner.sql`
      select from scenarios where environment_id = ${environmentId} and unpublished_at is null`;
    expect(rows.count).toBe(1);
  });
});

describe('what guests may spend', () => {
  const required = {
    enabled: true,
    sharedSkillsEnabled: true,
    computerEnabled: true,
    dailyCreditCap: 12.5,
    dailyComputerStartCap: 3,
    maxConcurrentComputers: 1,
  };
  const off = {
    harnessEnabled: false,
    dailyHarnessSpendCapMicros: 0,
    dailyHarnessCallCap: 0,
    maxConcurrentHarnessRuns: 0,
    toolPolicy: 'all',
  };
  const set = (id: string, body: object, key?: string) =>
    own.ask('PUT', `${pathOf(id)}/guest-execution`, body, key);
  const read = async (id: string) => (await own.ask('GET', `scenarios/${id}`)).body.guestExecution;

  test('is unsaid first, then replaced as a whole', async () => {
    const { id } = await own.scenario();
    expect(await read(id)).toBeNull();
    const whole = {
      ...required,
      harnessEnabled: true,
      dailyHarnessSpendCapMicros: 5,
      dailyHarnessCallCap: 6,
      maxConcurrentHarnessRuns: 7,
      toolPolicy: 'readOnly',
    };
    const first = await set(id, whole);
    expect([first.status, first.body]).toEqual([
      200,
      {
        ...whole,
        id,
        projectId: tenant.projectId,
        guestExecution: whole,
        effective: { computer: false, harness: false },
      },
    ]);
    expect(await read(id)).toEqual(whole);
    const none = { ...required, enabled: false, dailyCreditCap: 0 };
    expect((await set(id, none)).body.guestExecution).toEqual({ ...none, ...off });
    expect(await read(id)).toEqual({ ...none, ...off });
    expect((await own.audited(id)).slice(1)).toEqual([
      {
        action: 'scenario.guestExecutionSet',
        details: { state: 'at most 12.5 credits a day, tools that only read' },
      },
      { action: 'scenario.guestExecutionSet', details: { state: 'only free models' } },
    ]);
  });

  test.each(Object.keys(required))('without %s is refused', async (name) => {
    const { id } = await own.scenario();
    const { [name as keyof typeof required]: _left, ...rest } = required;
    expect((await set(id, rest)).status).toBe(400);
    expect(await read(id)).toBeNull();
  });

  test.each([
    { dailyCreditCap: -1 },
    { dailyComputerStartCap: 1.5 },
    { dailyHarnessCallCap: -1 },
    { enabled: 'yes' },
    { toolPolicy: 'some' },
    { colour: 1 },
  ])('with %j is refused', async (wrong) => {
    const { id } = await own.scenario();
    expect((await set(id, { ...required, ...wrong })).status).toBe(400);
  });

  test('is set by admins', async () => {
    const { id } = await own.scenario();
    expect((await set(id, required, manage)).status).toBe(403);
  });
});
