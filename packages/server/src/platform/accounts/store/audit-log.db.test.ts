import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { canary, createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let person: Record<string, string>;
let seen: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  person = await signInAs(service, mine.accountId);
});
afterAll(() => service.stop());
beforeEach(async () => {
  const [row] = await service.owner.sql`select coalesce(max(id), 0) as id from audit_log`;
  seen = row?.['id'];
});

const written = () =>
  service.owner.sql`
    select organization_id, project_id, account_id, account_email, caller_kind, action, subject_id,
      details::json as details
    from audit_log where id > ${seen} order by id`;
const api = (method: string, path: string, body?: unknown, key = mine.key) =>
  call(`${service.baseUrl}/api/v1/${path}`, { method, key, body });
const consoleCall = (method: string, path: string, body?: unknown) =>
  call(`${service.baseUrl}/console/v1/${path}`, { method, headers: person, body });
let names = 0;
const freshName = () => `Name ${++names}`;
const serverBody = () => ({
  name: freshName(),
  enabled: true,
  transportType: 'http',
  url: `https://one.example/${canary}`,
  headers: { 'X-Canary': canary },
  clientSecret: canary,
});
const servers = () => `projects/${mine.projectId}/servers`;
const who = () => ({
  organizationId: mine.organizationId,
  accountId: mine.accountId,
  accountEmail: 'owner@mine.example',
});

