import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  for (const { organizationId } of [tenant, theirs])
    await service.operator.setFeature(organizationId, 'swarms', 'on');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const visitor = (more: object = {}) => ({ name: unique('Ada'), role: 'Visitor', ...more });
const create = (body: object, key: string, projectId = tenant.projectId) =>
  call(`${service.baseUrl}/api/v1/projects/${projectId}/personas`, {
    method: 'POST',
    key: tenant.key,
    body,
    headers: { 'idempotency-key': key },
  });
const persona = async (more: object = {}) => {
  const made = await ask('POST', 'personas', visitor(more));
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const journeyOf = (personaId: string, more: object = {}) =>
  ask('POST', 'journeys', {
    goal: 'Find the hours',
    personaId,
    sessionsPerTarget: 2,
    maxTurns: 4,
    ...more,
  });

test('is made, read and listed with the newest first', async () => {
  const made = await persona({ name: '  Ada Łovelace ', notes: 'Is new here.', avatarShape: 5 });
  expect(made).toEqual({
    id: expect.stringMatching(/^per_/),
    projectId: tenant.projectId,
    slug: 'ada-łovelace',
    name: 'Ada Łovelace',
    role: 'Visitor',
    notes: 'Is new here.',
    source: 'manual',
    avatar: { shape: 5, palette: null },
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  });
  const later = await persona();
  expect((await ask('GET', `personas/${made.id}`)).body).toEqual(made);
  const { body } = await ask('GET', 'personas?limit=2');
  expect(body.items).toEqual([later, made]);
  const rest = await ask('GET', `personas?limit=200&cursor=${body.nextCursor}`);
  expect(rest.body.items.map(({ id }: { id: string }) => id)).toEqual([tenant.personaId]);
});

test('with a key it is made once, and another body with the same key is refused', async () => {
  const key = unique('key');
  const body = visitor();
  const first = await create(body, key);
  expect(first.status, first.text).toBe(201);
  await ask('PATCH', `personas/${first.body.id}`, { role: 'Guest' });
  const again = await create(body, key);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const other = await create({ ...body, role: 'Guest' }, key);
  expect([other.status, other.body.details.reason]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  // A rejected request does not use up its idempotency key, and a key used in one project is free
  // in another.
  const unused = unique('key');
  expect((await create({ name: '' }, unused)).status).toBe(400);
  expect((await create(visitor(), unused)).status).toBe(201);
  const project = await call(`${service.baseUrl}/api/v1/projects`, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Project') },
  });
  const elsewhere = await create(body, key, project.body.id);
  expect(elsewhere.status).toBe(201);
  expect(elsewhere.body.id).not.toBe(first.body.id);
});

test('of twenty at once with one key one is made', async () => {
  const key = unique('key');
  const body = visitor();
  const second = await service.another();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call(
        `${index % 2 ? second.baseUrl : service.baseUrl}/api/v1/projects/${tenant.projectId}/personas`,
        { method: 'POST', key: tenant.key, body, headers: { 'idempotency-key': key } },
      ),
    ),
  );
  await second.stop();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
});

test('a slug is from the first name, apart from all others, archived ones too, and stays', async () => {
  const name = unique('Ben');
  const slug = name.toLowerCase();
  const [one, two] = [await persona({ name }), await persona({ name })];
  expect([one.slug, two.slug]).toEqual([slug, `${slug}-2`]);
  await ask('DELETE', `personas/${one.id}`);
  const at = await Promise.all([1, 2, 3].map(() => persona({ name: name.toUpperCase() })));
  const slugs = at.map((made) => made.slug).sort();
  expect(slugs).toEqual([3, 4, 5].map((number) => `${slug}-${number}`));
  const renamed = await ask('PATCH', `personas/${two.id}`, { name: 'Carla' });
  expect(renamed.body).toMatchObject({ name: 'Carla', slug: `${slug}-2` });
  expect((await persona({ name: '!!!' })).slug).toBe('persona');
});

