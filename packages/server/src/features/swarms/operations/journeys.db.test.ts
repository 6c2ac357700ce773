import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let ask: ProjectCaller;
let archivedId: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  for (const { organizationId } of [tenant, theirs])
    await service.operator.setFeature(organizationId, 'swarms', 'on');
  ask = projectCaller(service, tenant);
  archivedId = (await createEnvironment(service, tenant, unique('Archived'))).environmentId;
  await ask('POST', `environments/${archivedId}/archive`, { expectedRevision: 1 });
});
afterAll(() => service.stop());

const numbers = { sessionsPerTarget: 2, maxTurns: 4 };
const journeyBody = (more: object = {}) => ({
  goal: 'Find the hours. Tell me the ones of Sunday.',
  personaId: tenant.personaId,
  ...numbers,
  ...more,
});
const swarmBody = (more: object = {}) => ({ name: unique('Swarm'), ...numbers, ...more });
async function make(kind: 'journeys' | 'swarms', more: object = {}) {
  const made = await ask('POST', kind, kind === 'journeys' ? journeyBody(more) : swarmBody(more));
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const noErrors = { type: 'noToolErrors' };
const hours = {
  type: 'toolCalledAtLeastOnce',
  toolName: 'get_hours',
  role: 'advisory',
  severity: 'warn',
};

describe('a journey', () => {
  test('is made with nothing but what it needs, and named after its goal', async () => {
    const made = await make('journeys');
    expect(made).toEqual({
      id: expect.stringMatching(/^jny_/),
      projectId: tenant.projectId,
      name: 'Find the hours',
      goal: 'Find the hours. Tell me the ones of Sunday.',
      personaId: tenant.personaId,
      swarmId: null,
      environmentIds: [],
      hostIds: [],
      ...numbers,
      rubric: [],
      judgeConfig: null,
      personaModel: null,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect((await ask('GET', `journeys/${made.id}`)).body).toEqual(made);
    const goal = `${'word '.repeat(40)}end`;
    expect(Array.from((await make('journeys', { goal })).name)).toHaveLength(79);
  });

  test('keeps all it is given, and criteria get ids where they have none', async () => {
    const given = {
      name: 'Hours',
      swarmId: tenant.swarmId,
      environmentIds: [tenant.environmentId],
      hostIds: [tenant.hostId],
      serverAttachmentId: tenant.serverAttachmentId,
      judgeConfig: { goalCompletion: { autoRun: true, threshold: 0.5 } },
      personaModel: 'proofmark/scripted-user-1',
    };
    const rubric = [
      { id: 'mine', label: 'No tool fails', predicate: noErrors },
      { predicate: hours },
    ];
    const made = await make('journeys', { ...given, rubric });
    expect(made).toMatchObject(given);
    expect(made.rubric).toEqual([
      { id: 'mine', label: 'No tool fails', predicate: noErrors },
      { id: expect.stringMatching(/^crt_/), label: null, predicate: hours },
    ]);
    // Criteria keep their ids if the client sends them back as it read them, even in another order.
    const edited = await ask('PATCH', `journeys/${made.id}`, {
      rubric: [...made.rubric].reverse(),
    });
    expect(edited.body.rubric).toEqual([...made.rubric].reverse());
  });

  test.each([
    ['a persona of nobody', { personaId: 'per_nobody' }, 404],
    ['a swarm of nobody', { swarmId: 'swm_nobody' }, 404],
    ['an environment of nobody', { environmentIds: ['env_nobody'] }, 404],
    ['a client of nobody', { hostIds: ['cli_nobody'] }, 404],
    ['a group of nobody', { serverAttachmentId: 'grp_nobody' }, 404],
    ['no environments in a list', { environmentIds: [] }, 400],
    ['a client twice', { hostIds: ['a', 'a'] }, 400],
    ['no goal', { goal: ' ' }, 400],
    ['too many turns', { maxTurns: 201 }, 400],
    ['too many sessions', { sessionsPerTarget: 101 }, 400],
    ['a widget', { rubric: [{ predicate: { type: 'widgetRendered', toolName: 'x' } }] }, 400],
    ['26 criteria', { rubric: Array.from({ length: 26 }, () => ({ predicate: noErrors })) }, 400],
    ['a blank label', { rubric: [{ label: ' ', predicate: noErrors }] }, 400],
    ['a threshold above 1', { judgeConfig: { goalCompletion: { threshold: 1.1 } } }, 400],
    ['an unknown field', { persona: {} }, 400],
  ])('%s is refused', async (_what, more, status) => {
    expect((await ask('POST', 'journeys', journeyBody(more))).status).toBe(status);
  });

  test('what is of others is not found, and an archived environment is a conflict', async () => {
    for (const more of [
      { personaId: theirs.personaId },
      { swarmId: theirs.swarmId },
      { environmentIds: [tenant.environmentId, theirs.environmentId] },
      { hostIds: [theirs.hostId] },
      { serverAttachmentId: theirs.serverAttachmentId },
    ]) {
      const answer = await ask('POST', 'journeys', journeyBody(more));
      expect(answer.status, JSON.stringify(more)).toBe(404);
    }
    const refused = await ask('POST', 'journeys', journeyBody({ environmentIds: [archivedId] }));
    expect([refused.status, refused.body.details]).toEqual([
      409,
      { code: 'ENV_ARCHIVED', reason: 'ENVIRONMENT_ARCHIVED', environmentId: archivedId },
    ]);
  });

  test('what cannot be run is refused where it stands', async () => {
    const details = async (more: object) =>
      (await ask('POST', 'journeys', journeyBody(more))).body.details;
    expect(
      await details({ rubric: [{ predicate: { type: 'responseMatches', pattern: '(a' } }] }),
    ).toMatchObject({ path: 'body.rubric[0].predicate.pattern', reason: 'PATTERN_INVALID' });
    expect(
      await details({
        rubric: [
          { id: 'a', predicate: noErrors },
          { id: 'a', predicate: hours },
        ],
      }),
    ).toMatchObject({ path: 'body.rubric[1].id', reason: 'CRITERION_ID_TAKEN' });
    expect(await details({ personaModel: 'openai/gpt-none' })).toMatchObject({
      path: 'body.personaModel',
      reason: 'MODEL_NOT_AVAILABLE',
      model: 'openai/gpt-none',
    });
  });

  test('a built-in model that cannot talk plays nobody, when made and when edited', async () => {
    const { id } = await make('journeys');
    for (const personaModel of ['proofmark/lexical-1', 'proofmark/rule-judge-1']) {
      const made = await ask('POST', 'journeys', journeyBody({ personaModel }));
      const edited = await ask('PATCH', `journeys/${id}`, { personaModel });
      for (const { status, body } of [made, edited]) {
        expect([status, body.details.reason, body.details.path]).toEqual([
          ...[400, 'MODEL_NOT_AVAILABLE', 'body.personaModel'],
        ]);
        expect(body.message).toMatch(
          /cannot play the persona; choose .*proofmark\/scripted-user-1/,
        );
      }
    }
  });

  test('an edit: both numbers or none, null clears, an empty list is a mistake', async () => {
    const made = await make('journeys', {
      environmentIds: [tenant.environmentId],
      hostIds: [tenant.hostId],
      serverAttachmentId: tenant.serverAttachmentId,
      rubric: [{ predicate: noErrors }],
      judgeConfig: { goalCompletion: {} },
      personaModel: 'proofmark/scripted-user-1',
    });
    const edit = (body: object) => ask('PATCH', `journeys/${made.id}`, body);
    for (const body of [
      { maxTurns: 5 },
      { sessionsPerTarget: 5 },
      { environmentIds: [] },
      { personaId: tenant.personaId },
      { hostIds: null },
      {},
    ]) {
      expect((await edit(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await edit({ environmentIds: null })).body.environmentIds).toEqual([]);
    expect((await edit({ hostIds: [] })).body.hostIds).toEqual([]);
    const cleared = {
      serverAttachmentId: null,
      rubric: null,
      judgeConfig: null,
      personaModel: null,
    };
    const { serverAttachmentId: _gone, ...kept } = made;
    expect(
      (await edit({ ...cleared, sessionsPerTarget: 7, maxTurns: 9, goal: 'Other' })).body,
    ).toEqual({
      ...kept,
      goal: 'Other',
      environmentIds: [],
      hostIds: [],
      rubric: [],
      judgeConfig: null,
      personaModel: null,
      sessionsPerTarget: 7,
      maxTurns: 9,
      updatedAt: expect.any(Number),
    });
    expect((await edit({ environmentIds: [archivedId] })).status).toBe(409);
    expect((await edit({ environmentIds: ['env_nobody'] })).status).toBe(404);
  });

  test('lists can be narrowed to a swarm and a persona, and leave archived ones out', async () => {
    const { id: swarmId } = await make('swarms');
    const inSwarm = await make('journeys', { swarmId });
    const gone = await make('journeys', { swarmId });
    const deleted = await ask('DELETE', `journeys/${gone.id}`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { id: gone.id, projectId: tenant.projectId, archived: true },
    ]);
    const ids = async (query: string) =>
      (await ask('GET', `journeys?${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids(`swarmId=${swarmId}`)).toEqual([inSwarm.id]);
    expect(await ids(`swarmId=${swarmId}&personaId=per_nobody`)).toEqual([]);
    expect(await ids(`personaId=${tenant.personaId}&limit=1`)).toEqual([inSwarm.id]);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { goal: 'x' }]] as const)
      expect((await ask(method, `journeys/${gone.id}`, body)).status).toBe(404);
  });
});

describe('a swarm', () => {
  test('holds values, and nothing resolves through it', async () => {
    const made = await make('swarms', {
      description: 'All',
      environmentIds: [tenant.environmentId],
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^swm_/),
      projectId: tenant.projectId,
      name: made.name,
      description: 'All',
      environmentIds: [tenant.environmentId],
      ...numbers,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const journey = await make('journeys', { swarmId: made.id });
    expect(journey.environmentIds).toEqual([]);
    const edit = (body: object) => ask('PATCH', `swarms/${made.id}`, body);
    for (const body of [{}, { maxTurns: 3 }, { environmentIds: [] }, { name: null }])
      expect((await edit(body)).status, JSON.stringify(body)).toBe(400);
    expect((await edit({ environmentIds: [archivedId] })).status).toBe(409);
    expect((await edit({ environmentIds: [theirs.environmentId] })).status).toBe(404);
    const edited = await edit({
      description: null,
      environmentIds: null,
      sessionsPerTarget: 9,
      maxTurns: 8,
    });
    expect(edited.body).toEqual({
      ...made,
      description: null,
      environmentIds: [],
      sessionsPerTarget: 9,
      maxTurns: 8,
      updatedAt: expect.any(Number),
    });
    expect((await ask('GET', `journeys/${journey.id}`)).body).toEqual(journey);
  });

  test('takes a journey that is there, and lets it go', async () => {
    const [one, other] = [await make('swarms'), await make('swarms')];
    const journey = await make('journeys', { swarmId: one.id });
    const put = (swarmId: string | null) => ask('PATCH', `journeys/${journey.id}`, { swarmId });
    expect((await put(other.id)).body).toMatchObject({ swarmId: other.id, goal: journey.goal });
    expect((await put(theirs.swarmId)).status).toBe(404);
    expect((await put(null)).body.swarmId).toBeNull();
    await ask('DELETE', `swarms/${one.id}`);
    expect((await put(one.id)).status).toBe(404);
    expect((await ask('GET', `journeys/${journey.id}`)).body.swarmId).toBeNull();
  });

  test('archived, it is gone, and its journeys keep naming it', async () => {
    const { id } = await make('swarms');
    const journey = await make('journeys', { swarmId: id });
    const deleted = await ask('DELETE', `swarms/${id}`);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { id, projectId: tenant.projectId, archived: true },
    ]);
    expect((await ask('GET', `journeys/${journey.id}`)).body.swarmId).toBe(id);
    expect((await ask('PATCH', `journeys/${journey.id}`, { goal: 'Go on' })).status).toBe(200);
    expect((await ask('POST', 'journeys', journeyBody({ swarmId: id }))).status).toBe(404);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const)
      expect((await ask(method, `swarms/${id}`, body)).status).toBe(404);
    const listed = (await ask('GET', 'swarms?limit=200')).body.items;
    expect(listed.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});

test.each(['journeys', 'swarms'] as const)('%s are made once for a key', async (kind) => {
  const body = kind === 'journeys' ? journeyBody() : swarmBody();
  const key = unique('key');
  const send = (more: object = {}) =>
    call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/${kind}`, {
      method: 'POST',
      key: tenant.key,
      body: { ...body, ...more },
      headers: { 'idempotency-key': key },
    });
  const first = await send();
  expect((await send()).body).toEqual(first.body);
  const other = await send({ maxTurns: 5 });
  expect([other.status, other.body.details.reason]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
});

test('members may do all of it; others find nothing', async () => {
  const member = await createMember(service, tenant, 'member', 'member');
  for (const kind of ['journeys', 'swarms'] as const) {
    const { id } = await make(kind);
    const path = `${kind}/${id}`;
    const edit = { name: 'Renamed' };
    expect((await ask('GET', path, undefined, theirs.key)).status).toBe(404);
    expect((await ask('PATCH', path, edit, theirs.key)).status).toBe(404);
    expect((await ask('DELETE', path, undefined, theirs.key)).status).toBe(404);
    expect((await ask('PATCH', path, edit, member.key)).status).toBe(200);
    expect((await ask('DELETE', path, undefined, member.key)).status).toBe(200);
  }
});

test('all of it goes with its project', async () => {
  const made = await call(`${service.baseUrl}/api/v1/projects`, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Project') },
  });
  const inProject = projectCaller(service, { projectId: made.body.id, key: tenant.key });
  const persona = await inProject('POST', 'personas', { name: 'Ada', role: 'Visitor' });
  const swarm = await inProject('POST', 'swarms', swarmBody());
  const ids = { personaId: persona.body.id, swarmId: swarm.body.id };
  expect((await inProject('POST', 'journeys', journeyBody(ids))).status).toBe(201);
  const url = `${service.baseUrl}/api/v1/projects/${made.body.id}`;
  expect((await call(url, { method: 'DELETE', key: tenant.key })).status).toBe(200);
  for (const table of ['personas', 'swarms', 'journeys']) {
    const rows = await service.owner.sql.unsafe(
      `select from ${table} where project_id = '${made.body.id}'`,
    );
    expect(rows.length, table).toBe(0);
  }
});
