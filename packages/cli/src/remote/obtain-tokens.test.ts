import {
  type AuthorizingBehaviour,
  type AuthorizingIssuer,
  startAuthorizingIssuer,
} from '@proofmark/harness/mcp-servers/authorizing-issuer.ts';
import { type OAuthServer, startOAuthServer } from '@proofmark/harness/mcp-servers/oauth-server.ts';
import { afterEach, expect, test } from 'vitest';
import { type OAuthLogin, obtainTokens } from './obtain-tokens.ts';

let issuer: AuthorizingIssuer;
let server: OAuthServer;
afterEach(async () => {
  await server.stop();
  await issuer.stop();
});

async function login(behaviour: AuthorizingBehaviour = {}, given: Partial<OAuthLogin> = {}) {
  issuer = await startAuthorizingIssuer(behaviour);
  server = await startOAuthServer({ issuer });
  const pages: Promise<string>[] = [];
  const tokens = obtainTokens({
    serverUrl: server.url,
    scopes: ['read', 'write'],
    client: undefined,
    port: 0,
    // Requests the page as the user's browser would.
    show: (address) => pages.push(fetch(address).then((page) => page.text())),
    signal: AbortSignal.timeout(20_000),
    ...given,
  });
  return { ...(await tokens), page: await pages[0] };
}

test('tokens come by a registered client, with PKCE, to a port of loopback', async () => {
  const { tokens, client, page } = await login();
  expect(issuer.accepts(tokens.access_token)).toBe(true);
  expect(tokens.refresh_token).toMatch(/^refresh-/);
  expect(page).toMatch(/^You are logged in\./);
  const asked = Object.fromEntries(issuer.authorizations[0] ?? []);
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    client_id: client.clientId,
    scope: 'read write',
    resource: server.url,
    state: expect.stringMatching(/^[\w-]{32}$/),
  });
  expect(issuer.registrations).toMatchObject([
    { redirect_uris: [asked['redirect_uri']], token_endpoint_auth_method: 'none' },
  ]);
  expect(asked['redirect_uri']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  // The login closes its loopback port when it ends.
  await expect(fetch(asked['redirect_uri'] ?? '')).rejects.toThrow();
});

test('a client that is registered already is used', async () => {
  const { client } = await login({ registers: false }, { client: { clientId: 'mine' } });
  expect(client).toEqual({ clientId: 'mine' });
  expect(issuer.authorizations[0]?.get('client_id')).toBe('mine');
});

test('where clients cannot register themselves, one is asked for', async () => {
  await expect(login({ registers: false })).rejects.toThrow('--client-id');
});

test('an answer with another state is turned away, and no code of it is redeemed', async () => {
  const pages: Promise<number>[] = [];
  const stopped = new AbortController();
  const outcome = login(
    { bringBack: (answer) => answer.set('state', 'of-somebody-else') },
    {
      show: (address) =>
        pages.push(
          fetch(address).then(({ status }) => {
            stopped.abort();
            return status;
          }),
        ),
      signal: stopped.signal,
    },
  );
  await expect(outcome).rejects.toThrow(
    'The login was not completed in time; run the command again.',
  );
  expect(await pages[0]).toBe(400);
  expect(issuer.tokenRequests).toEqual([]);
});

test('a refusal is told without what could steer a terminal', async () => {
  const bringBack = (answer: URLSearchParams) => {
    answer.delete('code');
    answer.set('error', 'access_denied\u001b[31m');
  };
  await expect(login({ bringBack })).rejects.toThrow(
    'The issuer rejected the login: access_denied\ufffd[31m.',
  );
});

test('what an issuer quotes of a code it refuses is not told', async () => {
  const client = { clientId: 'mine', clientSecret: 's3cret' };
  await expect(login({ refusesCodes: true }, { client })).rejects.toThrow(
    /^The issuer gave no tokens for the login: invalid_grant\.$/,
  );
});

test('metadata that speaks of another server is not followed', async () => {
  issuer = await startAuthorizingIssuer();
  server = await startOAuthServer({ issuer });
  server.name({ resource: 'https://other.example/mcp' });
  const asked = { serverUrl: server.url, scopes: [], client: undefined, port: 0 };
  const show = () => expect.unreachable();
  const signal = AbortSignal.timeout(20_000);
  await expect(obtainTokens({ ...asked, show, signal })).rejects.toThrow('another resource');
  expect(issuer.registrations).toEqual([]);
});