describe('one line for', () => {
  test('a project that is created, updated and deleted', async () => {
    const { id } = (await api('POST', 'projects', { name: freshName(), icon: 'x' })).body;
    await api('PATCH', `projects/${id}`, { description: canary });
    await api('DELETE', `projects/${id}`);
    const line = { ...who(), projectId: id, callerKind: 'key', subjectId: id };
    expect(await written()).toEqual([
      { ...line, action: 'project.created', details: { fields: ['name', 'icon'] } },
      { ...line, action: 'project.updated', details: { fields: ['description'] } },
      { ...line, action: 'project.deleted', details: null },
    ]);
  });

  test('a server that is created, updated and deleted', async () => {
    const { id } = (await api('POST', servers(), serverBody())).body;
    await api('PATCH', `${servers()}/${id}`, { headers: { [canary]: canary }, timeout: 5000 });
    await api('DELETE', `${servers()}/${id}`);
    const line = { ...who(), projectId: mine.projectId, callerKind: 'key', subjectId: id };
    const lines = await written();
    expect(lines).toMatchObject([
      { ...line, action: 'server.created' },
      { ...line, action: 'server.updated' },
      { ...line, action: 'server.deleted', details: null },
    ]);
    expect(lines.map((entry) => entry['details']?.fields?.toSorted())).toEqual([
      Object.keys(serverBody()).sort(),
      ['headers', 'timeout'],
      undefined,
    ]);
  });

  test('a key that is created and revoked by a person, however often they revoke it', async () => {
    const body = { name: 'CI', organizationId: mine.organizationId };
    const { id, key } = (await consoleCall('POST', 'api-keys', body)).body;
    for (let time = 0; time < 3; time += 1) {
      expect((await consoleCall('DELETE', `api-keys/${id}`)).status).toBe(200);
    }
    const line = { ...who(), projectId: null, callerKind: 'session', subjectId: id };
    const lines = await written();
    expect(lines).toEqual([
      { ...line, action: 'apiKey.created', details: { scope: 'full' } },
      { ...line, action: 'apiKey.revoked', details: null },
    ]);
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  test('what many do at once and only one achieves', async () => {
    const { id } = (await api('POST', 'projects', { name: freshName() })).body;
    await whileRowIsHeld(service, { table: 'projects', id }, () =>
      Promise.all(Array.from({ length: 10 }, () => api('DELETE', `projects/${id}`))),
    );
    const body = { name: 'CI', organizationId: mine.organizationId };
    const key = (await consoleCall('POST', 'api-keys', body)).body;
    await Promise.all(
      Array.from({ length: 10 }, () => consoleCall('DELETE', `api-keys/${key.id}`)),
    );
    expect((await written()).map((line) => line['action'])).toEqual([
      'project.created',
      'project.deleted',
      'apiKey.created',
      'apiKey.revoked',
    ]);
  });
});

describe('keys of organizations the holder is not in', () => {
  test('are revoked all the same, with a line where there is still an organization', async () => {
    await service.operator.addMember(theirs.organizationId, 'owner@mine.example', 'member');
    const create = async () =>
      (await service.operator.createKey('owner@mine.example', theirs.organizationId, 'away')).apiKey
        .id;
    const [left, orphan] = [await create(), await create()];
    const { sql } = service.owner;
    await sql`delete from memberships
      where account_id = ${mine.accountId} and organization_id = ${theirs.organizationId}`;
    await sql`update api_keys set organization_id = null where id = ${orphan}`;
    expect((await consoleCall('DELETE', `api-keys/${left}`)).body.revokedAt).toBeTypeOf('number');
    expect((await consoleCall('DELETE', `api-keys/${orphan}`)).body.revokedAt).toBeTypeOf('number');
    const byPerson = (await written()).filter((line) => line['callerKind'] === 'session');
    expect(byPerson).toMatchObject([
      { ...who(), organizationId: theirs.organizationId, subjectId: left },
    ]);
  });
});

describe('no line for', () => {
  test('what was refused', async () => {
    const member = await createMember(service, mine, 'member');
    const taken = freshName();
    const { id } = (await api('POST', servers(), { ...serverBody(), name: taken })).body;
    const other = (await api('POST', servers(), serverBody())).body.id;
    const { id: project } = (await api('POST', 'projects', { name: taken })).body;
    const done = (await written()).length;
    const refused = [
      await api('POST', servers(), { ...serverBody(), name: taken }),
      await api('PATCH', `${servers()}/${other}`, { name: taken }),
      await api('PATCH', `${servers()}/${id}`, { url: 'http://10.0.0.1/' }),
      await api('PATCH', `${servers()}/${theirs.serverId}`, { timeout: 1000 }),
      await api('DELETE', `${servers()}/srv_none`),
      await api('POST', 'projects', { name: taken }),
      await api('PATCH', `projects/${mine.projectId}`, { name: taken }),
      await api('DELETE', `projects/${mine.projectId}`),
      await api('DELETE', `projects/${theirs.projectId}`),
      await api('DELETE', `projects/${project}`, undefined, member.key),
      await consoleCall('POST', 'api-keys', { name: 'x', organizationId: theirs.organizationId }),
      await consoleCall('DELETE', `api-keys/${theirs.keyId}`),
    ];
    expect(refused.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    expect(await written()).toHaveLength(done);
  });

  test('what failed, and no write where its line could not be written', async () => {
    const { sql } = service.owner;
    await sql`alter table audit_log add constraint full_disk check (action <> 'server.created') not valid`;
    try {
      const body = serverBody();
      expect((await api('POST', servers(), body)).status).toBe(500);
      expect(await written()).toEqual([]);
      expect(await sql`select 1 from servers where name = ${body.name}`).toHaveLength(0);
    } finally {
      await sql`alter table audit_log drop constraint full_disk`;
    }
  });
});

describe('the lines', () => {
  test('cannot be changed by the service, nor even by the owner of the tables', async () => {
    await api('POST', 'projects', { name: freshName() });
    await expect(
      service.database.tenant(
        [mine.organizationId],
        (sql) => sql`update audit_log set account_email = 'someone@else.example'`,
      ),
    ).rejects.toThrow('permission denied');
    await expect(
      service.owner.sql`update audit_log set at = now()`.then(() => 'changed'),
    ).rejects.toThrow('only added to');
  });

  test('of another organization are not visible, and none can be put there', async () => {
    const rows = await service.database.tenant(
      [mine.organizationId],
      (sql) => sql<{ organizationId: string }[]>`select organization_id from audit_log`,
    );
    expect(new Set(rows.map((row) => row.organizationId))).toEqual(new Set([mine.organizationId]));
    const all = await service.owner.sql`
      select 1 from audit_log where organization_id = ${theirs.organizationId}`;
    expect(all.length).toBeGreaterThan(0);
    await expect(
      service.database.tenant(
        [mine.organizationId],
        (sql) => sql`
          insert into audit_log (organization_id, account_email, caller_kind, action, subject_id)
          values (${theirs.organizationId}, 'x', 'key', 'x', 'x')`,
      ),
    ).rejects.toThrow('row-level security');
  });

  test('hold no secret, header or address that was ever sent', async () => {
    const [row] = await service.owner.sql`
      select count(*)::int as lines, string_agg(audit_log::text, ' ') as text from audit_log`;
    expect(row?.['lines']).toBeGreaterThan(10);
    expect(row?.['text']).not.toContain(canary);
    expect(row?.['text']).not.toContain('one.example');
    expect(row?.['text']).not.toMatch(/sk_[A-Za-z0-9]/);
  });
});

describe('the operator', () => {
  test('reads the newest first, of one organization or project, also when it is gone', async () => {
    const { id } = (await api('POST', 'projects', { name: freshName() })).body;
    await api('DELETE', `projects/${id}`);
    const { operator } = service;
    const ofProject = await operator.readAuditLog({ projectId: id, limit: 10 });
    expect(ofProject.map(({ action }) => action)).toEqual(['project.deleted', 'project.created']);
    const [newest, ...none] = await operator.readAuditLog({ organization: 'mine', limit: 1 });
    expect(newest).toEqual(ofProject[0]);
    expect(none).toEqual([]);
    const ofTheirs = await operator.readAuditLog({ organization: 'theirs', limit: 100 });
    expect(new Set(ofTheirs.map((line) => line.organizationId))).toEqual(
      new Set([theirs.organizationId]),
    );
    expect((await operator.readAuditLog({ limit: 10_000 })).length).toBeGreaterThan(
      ofTheirs.length,
    );
    expect(await operator.readAuditLog({ projectId: 'prj_none', limit: 1 })).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN, 10_001])(
    'is told that the limit %s is none',
    async (limit) => {
      await expect(service.operator.readAuditLog({ limit })).rejects.toThrow('whole number');
    },
  );
});
