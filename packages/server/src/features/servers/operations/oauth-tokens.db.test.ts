import { type OAuthIssuer, startOAuthIssuer } from '@proofmark/harness/mcp-servers/oauth-issuer.ts';
import { type OAuthServer, startOAuthServer } from '@proofmark/harness/mcp-servers/oauth-server.ts';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditLines } from '../../../platform/accounts/store/audit-log.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import { syncOperatorServers } from '../store/operator-servers.ts';

let service: TestService;
let tenant: Tenant;
let issuer: OAuthIssuer;
let server: OAuthServer;
const answers: TestAnswer[] = [];
const clientSecret = 'client-secret-canary-0b77';
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());
beforeEach(async () => {
  issuer = await startOAuthIssuer();
  server = await startOAuthServer({ issuer });
});
afterEach(async () => {
  await server.stop();
  await issuer.stop();
});

let made = 0;
async function send(method: string, path: string, body: unknown, baseUrl = service.baseUrl) {
  const url = `${baseUrl}/api/v1/projects/${tenant.projectId}/servers${path}`;
  const answer = await call(url, { method, key: tenant.key, body });
  answers.push(answer);
  return answer;
}

async function save(change: object = {}): Promise<string> {
  made += 1;
  const base = { enabled: true, transportType: 'http', url: server.url };
  const saved = await send('POST', '', { ...base, name: `OAuth ${made}`, ...change });
  expect(saved.status).toBe(201);
  return saved.body.id;
}

const importInto = (id: string, change: object = {}) =>
  send('POST', `/${id}/oauth/import-tokens`, {
    serverUrl: server.url,
    clientInformation: { clientId: 'cid' },
    tokens: issuer.issue(),
    ...change,
  });

const callHello = (id: string, baseUrl?: string) =>
  send('POST', `/${id}/tools/call`, { toolName: 'hello' }, baseUrl);

async function saveWithTokens(): Promise<string> {
  const id = await save();
  expect(await importInto(id)).toMatchObject({ status: 200 });
  return id;
}

function expire(id: string) {
  return service.owner.sql`
    update oauth_grants set expires_at = now() - interval '1 minute' where server_id = ${id}`;
}

async function stored(id: string): Promise<number> {
  const rows = await service.owner.sql`select 1 from oauth_grants where server_id = ${id}`;
  return rows.length;
}

describe('importing', () => {
  test('stores the tokens, turns OAuth on, and says when they expire', async () => {
    const id = await save();
    const answer = await importInto(id);
    expect(answer).toMatchObject({ status: 200, body: { imported: true } });
    expect(Math.abs(answer.body.expiresAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const shown = await send('GET', `/${id}`, undefined);
    expect(shown.body.useOAuth).toBe(true);
    const [line] = await listAuditLines(service.owner.sql, { limit: 1 });
    expect(line).toMatchObject({ action: 'server.tokensImported', subjectId: id, details: null });
  });

  test('takes the saved client and its secret where the body brings none', async () => {
    issuer.behaviour.clientSecret = clientSecret;
    const id = await save({ clientId: 'saved', clientSecret });
    await importInto(id, { clientInformation: undefined });
    await expire(id);
    expect((await callHello(id)).status).toBe(200);
    expect(issuer.tokenRequests).toHaveLength(1);
  });

  test('does not send the saved secret for another client', async () => {
    const id = await save({ clientId: 'saved', clientSecret });
    await importInto(id);
    await expire(id);
    expect((await callHello(id)).status).toBe(200);
    expect(issuer.credentialsSeen.join()).not.toContain(clientSecret);
    expect(issuer.credentialsSeen.join()).toContain('client_id=cid');
  });

  test('needs no issuer without a refresh token', async () => {
    const id = await save();
    const { refresh_token: _unused, expires_in: _seconds, ...tokens } = issuer.issue();
    server.name({ metadataUrl: 'http://10.0.0.1/prm' });
    expect(await importInto(id, { tokens })).toMatchObject({
      status: 200,
      body: { imported: true, expiresAt: null },
    });
    expect((await callHello(id)).status).toBe(200);
  });

  test.each([
    ['another host', 'https://another.example/mcp'],
    ['another path', '/other'],
    ['no URL', 'nonsense'],
  ])('of tokens for %s is refused', async (_what, serverUrl) => {
    const id = await save();
    const url = serverUrl.startsWith('/') ? `${server.origin}${serverUrl}` : serverUrl;
    expect(await importInto(id, { serverUrl: url })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path: 'body.serverUrl' } },
    });
    expect(await stored(id)).toBe(0);
  });

  test.each([
    ['an address inside', { oauthResourceUrl: 'http://10.0.0.1/' }, 'body.oauthResourceUrl'],
    [
      'a token no header can hold',
      { tokens: { access_token: 'a\nb' } },
      'body.tokens.access_token',
    ],
    ['U+0000 in the address', { serverUrl: 'http://a.example/\0' }, 'body.serverUrl'],
    [
      'U+0000 in the client',
      { clientInformation: { clientId: 'c\0' } },
      'body.clientInformation.clientId',
    ],
    [
      'half of a character in the scope',
      { tokens: { access_token: 'a', scope: '\ud800' } },
      'body.tokens.scope',
    ],
  ])('with %s is refused', async (_what, change, path) => {
    const id = await save();
    expect(await importInto(id, change)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path } },
    });
    expect(await stored(id)).toBe(0);
  });

  test.each([
    ['leads inward', { metadataUrl: 'http://10.0.0.1/prm' }, 'EGRESS_BLOCKED'],
    ['names an issuer inside', { issuer: 'http://169.254.169.254' }, 'EGRESS_BLOCKED'],
    ['names no issuer that is there', { issuer: 'http://127.0.0.1:9' }, 'ISSUER_NOT_FOUND'],
    ['is about another resource', { resource: 'https://a.example/' }, 'ISSUER_NOT_FOUND'],
  ])('stores nothing when the metadata %s', async (_what, named, reason) => {
    const id = await save();
    server.name(named);
    expect(await importInto(id)).toMatchObject({
      status: 502,
      body: { code: 'SERVER_UNREACHABLE', details: { reason } },
    });
    expect(await stored(id)).toBe(0);
  });

  test('stores nothing when the metadata names a resource that cannot be kept', async () => {
    const id = await save();
    server.name({ resource: `${server.url}?\0` });
    expect(await importInto(id)).toMatchObject({
      status: 502,
      body: { code: 'SERVER_UNREACHABLE', details: { reason: 'ISSUER_NOT_FOUND' } },
    });
    expect(await stored(id)).toBe(0);
  });

  test('is refused for a server of the operator, and unknown for an unknown one', async () => {
    const { organizationId, projectId } = tenant;
    await syncOperatorServers(service.owner, [{ name: 'stdio', organizationId, projectId }]);
    const [row] = await service.owner.sql<{ id: string }[]>`
      select id from servers where transport_type = 'stdio'`;
    expect(await importInto(row?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await importInto(`${tenant.serverId.slice(0, -4)}zzzz`)).status).toBe(404);
  });
});

