import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { type OAuthIssuer, startOAuthIssuer } from '@proofmark/harness/mcp-servers/oauth-issuer.ts';
import { startChild } from '@proofmark/harness/start-child.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../outside/egress/guarded-fetch.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { createVault } from '../../../platform/vault/vault.ts';
import { type GrantWrite, replaceGrant } from '../store/oauth-grants.ts';
import { finishRenewals, grantTokens } from './grant-tokens.ts';

const key = randomBytes(32);
const vault = createVault(key);
const policy = { allowLoopback: true, allowedPrivateHosts: [] };
let testDatabase: TestDatabase;
let database: Database;
let issuer: OAuthIssuer;
const organizationId = id('organization');
const projectId = id('project');
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.serviceUrl, vault, as: 'service' });
  const { sql } = testDatabase.owner;
  await sql`insert into organizations (id, name) values (${organizationId}, 'acme')`;
  await sql`
    insert into projects (id, organization_id, name, visibility)
    values (${projectId}, ${organizationId}, 'p', 'public')`;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  issuer = await startOAuthIssuer();
});
afterEach(() => issuer.stop());

function id(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}

async function place(change: Partial<GrantWrite> = {}) {
  const server = {
    id: id('server'),
    organizationId,
    projectId,
    url: 'http://127.0.0.1:9/mcp',
    useOAuth: true,
  };
  const { sql } = testDatabase.owner;
  await sql`
    insert into servers (id, organization_id, project_id, name, enabled, transport_type, url, use_oauth)
    values (${server.id}, ${organizationId}, ${projectId}, ${server.id}, true, 'http', ${server.url}, true)`;
  const issued = issuer.issue();
  await database.tenant([organizationId], (tenant) =>
    replaceGrant(tenant, vault, {
      ...server,
      serverId: server.id,
      origin: 'http://127.0.0.1:9',
      issuer: {
        issuer: issuer.url,
        tokenEndpoint: `${issuer.url}/token`,
        clientAuthentication: 'none',
      },
      clientId: 'client one',
      resource: 'http://127.0.0.1:9/mcp',
      scope: 'read write',
      secrets: { accessToken: issued.access_token, refreshToken: issued.refresh_token },
      lifetimeMs: 3_600_000,
      ...change,
    }),
  );
  return { server, issued };
}

/**
 * Returns dependencies with their own `fetch`; pending renewals are kept per `fetch`, so this acts
 * like another process.
 */
function anotherProcess() {
  return { database, mcp: { fetch: createGuardedFetch(policy) }, leaseMs: 3_000 };
}

function age(serverId: string, interval: string) {
  const { sql } = testDatabase.owner;
  return sql`
    update oauth_grants set obtained_at = obtained_at - ${interval}::interval,
      expires_at = expires_at - ${interval}::interval,
      refresh_again_at = refresh_again_at - ${interval}::interval
    where server_id = ${serverId}`;
}

async function tokensOf(dependencies: ReturnType<typeof anotherProcess>, server: { id: string }) {
  const tokens = await grantTokens(dependencies, server as never);
  if (tokens === undefined) throw new Error('There is no grant.');
  return tokens;
}

