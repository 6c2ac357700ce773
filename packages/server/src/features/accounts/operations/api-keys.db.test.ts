/**
 * Tests API keys: people create them, they are shown once, bound to one organization, and invalid
 * as soon as they are revoked.
 */

import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let person: Record<string, string>;
let keys: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  person = await signInAs(service, mine.accountId);
  keys = `${service.baseUrl}/console/v1/api-keys`;
});
afterAll(() => service.stop());

const create = (name: string, organizationId = mine.organizationId) =>
  call(keys, { method: 'POST', headers: person, body: { name, organizationId } });
const me = (key: string) => call(`${service.baseUrl}/api/v1/me`, { key });

test('a key is shown when it is made and never again', async () => {
  const created = await create('CI');
  expect(created.status).toBe(201);
  expect(created.body.key).toMatch(/^sk_[A-Za-z0-9]{42}$/);
  expect((await me(created.body.key)).body.id).toBe(mine.accountId);
  const list = await call(keys, { headers: person });
  expect(list.text).not.toContain(created.body.key);
  expect(list.body.items[0]).toMatchObject({
    id: created.body.id,
    name: 'CI',
    start: created.body.key.slice(0, 9),
  });
});

test('a revoked key is refused on the very next request, and revoking again keeps the first time', async () => {
  const { body } = await create('short-lived');
  const second = await service.another();
  try {
    expect((await me(body.key)).status).toBe(200);
    const revoked = await call(`${keys}/${body.id}`, { method: 'DELETE', headers: person });
    expect(revoked.body.revokedAt).toBeTypeOf('number');
    for (const baseUrl of [service.baseUrl, second.baseUrl]) {
      expect((await call(`${baseUrl}/api/v1/me`, { key: body.key })).status).toBe(401);
    }
    const again = await call(`${keys}/${body.id}`, { method: 'DELETE', headers: person });
    expect(again.body.revokedAt).toBe(revoked.body.revokedAt);
  } finally {
    await second.stop();
  }
});

test('nobody makes a key for an organization they do not belong to, nor touches another’s key', async () => {
  const foreign = await create('x', theirs.organizationId);
  const unknown = await create('x', 'org_00000000000000000000000000');
  expect(foreign.status).toBe(404);
  expect(foreign.text).toBe(unknown.text);
  expect(
    (await call(`${keys}/${theirs.keyId}`, { method: 'DELETE', headers: person })).status,
  ).toBe(404);
  expect((await me(theirs.key)).status).toBe(200);
});

test('the owner of a key is the session’s account; a body cannot name another', async () => {
  const body = { name: 'x', organizationId: mine.organizationId, userId: theirs.accountId };
  expect((await call(keys, { method: 'POST', headers: person, body })).status).toBe(400);
});

describe('a key that expires', () => {
  const body = () => ({ name: 'CI', organizationId: mine.organizationId, expiresInDays: 30 });

  test('does so by the clock of the database, with the answer of an unknown one', async () => {
    const created = await call(keys, { method: 'POST', headers: person, body: body() });
    const { id, key, createdAt, expiresAt } = created.body;
    expect(expiresAt - createdAt).toBe(30 * 24 * 60 * 60 * 1000);
    expect((await me(key)).status).toBe(200);
    const { sql } = service.owner;
    await sql`update api_keys set expires_at = now() + interval '1 hour' where id = ${id}`;
    expect((await me(key)).status).toBe(200);
    await sql`update api_keys set expires_at = now() where id = ${id}`;
    const refused = await me(key);
    const unknown = await me(service.vault.apiKeys.issue().key);
    expect(refused.status).toBe(401);
    expect(refused.text).toBe(unknown.text);
    const list = await call(keys, { headers: person });
    expect(list.body.items[0]).toMatchObject({ id, isExpired: true, revokedAt: null });
  });

  test.each([0, -1, 1.5, 3651, '7'])('does not in %j days', async (expiresInDays) => {
    const wrong = { ...body(), expiresInDays };
    expect((await call(keys, { method: 'POST', headers: person, body: wrong })).status).toBe(400);
  });
});

describe('the last use of a key', () => {
  const noted = async (id: string) => {
    const [row] = await service.owner.sql<{ at: Date | null; version: string }[]>`
      select last_used_at as at, xmin::text as version from api_keys where id = ${id}`;
    return row as { at: Date | null; version: string };
  };

  test('is noted, and not again within five minutes, however often it is used', async () => {
    const { body } = await create('watched');
    expect((await noted(body.id)).at).toBeNull();
    await Promise.all(Array.from({ length: 50 }, () => me(body.key)));
    await expect.poll(async () => (await noted(body.id)).at).toBeInstanceOf(Date);
    const first = await noted(body.id);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => me(body.key)));
    }
    const list = await call(keys, { headers: person });
    expect(list.body.items[0].lastUsedAt).toBe(first.at?.getTime());
    expect(await noted(body.id)).toEqual(first);
    await service.owner.sql`
      update api_keys set last_used_at = now() - interval '6 minutes' where id = ${body.id}`;
    const before = Date.now() - 60_000;
    await me(body.key);
    await expect.poll(async () => (await noted(body.id)).at?.getTime()).toBeGreaterThan(before);
  });

  test('keeps nobody waiting while somebody else holds the key', async () => {
    const { body } = await create('held');
    await service.owner.transaction(async (sql) => {
      await sql`select from api_keys where id = ${body.id} for update`;
      expect((await me(body.key)).status).toBe(200);
      expect((await me(body.key)).status).toBe(200);
    });
  });
});

describe('an orphaned key', () => {
  const orphaned = {
    status: 401,
    body: { code: 'UNAUTHORIZED', details: { reason: 'ORPHANED_KEY' } },
  };

  test('whose owner left the organization says so', async () => {
    const member = await createMember(service, mine, 'member');
    expect((await me(member.key)).status).toBe(200);
    await service.owner.sql`delete from memberships where account_id = ${member.accountId}`;
    expect(await me(member.key)).toMatchObject(orphaned);
  });

  test('whose organization is gone says so', async () => {
    const made = await service.operator.bootstrap({
      email: 'late@example.com',
      organization: 'Gone',
    });
    await service.owner.sql`delete from organizations where id = ${made.organizationId}`;
    expect(await me(made.apiKey)).toMatchObject(orphaned);
  });
});

test('a key sees its own organization alone, even when its owner has more', async () => {
  const second = await service.operator.bootstrap({
    email: 'owner@mine.example',
    organization: 'Second',
  });
  const list = async (key: string) =>
    (await call(`${service.baseUrl}/api/v1/organizations`, { key })).body.items;
  expect((await list(mine.key)).map((item: { id: string }) => item.id)).toEqual([
    mine.organizationId,
  ]);
  expect((await list(second.apiKey)).map((item: { id: string }) => item.id)).toEqual([
    second.organizationId,
  ]);
  const project = await call(`${service.baseUrl}/api/v1/projects/${second.projectId}/servers`, {
    key: mine.key,
  });
  expect(project.status).toBe(404);
});