describe('a call', () => {
  test('carries the token byte for byte', async () => {
    const id = await save();
    const tokens = issuer.issue();
    await importInto(id, { tokens });
    const before = server.authorizations.length;
    expect(await callHello(id)).toMatchObject({
      status: 200,
      body: { content: [{ type: 'text', text: 'Hello.' }] },
    });
    const seen = server.authorizations.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([`Bearer ${tokens.access_token}`]));
  });

  test('renews a token that has expired, or that the server refuses', async () => {
    const id = await saveWithTokens();
    expect((await callHello(id)).status).toBe(200);
    await expire(id);
    expect((await callHello(id)).status).toBe(200);
    expect(issuer.tokenRequests).toHaveLength(1);
    issuer.expireAccessTokens();
    await service.owner.sql`
      update oauth_grants set obtained_at = now() - interval '1 minute' where server_id = ${id}`;
    expect((await callHello(id)).status).toBe(200);
    expect(issuer.tokenRequests).toHaveLength(2);
  });

  test('without tokens, or with OAuth turned off again, is OAUTH_REQUIRED', async () => {
    const required = { status: 401, body: { code: 'OAUTH_REQUIRED' } };
    expect(await callHello(await save())).toMatchObject(required);
    const id = await saveWithTokens();
    await send('PATCH', `/${id}`, { useOAuth: false });
    expect(await callHello(id)).toMatchObject(required);
    await send('PATCH', `/${id}`, { useOAuth: true });
    expect((await callHello(id)).status).toBe(200);
  });

  test('among fifty over two processes with an expired token makes one renewal', async () => {
    issuer.behaviour.delayMs = 300;
    const database = openDatabase({ url: service.serviceUrl, vault: service.vault, as: 'service' });
    const other = await service.another({ database });
    try {
      const id = await saveWithTokens();
      await expire(id);
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, at) => callHello(id, at % 2 ? other.baseUrl : undefined)),
      );
      expect(all.map((answer) => answer.status)).toEqual(Array(50).fill(200));
      expect(issuer.tokenRequests).toHaveLength(1);
      expect(issuer.isRevoked).toBe(false);
    } finally {
      await other.stop();
      await database.close();
    }
  });

  test.each(['invalidGrant', 'reuse'])(
    'after the end of the grant (%s) is OAUTH_REQUIRED, and asks no more',
    async (how) => {
      const id = await saveWithTokens();
      await expire(id);
      if (how === 'reuse') {
        await callHello(id);
        const refresh = issuer.tokenRequests[0]?.get('refresh_token') ?? '';
        const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refresh });
        await fetch(`${issuer.url}/token`, { method: 'POST', body: form });
        expect(issuer.isRevoked).toBe(true);
        await expire(id);
      } else issuer.behaviour.token = 'invalidGrant';
      const before = issuer.tokenRequests.length;
      const all = await Promise.all(Array.from({ length: 20 }, () => callHello(id)));
      for (const answer of all) {
        expect(answer).toMatchObject({ status: 401, body: { code: 'OAUTH_REQUIRED' } });
      }
      await callHello(id);
      expect(issuer.tokenRequests.length - before).toBe(1);
      issuer.behaviour.token = 'fine';
      if (how === 'invalidGrant') {
        await importInto(id);
        expect((await callHello(id)).status).toBe(200);
      }
    },
  );

  test('to a server that refuses every token is OAUTH_REQUIRED after one renewal', async () => {
    const id = await saveWithTokens();
    server.refuseEverything = true;
    for (let round = 0; round < 10; round += 1) {
      expect(await callHello(id)).toMatchObject({ status: 401, body: { code: 'OAUTH_REQUIRED' } });
    }
    expect(issuer.tokenRequests).toHaveLength(1);
  });

  test.each(['error500', 'malformed'] as const)(
    'with an issuer in trouble (%s) says so',
    async (mode) => {
      const id = await saveWithTokens();
      await expire(id);
      issuer.behaviour.token = mode;
      const all = await Promise.all(Array.from({ length: 20 }, () => callHello(id)));
      for (const answer of all) {
        expect(answer).toMatchObject({
          status: 502,
          body: { code: 'SERVER_UNREACHABLE', details: { reason: 'TOKEN_NOT_RENEWED' } },
        });
      }
      expect(issuer.tokenRequests).toHaveLength(1);
    },
  );
});