test('an edit changes what it says and nothing else', async () => {
  const made = await persona({ notes: 'Old.', avatarPalette: 1 });
  const path = `personas/${made.id}`;
  const edited = await ask('PATCH', path, { role: 'Guest', avatarShape: 0 });
  expect(edited.body).toEqual({
    ...made,
    role: 'Guest',
    avatar: { shape: 0, palette: 1 },
    updatedAt: expect.any(Number),
  });
  expect((await ask('PATCH', path, { notes: '' })).body.notes).toBeNull();
  const bad = [
    {},
    { name: null },
    { notes: null },
    { name: 'a\nb' },
    { role: 'x'.repeat(121) },
    { notes: 'x'.repeat(2001) },
    { avatarShape: 6 },
    { slug: 'mine' },
    { source: 'cluster' },
  ];
  for (const body of bad) {
    expect((await ask('PATCH', path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await ask('GET', path)).body.role).toBe('Guest');
});

describe('a persona that a journey names', () => {
  test('stays until the journey is archived; archived, it is gone', async () => {
    const { id } = await persona();
    const journey = await journeyOf(id);
    const path = `personas/${id}`;
    const refused = await ask('DELETE', path);
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { reason: 'PERSONA_IN_USE', journeyIds: [journey.body.id] } },
    });
    expect((await ask('DELETE', `journeys/${journey.body.id}`)).status).toBe(200);
    const deleted = await ask('DELETE', path);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { id, projectId: tenant.projectId, deleted: true },
    ]);
    for (const method of ['DELETE', 'GET'] as const)
      expect((await ask(method, path)).status).toBe(404);
    expect((await ask('PATCH', path, { role: 'Guest' })).status).toBe(404);
    expect((await journeyOf(id)).status).toBe(404);
    const listed = (await ask('GET', 'personas?limit=200')).body.items;
    expect(listed.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  test('at most ten journeys are told', async () => {
    const { id } = await persona();
    for (let made = 0; made < 11; made += 1) expect((await journeyOf(id)).status).toBe(201);
    expect((await ask('DELETE', `personas/${id}`)).body.details.journeyIds).toHaveLength(10);
  });

  test('a journey and an archive at the same time: one of them loses', async () => {
    for (const first of ['journey', 'archive']) {
      const { id } = await persona();
      const start = {
        journey: () => journeyOf(id),
        archive: () => ask('DELETE', `personas/${id}`),
      };
      const order =
        first === 'journey' ? [start.journey, start.archive] : [start.archive, start.journey];
      const { going } = await service.owner.transaction(async (sql) => {
        await sql`select 1 from personas where id = ${id} for update`;
        const started = [];
        for (const [index, begin] of order.entries()) {
          started.push(begin());
          await untilWaiting(sql, index + 1);
        }
        return { going: Promise.all(started) };
      });
      const [one, other] = (await going).map(({ status }) => status);
      expect([one, other]).toEqual(first === 'journey' ? [201, 409] : [200, 404]);
    }
  });
});

test('a project has at most as many that are live as the operator says, 200 unless told', async () => {
  const project = await call(`${service.baseUrl}/api/v1/projects`, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Project') },
  });
  const inProject = projectCaller(service, { projectId: project.body.id, key: tenant.key });
  const { sql } = service.owner;
  await sql`
    insert into personas (id, organization_id, project_id, slug, name, role)
    select 'per_' || n || ${project.body.id}, ${tenant.organizationId}, ${project.body.id}, 'p' || n, 'P', 'R'
    from generate_series(1, 199) as n`;
  const last = await inProject('POST', 'personas', visitor());
  expect(last.status).toBe(201);
  const refused = await inProject('POST', 'personas', visitor());
  expect([refused.status, refused.body.details]).toEqual([
    403,
    { limit: 'maxPersonasPerProject', allowedValue: 200, currentValue: 200 },
  ]);
  await inProject('DELETE', `personas/${last.body.id}`);
  expect((await inProject('POST', 'personas', visitor())).status).toBe(201);
  const limits = { ...defaultSpending.limits, maxPersonasPerProject: 201 };
  const wider = await service.another({ spending: { ...defaultSpending, limits } });
  const url = `${wider.baseUrl}/api/v1/projects/${project.body.id}`;
  const post = () => call(`${url}/personas`, { method: 'POST', key: tenant.key, body: visitor() });
  expect([(await post()).status, (await post()).status]).toEqual([201, 403]);
  const capabilities = await call(`${url}/capabilities`, { key: tenant.key });
  expect(capabilities.body.plan.limits.maxPersonasPerProject).toBe(201);
  await wider.stop();
});

test('members may do all of it; others find nothing', async () => {
  const member = await createMember(service, tenant, 'member', 'member');
  const { id } = await persona();
  const path = `personas/${id}`;
  expect((await ask('PATCH', path, { role: 'Guest' }, member.key)).status).toBe(200);
  for (const key of [theirs.key]) {
    expect((await ask('GET', path, undefined, key)).status).toBe(404);
    expect((await ask('PATCH', path, { role: 'Guest' }, key)).status).toBe(404);
    expect((await ask('DELETE', path, undefined, key)).status).toBe(404);
  }
  expect((await ask('DELETE', path, undefined, member.key)).status).toBe(200);
  const lines = await service.owner.sql<{ action: string }[]>`
    select action from audit_log where subject_id = ${id} order by id`;
  expect(lines.map(({ action }) => action)).toEqual([
    'persona.created',
    'persona.updated',
    'persona.archived',
  ]);
});

test('while swarms are off: lists are empty, writes are refused, archiving and reading go on', async () => {
  const off = await createTenant(service, 'off');
  const askOff = projectCaller(service, off);
  for (const kind of ['personas', 'swarms', 'journeys'])
    expect((await askOff('GET', kind)).body).toEqual({ items: [] });
  const writes = [
    ['POST', 'personas', visitor()],
    ['PATCH', `personas/${off.personaId}`, { role: 'Guest' }],
    ['POST', 'journeys', {}],
    ['PATCH', 'journeys/jny_nobody', {}],
    ['POST', 'swarms', {}],
    ['PATCH', `swarms/${off.swarmId}`, {}],
    ['POST', 'personas/generate', {}],
    ['POST', 'journeys/generate', {}],
  ] as const;
  for (const [method, path, body] of writes) {
    const refused = await askOff(method, path, body);
    expect([refused.status, refused.body.details], path).toEqual([
      403,
      { reason: 'FEATURE_UNAVAILABLE', feature: 'swarms' },
    ]);
  }
  for (const path of [
    `journeys/${off.journeyId}`,
    `swarms/${off.swarmId}`,
    `personas/${off.personaId}`,
  ]) {
    expect((await askOff('GET', path)).status, path).toBe(200);
    expect((await askOff('DELETE', path)).status, path).toBe(200);
  }
});
