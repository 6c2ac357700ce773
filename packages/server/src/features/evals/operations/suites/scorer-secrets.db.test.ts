/**
 * Tests the scorer secret of a project: who may create it, that it is shown once, and that others
 * never get it.
 */
import { type ConsolePerson, consolePerson } from '@proofmark/harness/console-person.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openScorerSecret } from '../../store/scorer-secrets.ts';

let service: TestService;
let mine: Tenant;
let owner: ConsolePerson;
let path: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  path = `projects/${mine.projectId}/scorer-secret`;
});
afterAll(() => service.stop());

const inForce = () =>
  service.database.tenant([mine.organizationId], (sql) =>
    openScorerSecret(sql, service.database.vault, { ...mine, id: mine.projectId }),
  );

async function auditLines() {
  const { sql } = service.owner;
  return sql<{ callerKind: string; subjectId: string; details: string | null }[]>`
    select caller_kind, subject_id, details from audit_log
    where action = 'project.scorerSecretRotated' order by id`;
}

describe('the scorer secret', () => {
  test('is shown when it is made, and later only when that was', async () => {
    const before = await owner.ask('GET', path);
    expect(before).toMatchObject({ status: 200, body: { madeAt: null } });
    expect(await inForce()).toBeUndefined();
    const made = await owner.ask('POST', path);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      projectId: mine.projectId,
      madeAt: expect.any(Number),
      secret: expect.stringMatching(/^scs_[\w-]{43}$/),
    });
    expect(await inForce()).toBe(made.body.secret);
    const after = await owner.ask('GET', path);
    expect(after.body).toEqual({ projectId: mine.projectId, madeAt: made.body.madeAt });
  });

  test('made again is another one, in force at once', async () => {
    const first = await owner.ask('POST', path);
    const second = await owner.ask('POST', path);
    expect(second.body.secret).not.toBe(first.body.secret);
    expect(await inForce()).toBe(second.body.secret);
  });

  test('is made by the operator too, and each time is in the audit log without it', async () => {
    const { secret } = await service.operator.rotateScorerSecret('mine', 'Default');
    expect(await inForce()).toBe(secret);
    const lines = await auditLines();
    expect(lines.at(-1)).toMatchObject({ callerKind: 'operator', subjectId: mine.projectId });
    expect(lines.at(-2)).toMatchObject({ callerKind: 'session', subjectId: mine.projectId });
    expect(JSON.stringify(lines)).not.toContain('scs_');
    const wrong = service.operator.rotateScorerSecret('mine', 'Nothing');
    await expect(wrong).rejects.toThrow('mine has no project Nothing.');
  });

  test('stands in no table as it is, and is sealed for its project alone', async () => {
    const { body } = await owner.ask('POST', path);
    const [row] = await service.owner.sql<{ stored: string; sealed: Buffer }[]>`
      select to_jsonb(projects)::text as stored, sealed_scorer_secret as sealed
      from projects where id = ${mine.projectId}`;
    const hex = Buffer.from(body.secret).toString('hex');
    expect(row?.stored).not.toContain(body.secret);
    expect(row?.sealed.toString('hex')).not.toContain(hex);
    const elsewhere = { organizationId: mine.organizationId, id: 'prj_other' };
    await service.owner.sql`
      insert into projects (id, organization_id, name, visibility, sealed_scorer_secret, scorer_secret_made_at)
      values ('prj_other', ${mine.organizationId}, 'Other', 'public', ${row?.sealed as Buffer}, now())`;
    const opened = openScorerSecret(service.owner.sql, service.vault, elsewhere);
    await expect(opened).rejects.toThrow();
  });

  test('is in no answer of the project, nor in the log', async () => {
    const { body } = await owner.ask('POST', path);
    const { key, projectId } = mine;
    for (const read of ['projects', `projects/${projectId}/capabilities`, 'me']) {
      const answer = await call(`${service.baseUrl}/api/v1/${read}`, { key });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).not.toContain(body.secret);
    }
    expect(service.logLines.join('\n')).not.toContain(body.secret);
  });
});

describe('who may', () => {
  test.each(['member', 'manage'] as const)(
    'the %s tier may neither look nor make',
    async (tier) => {
      const member = await createMember(service, mine, 'member', tier);
      const person = await consolePerson(service, { ...member, email: 'a member' });
      const before = await inForce();
      for (const method of ['GET', 'POST']) {
        const answer = await person.ask(method, path);
        expect(answer.status).toBe(403);
        expect(answer.text).not.toContain('scs_');
      }
      expect(await inForce()).toBe(before);
    },
  );

  test('the admin tier may', async () => {
    const member = await createMember(service, mine, 'member', 'admin');
    const person = await consolePerson(service, { ...member, email: 'an admin' });
    expect((await person.ask('GET', path)).status).toBe(200);
    expect((await person.ask('POST', path)).status).toBe(201);
  });

  test('another organization finds no such project', async () => {
    const theirs = await createTenant(service, 'theirs');
    const stranger = await consolePerson(service, { ...theirs, email: 'owner@theirs.example' });
    const before = await inForce();
    for (const method of ['GET', 'POST']) {
      expect((await stranger.ask(method, path)).status).toBe(404);
    }
    expect(await inForce()).toBe(before);
  });

  test.each(['full', 'run-only', 'read-only'])('a key of the scope %s may not', async (scope) => {
    const { key } = await service.operator.createKey('owner@mine.example', 'mine', scope, {
      scope,
    });
    const before = await inForce();
    for (const surface of ['console', 'api']) {
      for (const method of ['GET', 'POST']) {
        const answer = await call(`${service.baseUrl}/${surface}/v1/${path}`, { method, key });
        expect([401, 403, 404]).toContain(answer.status);
        expect(answer.text).not.toContain('scs_');
      }
    }
    expect(await inForce()).toBe(before);
  });
});
