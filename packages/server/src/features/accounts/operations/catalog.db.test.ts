import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncOperatorServers } from '../../servers/store/operator-servers.ts';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let api: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  api = `${service.baseUrl}/api/v1`;
});
afterAll(() => service.stop());

const create = (body: unknown, key = mine.key) =>
  call(`${api}/projects`, { method: 'POST', key, body });
const names = async (key: string) =>
  (await call(`${api}/projects`, { key })).body.items.map((item: { name: string }) => item.name);

describe('projects', () => {
  test('every organization has a Default project, which cannot be deleted', async () => {
    const list = await call(`${api}/projects?organizationId=${mine.organizationId}`, {
      key: mine.key,
    });
    expect(list.body.items[0]).toMatchObject({ name: 'Default', isDefault: true, role: 'admin' });
    const answer = await call(`${api}/projects/${mine.projectId}`, {
      method: 'DELETE',
      key: mine.key,
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test('a member makes one and is its admin; another member reads it but may not change it', async () => {
    const maker = await createMember(service, mine, 'member');
    const other = await createMember(service, mine, 'member');
    const { body } = await create({ name: 'Shared' }, maker.key);
    expect(body.role).toBe('admin');
    const list = await call(`${api}/projects`, { key: other.key });
    expect(list.body.items).toContainEqual(
      expect.objectContaining({ name: 'Shared', role: 'member' }),
    );
    const edit = { method: 'PATCH', body: { name: 'Mine' } };
    expect((await call(`${api}/projects/${body.id}`, { ...edit, key: other.key })).status).toBe(
      403,
    );
    expect((await call(`${api}/projects/${body.id}`, { ...edit, key: maker.key })).body.name).toBe(
      'Mine',
    );
  });

  test('a private one is listed only for those with access', async () => {
    const outsider = await createMember(service, mine, 'member');
    await create({ name: 'Hidden', visibility: 'private' });
    expect(await names(mine.key)).toContain('Hidden');
    expect(await names(outsider.key)).not.toContain('Hidden');
  });

  test('names are unique in an organization and free in another', async () => {
    expect((await create({ name: 'Twice' })).status).toBe(201);
    expect(await create({ name: 'twice' })).toMatchObject({
      status: 409,
      body: { details: { reason: 'NAME_TAKEN' } },
    });
    expect((await create({ name: 'Twice' }, theirs.key)).status).toBe(201);
    const other = await create({ name: 'Other' });
    const rename = await call(`${api}/projects/${other.body.id}`, {
      method: 'PATCH',
      key: mine.key,
      body: { name: 'TWICE' },
    });
    expect(rename.status).toBe(409);
  });

  test('another organization in the body or the query is not found', async () => {
    expect((await create({ name: 'X', organizationId: theirs.organizationId })).status).toBe(404);
    const foreign = await call(`${api}/projects?organizationId=${theirs.organizationId}`, {
      key: mine.key,
    });
    const unknown = await call(`${api}/projects?organizationId=org_nope`, { key: mine.key });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });

  test('a deleted one takes its servers along', async () => {
    const { body } = await create({ name: 'Doomed' });
    const servers = `${api}/projects/${body.id}/servers`;
    await call(servers, {
      method: 'POST',
      key: mine.key,
      body: { name: 'S', enabled: true, transportType: 'http', url: 'https://a.example/' },
    });
    expect(
      (await call(`${api}/projects/${body.id}`, { method: 'DELETE', key: mine.key })).body,
    ).toEqual({ id: body.id, deleted: true });
    expect((await call(servers, { key: mine.key })).status).toBe(404);
    expect(await service.owner.sql`select from servers where project_id = ${body.id}`).toHaveLength(
      0,
    );
  });

  test('one that holds a server of the operator cannot be deleted', async () => {
    const { body } = await create({ name: 'Kept' });
    const place = { projectId: body.id, organizationId: mine.organizationId };
    await syncOperatorServers(service.owner, [{ name: 'Local', ...place }]);
    const answer = await call(`${api}/projects/${body.id}`, { method: 'DELETE', key: mine.key });
    expect(answer).toMatchObject({
      status: 409,
      body: { details: { reason: 'OPERATOR_MANAGED' } },
    });
    await syncOperatorServers(service.owner, []);
  });

  test('all pages together are the whole list, each project once, while others are being made', async () => {
    const before = new Set(await names(mine.key));
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await call(`${api}/projects?limit=2${cursor}`, { key: mine.key });
      seen.push(...page.body.items.map((item: { name: string }) => item.name));
      await create({ name: `Meanwhile ${seen.length}` });
      if (page.body.nextCursor === undefined || seen.length > 60) break;
      cursor = `&cursor=${page.body.nextCursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const name of before) expect(seen).toContain(name);
  });
});

describe('cursors', () => {
  test('belong to their caller, list and filter', async () => {
    for (const name of ['P1', 'P2', 'P3']) await create({ name });
    const page = await call(`${api}/projects?limit=1`, { key: mine.key });
    const cursor = page.body.nextCursor as string;
    const elsewhere = [
      call(`${api}/projects?limit=1&cursor=${cursor}`, { key: theirs.key }),
      call(`${api}/projects?limit=1&organizationId=${mine.organizationId}&cursor=${cursor}`, {
        key: mine.key,
      }),
      call(`${api}/organizations?cursor=${cursor}`, { key: mine.key }),
      call(`${api}/projects/${mine.projectId}/servers?cursor=${cursor}`, { key: mine.key }),
      call(`${api}/chat-sessions?before=${cursor}`, { key: mine.key }),
    ];
    for (const answer of await Promise.all(elsewhere)) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    }
    expect(
      (await call(`${api}/projects?limit=200&cursor=${cursor}`, { key: mine.key })).status,
    ).toBe(200);
  });

  test('no altered character is accepted', async () => {
    const { body } = await call(`${api}/projects?limit=1`, { key: mine.key });
    const cursor = body.nextCursor as string;
    const altered = [...cursor].map(
      (character, at) =>
        cursor.slice(0, at) + (character === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    const answers = await Promise.all(
      altered.map((one) => call(`${api}/projects?limit=1&cursor=${one}`, { key: mine.key })),
    );
    expect(answers.filter((answer) => answer.status !== 400)).toEqual([]);
  });
});

describe('lists that fill later', () => {
  test('suites of the project, with the latest run', async () => {
    const { body } = await call(`${api}/projects/${mine.projectId}/eval-suites`, { key: mine.key });
    expect(body.items).toMatchObject([
      {
        name: 'Smoke',
        latestRun: { id: mine.runId, status: 'completed' },
        totals: { passed: 0, failed: 1, runs: 1 },
      },
    ]);
  });

  test('chat sessions of the caller, by status and project', async () => {
    const sessions = async (query: string) =>
      (await call(`${api}/chat-sessions${query}`, { key: mine.key })).body;
    expect((await sessions('')).items).toMatchObject([
      { title: 'Hello', status: 'active', projectId: mine.projectId },
    ]);
    expect((await sessions('?status=archived')).items).toEqual([]);
    expect((await sessions(`?projectId=${theirs.projectId}`)).code).toBe('NOT_FOUND');
    expect((await sessions('?status=unknown')).code).toBe('VALIDATION_ERROR');
    const member = await createMember(service, mine, 'admin');
    expect((await call(`${api}/chat-sessions`, { key: member.key })).body.items).toEqual([]);
  });
});

test('capabilities follow the role, and promise nothing that has no operation', async () => {
  const read = async (key: string) =>
    (await call(`${api}/projects/${mine.projectId}/capabilities`, { key })).body;
  const member = await createMember(service, mine, 'member');
  expect(await read(member.key)).toMatchObject({
    role: 'member',
    projectRole: 'member',
    can: { writeSwarms: false, deleteAnyEvalSuite: false },
    widgets: { testable: false, reason: expect.stringMatching(/widgets/) },
  });
  for (const feature of ['swarms', 'user-testing'] as const) {
    await service.operator.setFeature(mine.organizationId, feature, 'on');
  }
  const answer = await read(mine.key);
  const promised = Object.entries(answer.can).flatMap(([name, may]) => (may ? [name] : []));
  expect(promised.sort()).toEqual([
    'cancelJourneyRun',
    'changeUserTestingExposure',
    'deleteAnyEvalRun',
    'deleteAnyEvalSuite',
    'exportEvalTraces',
    'launchEvalRun',
    'launchJourneyRun',
    'manageUserTestingGuestExecution',
    'publishUserTestingScenario',
    'readEvals',
    'readSwarms',
    'readUserTesting',
    'requestInsights',
    'unpublishUserTestingScenario',
    'writeEvalSuites',
    'writeSwarms',
  ]);
  expect(answer).toMatchObject({
    role: 'owner',
    projectRole: 'admin',
    features: {
      sandboxes: { enabled: true, mode: 'enforce', enforced: false },
      swarms: { enabled: true },
      userTesting: { enabled: true },
    },
  });
});