describe('where secrets go', () => {
  test('an issuer that is named later sees none of them', async () => {
    const other = await startOAuthIssuer();
    try {
      const id = await save();
      await importInto(id, { clientInformation: { clientId: 'cid', clientSecret } });
      server.name({ issuer: other.url });
      await expire(id);
      expect((await callHello(id)).status).toBe(200);
      await send('POST', `/${id}/doctor`, {});
      await send('POST', `/${id}/check-oauth`, {});
      expect(other.credentialsSeen).toEqual([]);
      expect(issuer.credentialsSeen.join()).toContain('grant_type=refresh_token');
    } finally {
      await other.stop();
    }
  });

  test.each(['url', 'oauthResourceUrl'])(
    'a changed origin of %s drops the tokens in the same write',
    async (field) => {
      const elsewhere = await startOAuthServer({ issuer });
      try {
        const id = await saveWithTokens();
        expect((await callHello(id)).status).toBe(200);
        await send('PATCH', `/${id}`, { [field]: elsewhere.url });
        expect(await stored(id)).toBe(0);
        expect(await callHello(id)).toMatchObject({
          status: 401,
          body: { code: 'OAUTH_REQUIRED' },
        });
        expect(elsewhere.authorizations.join('')).toBe('');
        await send('PATCH', `/${id}`, { [field]: server.url });
        expect(await callHello(id)).toMatchObject({
          status: 401,
          body: { code: 'OAUTH_REQUIRED' },
        });
        expect(elsewhere.authorizations.length > 0).toBe(field === 'url');
      } finally {
        await elsewhere.stop();
      }
    },
  );

  test('another path or name on the same origin keeps them', async () => {
    const id = await saveWithTokens();
    await send('PATCH', `/${id}`, { name: `Renamed ${id}`, url: `${server.url}?a=b` });
    expect((await callHello(id)).status).toBe(200);
  });

  test('nothing of them is in an answer, in the log or in the database', async () => {
    const id = await save();
    await importInto(id, { clientInformation: { clientId: 'cid', clientSecret } });
    for (const mode of ['error500', 'malformed', 'invalidClient', 'invalidGrant'] as const) {
      issuer.behaviour.token = mode;
      await expire(id);
      await service.owner.sql`update oauth_grants set refresh_again_at = null`;
      await callHello(id);
      await send('POST', `/${id}/doctor`, {});
      await send('POST', `/${id}/validate`, {});
    }
    await importInto(id, { tokens: { access_token: 'canary-access-of-nobody' } });
    await callHello(id);
    const tables = ['oauth_grants', 'servers', 'audit_log'];
    const rows = await Promise.all(
      tables.map(
        (table) => service.owner.sql`select t::text as text from ${service.owner.sql(table)} t`,
      ),
    );
    const places = {
      answers: answers
        .map((answer) => answer.text + JSON.stringify([...answer.headers]))
        .join('\n'),
      log: service.logLines.join('\n'),
      database: rows
        .flat()
        .map((row) => row['text'])
        .join('\n'),
    };
    expect(answers.length).toBeGreaterThan(10);
    expect(places.database.length).toBeGreaterThan(1_000);
    for (const text of Object.values(places)) {
      for (const secret of ['access-', 'refresh-', clientSecret]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  });
});