describe('an imported token', () => {
  test('is sent as it was given, and nobody is asked while it lives', async () => {
    const { server, issued } = await place();
    const tokens = await tokensOf(anotherProcess(), server);
    expect(await tokens.current()).toBe(issued.access_token);
    expect(await tokens.current()).toBe(issued.access_token);
    expect(issuer.tokenRequests).toHaveLength(0);
  });

  test('is renewed shortly before it expires, with what was bound at the import', async () => {
    const { server, issued } = await place();
    await age(server.id, '3550 seconds');
    const token = await (await tokensOf(anotherProcess(), server)).current();
    expect(token).not.toBe(issued.access_token);
    expect(issuer.accepts(token ?? '')).toBe(true);
    expect(Object.fromEntries(issuer.tokenRequests[0] ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: issued.refresh_token,
      resource: 'http://127.0.0.1:9/mcp',
      client_id: 'client one',
    });
  });

  test('is renewed after it expired, again and again, with the rotated refresh token', async () => {
    const { server } = await place();
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 3; round += 1) {
      await age(server.id, '2 hours');
      seen.add(await (await tokensOf(anotherProcess(), server)).current());
    }
    expect(seen.size).toBe(3);
    expect(issuer.isRevoked).toBe(false);
  });

  test('keeps its refresh token where the issuer returns none', async () => {
    issuer.behaviour.rotation = 'none';
    const { server, issued } = await place();
    for (let round = 0; round < 2; round += 1) {
      await age(server.id, '2 hours');
      await (await tokensOf(anotherProcess(), server)).current();
    }
    expect(issuer.tokenRequests.map((form) => form.get('refresh_token'))).toEqual([
      issued.refresh_token,
      issued.refresh_token,
    ]);
  });

  test('that the server refuses is renewed once, and not again a moment later', async () => {
    const { server, issued } = await place({ lifetimeMs: null });
    const tokens = await tokensOf(anotherProcess(), server);
    const next = await tokens.after(issued.access_token);
    expect(next).not.toBe(issued.access_token);
    expect(await tokens.after(issued.access_token)).toBe(next);
    for (let call = 0; call < 20; call += 1) expect(await tokens.after(next ?? '')).toBeUndefined();
    expect(issuer.tokenRequests).toHaveLength(1);
  });

  test('without a refresh token is used as it is and never renewed', async () => {
    const { server, issued } = await place({
      issuer: null,
      secrets: { accessToken: 'alone' },
      lifetimeMs: 0,
    });
    const tokens = await tokensOf(anotherProcess(), server);
    expect(await tokens.current()).toBe('alone');
    expect(await tokens.after('alone')).toBeUndefined();
    expect(issuer.tokenRequests).toHaveLength(0);
    expect(issued).toBeDefined();
  });

  test.each([
    ['another origin', { url: 'http://127.0.0.1:10/mcp' }],
    ['another scheme', { url: 'https://127.0.0.1:9/mcp' }],
    ['no address', { url: null }],
    ['OAuth turned off', { useOAuth: false }],
  ])('is not there for a server with %s', async (_what, change) => {
    const { server } = await place();
    expect(await grantTokens(anotherProcess(), { ...server, ...change })).toBeUndefined();
  });

  test('keeps its identity through a renewal and loses it with a new import', async () => {
    const { server, issued } = await place();
    const before = await tokensOf(anotherProcess(), server);
    await age(server.id, '2 hours');
    await before.current();
    expect((await tokensOf(anotherProcess(), server)).importId).toBe(before.importId);
    await database.tenant([organizationId], (sql) =>
      replaceGrant(sql, vault, {
        ...server,
        serverId: server.id,
        origin: 'http://127.0.0.1:9',
        issuer: null,
        clientId: null,
        resource: null,
        scope: null,
        secrets: { accessToken: 'another' },
        lifetimeMs: null,
      }),
    );
    const after = await tokensOf(anotherProcess(), server);
    expect(after.importId).not.toBe(before.importId);
    expect(await after.current()).toBe('another');
    // Tokens that were opened for the old grant do not switch to the new one.
    expect(await before.current()).toBeUndefined();
    expect(await before.after(issued.access_token)).toBeUndefined();
  });
});

describe('the secret of the client', () => {
  const clientSecret = 'ö: secret/+&= %';

  test.each([
    ['client_secret_basic', undefined],
    ['client_secret_post', ['client_secret_post']],
  ] as const)('is sent by %s', async (clientAuthentication, authentications) => {
    Object.assign(issuer.behaviour, { clientSecret, authentications });
    const issued = issuer.issue();
    const { server } = await place({
      lifetimeMs: 0,
      issuer: { issuer: issuer.url, tokenEndpoint: `${issuer.url}/token`, clientAuthentication },
      secrets: {
        accessToken: issued.access_token,
        refreshToken: issued.refresh_token,
        clientSecret,
      },
    });
    for (let round = 0; round < 2; round += 1) {
      const token = await (await tokensOf(anotherProcess(), server)).current();
      expect(issuer.accepts(token ?? '')).toBe(true);
      await age(server.id, '2 hours');
    }
  });
});

