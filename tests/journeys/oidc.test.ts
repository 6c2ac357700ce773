import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import {
  type OidcIssuer,
  startOidcIssuer,
} from '@proofmark/harness/oidc-issuer/start-oidc-issuer.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/platform/embedded/free-port.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const clientSecret = 'oidc-secret-canary-91';
const user: { subject: string; email?: string; emailVerified?: boolean } = { subject: '' };
let issuer: OidcIssuer;
let service: StartedProofmark;

beforeAll(async () => {
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/console/oidc/callback`;
  issuer = await startOidcIssuer({ clientId: 'proofmark', clientSecret, redirectUri, user });
  service = await workspace.serve(['--port', String(port)], {
    PROOFMARK_OIDC_ISSUER: issuer.url,
    PROOFMARK_OIDC_CLIENT_ID: 'proofmark',
    PROOFMARK_OIDC_CLIENT_SECRET: clientSecret,
  });
  await workspace.admin(...['bootstrap', '--email', 'ada@acme.example', '--organization', 'Acme']);
});
afterAll(async () => {
  await workspace.remove();
  await issuer.close();
});
beforeEach(() => {
  Object.assign(user, { subject: 'ada', email: 'Ada@acme.example', emailVerified: true });
});

/**
 * Follows the redirects to the provider and back, as a browser does. `alter` may change the address
 * of the way back.
 */
async function goThrough(alter: (back: URL) => void = () => undefined, keepCookie = true) {
  const start = await call(`${service.url}/console/oidc/start`);
  expect(start.status).toBe(302);
  const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const there = await call(start.headers.get('location') as string);
  expect(there.status, there.text).toBe(302);
  const back = new URL(there.headers.get('location') as string);
  alter(back);
  const entered = await call(back.href, { headers: keepCookie ? { cookie } : {} });
  const session = entered.headers
    .getSetCookie()
    .find((line) => line.startsWith('proofmark_session='));
  return { back, cookie, entered, session: session?.split(';')[0] };
}

function expectSentBack({ entered, session }: Awaited<ReturnType<typeof goThrough>>): void {
  expect(entered.status).toBe(302);
  expect(entered.headers.get('location')).toMatch(/^\/sign-in\?error=\w/);
  expect(session).toBeUndefined();
}

test('the session says that there is a provider', async () => {
  const answer = await call(`${service.url}/console/v1/session`);
  expect(answer.body).toEqual({ signedIn: false, methods: { password: true, oidc: true } });
});

test('an identity with no account is sent back', async () => {
  Object.assign(user, { subject: 'eve', email: 'eve@elsewhere.example' });
  expectSentBack(await goThrough());
});

test('an address the provider has not verified is sent back, though there is such an account', async () => {
  Object.assign(user, { subject: 'mallory', emailVerified: false });
  expectSentBack(await goThrough());
});

test('a person with an account gets a session, and the way back works once', async () => {
  const { entered, session, back, cookie } = await goThrough();
  expect(entered.headers.get('location')).toBe('/');
  const answer = await call(`${service.url}/console/v1/session`, {
    headers: { cookie: session ?? '' },
  });
  expect(answer.body).toMatchObject({ signedIn: true, account: { email: 'ada@acme.example' } });
  const again = await call(back.href, { headers: { cookie } });
  expect(again.headers.get('location')).toMatch(/^\/sign-in\?error=/);
});

test('the identity stays bound when its address changes, and another cannot take the account by subject', async () => {
  Object.assign(user, { email: 'ada@new.example' });
  expect((await goThrough()).session).toBeDefined();
});

test.each([
  ['an altered state', (back: URL) => back.searchParams.set('state', 'other'), true],
  ['no state', (back: URL) => back.searchParams.delete('state'), true],
  ['a made-up code', (back: URL) => back.searchParams.set('code', 'other'), true],
  [
    'an error of the provider',
    (back: URL) => back.searchParams.set('error', 'access_denied'),
    true,
  ],
  ['another browser', () => undefined, false],
] as const)('%s is sent back', async (_, alter, keepCookie) => {
  expectSentBack(await goThrough(alter, keepCookie));
});

test('a cookie somebody made up is sent back', async () => {
  const answer = await call(`${service.url}/console/oidc/callback?code=1&state=1`, {
    headers: { cookie: 'proofmark_oidc=AAAA' },
  });
  expect(answer.headers.get('location')).toMatch(/^\/sign-in\?error=/);
});

test('the secret, the codes and the cookies are in no log line', async () => {
  const { back, cookie, session } = await goThrough();
  await service.stop();
  const words = service.stdout() + service.stderr();
  expect(words).toContain('oidcCallback');
  const code = back.searchParams.get('code') as string;
  for (const secret of [clientSecret, code, cookie.split('=')[1], session?.split('=')[1]])
    expect(words).not.toContain(secret);
});
