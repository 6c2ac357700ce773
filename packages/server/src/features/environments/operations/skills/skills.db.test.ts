/**
 * Tests skills over HTTP: every saved text is a permanent version, numbered without gaps even under
 * concurrent writes.
 */
import { createHash } from 'node:crypto';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const create = (body: object = {}, key?: string) =>
  ask('POST', 'skills', { name: unique('Skill'), content: 'Be brief.', ...body }, key);
const write = (id: string, content: string, key?: string) =>
  ask('POST', `skills/${id}/versions`, { content }, key);
const read = async (id: string) => (await ask('GET', `skills/${id}`)).body;
const audited = async (id: string) =>
  (await service.owner.sql`select action from audit_log where subject_id = ${id} order by id`).map(
    ({ action }) => action,
  );
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a skill begins with version 1, and lists are without the texts', async () => {
  const name = unique('Skill');
  const content = '  Antworte kurz.\n\n— 日本語 👋 ';
  const { status, body } = await create({ name, description: 'How to answer.', content });
  expect(status).toBe(201);
  const latest = {
    id: expect.stringMatching(/^skv_/),
    number: 1,
    contentHash: sha256(content),
    createdAt: expect.any(Number),
  };
  const summary = {
    id: expect.stringMatching(/^skl_/),
    projectId: tenant.projectId,
    name,
    description: 'How to answer.',
    latest,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  };
  expect(body).toEqual({ ...summary, content, versions: [latest] });
  expect(await read(body.id)).toEqual(body);
  const { items } = (await ask('GET', 'skills')).body;
  expect(items.at(-1)).toEqual(summary);
});

describe('a new text', () => {
  test('is a new version; those before stay as they were', async () => {
    const first = (await create({ content: 'One.' })).body;
    const { status, body } = await write(first.id, 'Two.');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      content: 'Two.',
      latest: { number: 2, contentHash: sha256('Two.') },
    });
    expect(body.versions).toEqual([first.latest, body.latest]);
    expect(body.updatedAt).toBeGreaterThanOrEqual(first.updatedAt);
    const [kept] = await service.owner.sql`
      select content from skill_versions where id = ${first.latest.id}`;
    expect(kept).toEqual({ content: 'One.' });
    await expect(
      service.owner.sql`update skill_versions set content = 'x' where id = ${first.latest.id}`,
    ).rejects.toThrow('never changes');
  });

  test('that is the latest one makes nothing; an earlier one comes again as new', async () => {
    const { id } = (await create({ content: 'One.' })).body;
    const two = (await write(id, 'Two.')).body;
    const again = await write(id, 'Two.');
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: two });
    expect((await write(id, 'One.')).body.latest).toMatchObject({ number: 3 });
    expect(await audited(id)).toEqual([
      ...['skill.created', 'skill.versionCreated', 'skill.versionCreated'],
    ]);
  });

  test.each([
    [{ content: '' }],
    [{ content: 'x'.repeat(200_001) }],
    [{}],
    [{ content: 'x', number: 9 }],
  ])('needs a text and nothing else', async (body) => {
    const answer = await ask('POST', `skills/${tenant.skillId}/versions`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  test('of twenty at once each gets a number of its own, and the same text from ten only one', async () => {
    const { id } = (await create({ content: 'Start.' })).body;
    const second = await service.another();
    try {
      const other = projectCaller(second, tenant);
      const answers = await whileRowIsHeld(service, { table: 'skills', id }, () =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            (at % 2 ? ask : other)('POST', `skills/${id}/versions`, { content: `Text ${at}` }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
      const { versions } = await read(id);
      expect(versions.map(({ number }: { number: number }) => number)).toEqual(
        Array.from({ length: 21 }, (_, at) => at + 1),
      );
      await whileRowIsHeld(service, { table: 'skills', id }, () =>
        Promise.all(Array.from({ length: 10 }, () => write(id, 'Same.'))),
      );
      expect((await read(id)).versions).toHaveLength(22);
    } finally {
      await second.stop();
    }
  });
});

test('names are taken whatever the case, by one of ten at once', async () => {
  const name = unique('Skill Ä');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => create({ name: at % 2 ? name : name.toLowerCase() })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.find(({ status }) => status !== 201)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { path: 'body.name', reason: 'NAME_TAKEN' } },
  });
});

describe('deleting', () => {
  const environment = async (fields: object) => {
    const body = { name: unique('E'), hostId: tenant.hostId, ...fields };
    return (await ask('POST', 'environments', body)).body;
  };

  test('takes all versions with it', async () => {
    const { id } = (await create()).body;
    await write(id, 'Two.');
    expect(await ask('DELETE', `skills/${id}`)).toMatchObject({
      status: 200,
      body: { id, deleted: true },
    });
    expect((await ask('GET', `skills/${id}`)).status).toBe(404);
    expect((await write(id, 'Three.')).status).toBe(404);
    const { sql } = service.owner;
    expect(await sql`select from skill_versions where skill_id = ${id}`).toHaveLength(0);
    expect((await audited(id)).at(-1)).toBe('skill.deleted');
  });

  test('is refused while a live environment selects it or pins a plugin that holds it', async () => {
    const { id } = (await create()).body;
    const plugin = await ask('POST', 'plugins', { name: unique('P'), skillIds: [id] });
    const selecting = await environment({ skillSelection: { mode: 'explicit', skillIds: [id] } });
    const pinning = await environment({ pluginVersionIds: [plugin.body.activeVersionId] });
    const archive = (one: { id: string }) =>
      ask('POST', `environments/${one.id}/archive`, { expectedRevision: 1 });
    const inUse = (environmentIds: string[]) => ({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'IN_USE', environmentIds } },
    });
    const both = [selecting.id, pinning.id];
    expect(await ask('DELETE', `skills/${id}`)).toMatchObject(inUse(both));
    await archive(selecting);
    expect(await ask('DELETE', `skills/${id}`)).toMatchObject(inUse([pinning.id]));
    await archive(pinning);
    expect((await ask('DELETE', `skills/${id}`)).status).toBe(200);
  });
});

test('a member reads; the manage tier writes and deletes', async () => {
  const member = await createMember(service, tenant, 'member', 'member');
  const manager = await createMember(service, tenant, 'member', 'manage');
  expect((await create({}, member.key)).status).toBe(403);
  const { id } = (await create({}, manager.key)).body;
  expect((await ask('GET', `skills/${id}`, undefined, member.key)).status).toBe(200);
  expect((await write(id, 'Two.', member.key)).status).toBe(403);
  expect((await write(id, 'Two.', manager.key)).status).toBe(201);
  expect((await ask('DELETE', `skills/${id}`, undefined, member.key)).status).toBe(403);
  expect((await ask('DELETE', `skills/${id}`, undefined, manager.key)).status).toBe(200);
});