describe('fifty calls at once with an expired token', () => {
  test('over two ways out of one process make one renewal', async () => {
    issuer.behaviour.delayMs = 300;
    const { server } = await place({ lifetimeMs: 0 });
    const ways = [anotherProcess(), anotherProcess()] as const;
    const tokens = await Promise.all(
      Array.from({ length: 50 }, async (_, at) =>
        (await tokensOf(ways[at % 2] as (typeof ways)[0], server)).current(),
      ),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(issuer.accepts(tokens[0] ?? '')).toBe(true);
    expect(issuer.tokenRequests).toHaveLength(1);
    expect(issuer.isRevoked).toBe(false);
  });

  test('refused by the server make one renewal too', async () => {
    issuer.behaviour.delayMs = 300;
    const { server, issued } = await place();
    const ways = [anotherProcess(), anotherProcess()] as const;
    const tokens = await Promise.all(
      Array.from({ length: 50 }, async (_, at) =>
        (await tokensOf(ways[at % 2] as (typeof ways)[0], server)).after(issued.access_token),
      ),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(issuer.tokenRequests).toHaveLength(1);
    expect(issuer.isRevoked).toBe(false);
  });

  test('of two processes make one renewal, and the grant lives on', async () => {
    issuer.behaviour.delayMs = 1_000;
    const { server } = await place({ lifetimeMs: 0 });
    const children = [caller(server, 25), caller(server, 25)];
    const firstLines = await Promise.all(children.map((child) => child.first));
    await Promise.all(children.map((child) => child.closed));
    const tokens = firstLines.flatMap((line) => line['tokens'] as string[]);
    expect(tokens).toHaveLength(50);
    expect(new Set(tokens).size).toBe(1);
    expect(issuer.tokenRequests).toHaveLength(1);
    expect(issuer.isRevoked).toBe(false);
    await age(server.id, '2 hours');
    const next = await (await tokensOf(anotherProcess(), server)).current();
    expect(issuer.accepts(next ?? '')).toBe(true);
  });
});

function caller(server: object, count: number, fate: 'live' | 'die' = 'live') {
  return startChild('./mcp-servers/oauth-caller.child.ts', [
    testDatabase.serviceUrl,
    key.toString('hex'),
    JSON.stringify(server),
    String(count),
    fate,
  ]);
}

test('a process that dies between renewal and save loses nothing where reuse is allowed', async () => {
  issuer.behaviour.rotation = 'reuseAllowed';
  const { server, issued } = await place({ lifetimeMs: 0 });
  const child = caller(server, 1, 'die');
  expect(await child.closed).toBe('SIGKILL');
  expect(issuer.tokenRequests).toHaveLength(1);
  const token = await (await tokensOf(anotherProcess(), server)).current();
  expect(issuer.accepts(token ?? '')).toBe(true);
  expect(issuer.tokenRequests.map((form) => form.get('refresh_token'))).toEqual([
    issued.refresh_token,
    issued.refresh_token,
  ]);
});

test('a renewal whose caller has gone is saved before the service ends', async () => {
  issuer.behaviour.delayMs = 500;
  const { server } = await place({ lifetimeMs: 0 });
  const dependencies = anotherProcess();
  const asking = (await tokensOf(dependencies, server)).current();
  await expect.poll(() => issuer.tokenRequests.length).toBe(1);
  await finishRenewals(dependencies.mcp);
  const token = await (await tokensOf(anotherProcess(), server)).current();
  expect(issuer.accepts(token ?? '')).toBe(true);
  expect(issuer.tokenRequests).toHaveLength(1);
  expect(await asking).toBe(token);
});

describe('an issuer that ends the grant', () => {
  test('is asked once, by however many calls; nothing of the tokens stays', async () => {
    issuer.behaviour.token = 'invalidGrant';
    const { server, issued } = await place({ lifetimeMs: 0 });
    const dependencies = anotherProcess();
    for (let round = 0; round < 10; round += 1) {
      const tokens = await Promise.all(
        Array.from({ length: 5 }, async () => (await tokensOf(dependencies, server)).current()),
      );
      expect(tokens.every((token) => token === undefined)).toBe(true);
    }
    const after = await (await tokensOf(dependencies, server)).after(issued.access_token);
    expect(after).toBeUndefined();
    expect(issuer.tokenRequests).toHaveLength(1);
  });
});

describe.each(['error500', 'malformed', 'invalidClient', 'redirect', 'hang'] as const)(
  'an issuer in trouble (%s)',
  (mode) => {
    test('is asked once and then left alone; the token is used while it lives', async () => {
      issuer.behaviour.token = mode;
      const { server, issued } = await place();
      await age(server.id, '3550 seconds');
      const dependencies = anotherProcess();
      for (let call = 0; call < 25; call += 1) {
        expect(await (await tokensOf(dependencies, server)).current()).toBe(issued.access_token);
      }
      expect(issuer.tokenRequests).toHaveLength(1);
      expect(issuer.paths).toEqual(['/token']);
    });

    test('is no reason to forget the grant: it is renewed once the issuer is well', async () => {
      issuer.behaviour.token = mode;
      const { server } = await place({ lifetimeMs: 0 });
      const dependencies = anotherProcess();
      const failures = await Promise.allSettled(
        Array.from({ length: 50 }, async () => (await tokensOf(dependencies, server)).current()),
      );
      for (const failure of failures) {
        expect(failure).toMatchObject({
          status: 'rejected',
          reason: { code: 'SERVER_UNREACHABLE', details: { reason: 'TOKEN_NOT_RENEWED' } },
        });
        expect(JSON.stringify(failure)).not.toContain('refresh-');
      }
      expect(issuer.tokenRequests).toHaveLength(1);
      issuer.behaviour.token = 'fine';
      await age(server.id, '1 minute');
      const token = await (await tokensOf(dependencies, server)).current();
      expect(issuer.accepts(token ?? '')).toBe(true);
    });
  },
);
