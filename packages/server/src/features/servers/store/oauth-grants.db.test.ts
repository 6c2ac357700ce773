import { randomBytes, randomUUID } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as grants from './oauth-grants.ts';
import { deleteServer } from './servers.ts';

let testDatabase: TestDatabase;
const mine = id('organization');
const theirs = id('organization');
const projects: Record<string, string> = { [mine]: id('project'), [theirs]: id('project') };
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { sql } = testDatabase.owner;
  for (const [organization, project] of Object.entries(projects)) {
    await sql`insert into organizations (id, name) values (${organization}, ${organization})`;
    await sql`
      insert into projects (id, organization_id, name, visibility)
      values (${project}, ${organization}, 'p', 'public')`;
  }
});
afterAll(() => testDatabase.drop());

function id(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}

const canary = 'canary-of-a-token-5bd1';
const secrets = { accessToken: canary, refreshToken: `${canary}-r`, clientSecret: `${canary}-c` };

async function place(organizationId = mine, change: Partial<grants.GrantWrite> = {}) {
  const write: grants.GrantWrite = {
    organizationId,
    projectId: projects[organizationId] as string,
    serverId: id('server'),
    origin: 'https://a.example',
    issuer: {
      issuer: 'https://as.example',
      tokenEndpoint: 'https://as.example/token',
      clientAuthentication: 'client_secret_basic',
    },
    clientId: 'cid',
    resource: null,
    scope: 'a b',
    secrets,
    lifetimeMs: 1_000,
    ...change,
  };
  await testDatabase.owner.sql`
    insert into servers (id, organization_id, project_id, name, enabled, transport_type, url)
    values (${write.serverId}, ${organizationId}, ${write.projectId}, ${write.serverId}, true, 'http', 'https://a.example/')`;
  await as(organizationId, (sql) => grants.replaceGrant(sql, testDatabase.vault, write));
  return write;
}

function as<Result>(
  organizationId: string,
  work: Parameters<typeof testDatabase.database.tenant<Result>>[1],
) {
  return testDatabase.database.tenant([organizationId], work);
}

function find(write: grants.GrantIds, organizationId = write.organizationId) {
  return as(organizationId, (sql) => grants.findGrant(sql, testDatabase.vault, write));
}

async function found(write: grants.GrantIds): Promise<grants.OAuthGrant> {
  const grant = await find(write);
  if (grant === undefined) throw new Error('There is no grant.');
  return grant;
}

describe('a stored grant', () => {
  test('comes back as it was given, and is nowhere in clear', async () => {
    const { lifetimeMs: _lifetime, ...write } = await place();
    const grant = await found(write);
    expect(grant).toMatchObject({ ...write, revision: 1, state: 'active', failures: 0 });
    expect(grant.expiresInMs).toBeLessThanOrEqual(1_000);
    expect(grant.refreshingForMs).toBe(0);
    const [row] = await testDatabase.owner.sql`
      select oauth_grants::text as text from oauth_grants where server_id = ${write.serverId}`;
    expect(row?.['text']).not.toContain(canary);
    expect(row?.['text']).not.toContain(Buffer.from(canary).toString('hex'));
  });

  test('does not open in another row', async () => {
    const [one, other] = [await place(), await place()];
    await testDatabase.owner.sql`
      update oauth_grants set sealed_tokens = (select sealed_tokens from oauth_grants where server_id = ${one.serverId})
      where server_id = ${other.serverId}`;
    await expect(find(other)).rejects.toThrow();
  });

  test.each(['origin', 'issuer', 'token_endpoint'])(
    'does not open when its %s was changed by hand',
    async (column) => {
      const write = await place();
      const { sql } = testDatabase.owner;
      await sql`
        update oauth_grants set ${sql(column)} = 'https://evil.example' where server_id = ${write.serverId}`;
      await expect(find(write)).rejects.toThrow();
    },
  );

  test('is not there for another tenant, nor for a query without one', async () => {
    const write = await place();
    expect(await find(write, theirs)).toBeUndefined();
    expect(await testDatabase.database.sql`select 1 from oauth_grants`).toHaveLength(0);
    await expect(place(theirs, { projectId: write.projectId })).rejects.toThrow();
  });

  test('goes with its server', async () => {
    const write = await place();
    await as(mine, (sql) => deleteServer(sql, write.projectId, write.serverId));
    const left = await testDatabase.owner
      .sql`select 1 from oauth_grants where server_id = ${write.serverId}`;
    expect(left).toHaveLength(0);
  });
});

describe('the lease of a renewal', () => {
  const lease = (durationMs = 60_000) => ({ holder: randomUUID(), durationMs });
  const take = (grant: grants.OAuthGrant, one = lease()) =>
    as(mine, (sql) => grants.takeRefreshLease(sql, grant, one));
  const renewed = { secrets: { accessToken: 'new' }, lifetimeMs: null, scope: null };
  const save = (grant: grants.OAuthGrant, holder: string) =>
    as(mine, (sql) => grants.saveRefreshed(sql, testDatabase.vault, grant, holder, renewed));

  test('is taken by one of twenty', async () => {
    const grant = await found(await place());
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(grant)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect((await found(grant)).refreshingForMs).toBeGreaterThan(50_000);
  });

  test('ends with its time; the late holder may then not save over the next one', async () => {
    const grant = await found(await place());
    const [late, next] = [lease(0), lease()];
    expect(await take(grant, late)).toBe(true);
    expect(await take(grant, next)).toBe(true);
    expect(await save(grant, late.holder)).toBe(false);
    expect(await save(grant, next.holder)).toBe(true);
    expect(await found(grant)).toMatchObject({ revision: 2, secrets: renewed.secrets });
  });

  test('is not given on a revision that has moved', async () => {
    const grant = await found(await place());
    const one = lease();
    await take(grant, one);
    await save(grant, one.holder);
    expect(await take(grant)).toBe(false);
    expect(await take(await found(grant))).toBe(true);
  });

  test('is not given during the pause after a failure, nor once the grant is over', async () => {
    const grant = await found(await place());
    const one = lease();
    await take(grant, one);
    await as(mine, (sql) => grants.postponeRefresh(sql, grant, one.holder, 60_000));
    expect(await take(grant)).toBe(false);
    const paused = await found(grant);
    expect(paused).toMatchObject({ failures: 1, refreshingForMs: 0, secrets });
    expect(paused.refreshAgainInMs).toBeGreaterThan(50_000);

    const other = await found(await place());
    await take(other, one);
    await as(mine, (sql) => grants.endGrant(sql, testDatabase.vault, other, one.holder));
    const over = await found(other);
    expect(over).toMatchObject({ state: 'over', secrets: { accessToken: '' } });
    expect(JSON.stringify(over)).not.toContain(canary);
    expect(await take(over)).toBe(false);
  });

  test('does not survive an import: what was renewed before is not saved over it', async () => {
    const write = await place();
    const grant = await found(write);
    const one = lease();
    await take(grant, one);
    const imported = { ...write, secrets: { accessToken: 'imported' } };
    await as(mine, (sql) => grants.replaceGrant(sql, testDatabase.vault, imported));
    expect(await save(grant, one.holder)).toBe(false);
    expect(await found(grant)).toMatchObject({ secrets: imported.secrets, revision: 1 });
    expect(await take(grant)).toBe(false);
  });
});
