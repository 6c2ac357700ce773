import {
  type OidcIssuer,
  type OidcIssuerOptions,
  startOidcIssuer,
} from '@proofmark/harness/oidc-issuer/start-oidc-issuer.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { createOidc, type OidcSettings } from './oidc.ts';
import { OidcRefused } from './oidc-refused.ts';

const redirectUri = 'http://127.0.0.1:4000/auth/oidc/callback';
const clientSecret = 's3cret-of:the client';
const user = { subject: 'user-1', email: 'ada@example.com', emailVerified: true, name: 'Ada' };

let issuer: OidcIssuer | undefined;
afterEach(async () => {
  await issuer?.close();
  issuer = undefined;
});

describe('a good sign-in', () => {
  it.each([
    ['with a client secret', { clientSecret }],
    ['with a public client', {}],
    ['with the person told only by userinfo', { clientSecret, claimsOnlyInUserinfo: true }],
  ])('tells who signed in, %s', async (_, options: Partial<OidcIssuerOptions>) => {
    const { oidc, url } = await start(options);
    const { callbackUrl, transaction } = await signIn(oidc);
    expect(await oidc.finish(callbackUrl, transaction)).toEqual({
      issuer: url,
      subject: 'user-1',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
    });
  });

  it('asks with code, PKCE S256, state and nonce, fresh each time, and the secret stays here', async () => {
    const { oidc } = await start({ clientSecret });
    const first = await oidc.begin();
    const second = await oidc.begin();
    const query = Object.fromEntries(new URL(first.url).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'proofmark',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: first.transaction.state,
      nonce: first.transaction.nonce,
    });
    expect(first.url).not.toContain(first.transaction.codeVerifier);
    expect(first.url).not.toContain('s3cret');
    for (const part of ['state', 'nonce', 'codeVerifier'] as const) {
      expect(first.transaction[part]).not.toBe(second.transaction[part]);
    }
    expect(JSON.parse(JSON.stringify(first.transaction))).toEqual(first.transaction);
  });

  it('says so when the e-mail address is not verified, or the issuer is silent about it', async () => {
    for (const emailVerified of [false, undefined]) {
      const person = { subject: 'user-1', email: 'ada@example.com' };
      const given = emailVerified === undefined ? person : { ...person, emailVerified };
      const { oidc } = await start({ user: given });
      const { callbackUrl, transaction } = await signIn(oidc);
      const identity = await oidc.finish(callbackUrl, transaction);
      expect(identity.emailVerified).toBe(false);
      expect(identity).not.toHaveProperty('name');
      await issuer?.close();
    }
    issuer = undefined;
  });

  it('works when a proxy shows us another origin than the registered one', async () => {
    const { oidc } = await start({ redirectUri });
    const { callbackUrl, transaction } = await signIn(oidc);
    const inner = callbackUrl.replace('http://127.0.0.1:4000', 'http://inner.test:9');
    expect((await oidc.finish(inner, transaction)).subject).toBe('user-1');
  });
});

describe('an answer that cannot be trusted', () => {
  it.each([
    'wrong-nonce',
    'wrong-audience',
    'wrong-issuer',
    'bad-signature',
    'unsigned',
    'expired',
  ] as const)('%s is refused', async (misbehave) => {
    const { oidc } = await start({ clientSecret, misbehave });
    const { callbackUrl, transaction } = await signIn(oidc);
    const refused = await refusalOf(oidc.finish(callbackUrl, transaction));
    expect(refused.reason).toBe('NOT_TRUSTED');
    const code = new URL(callbackUrl).searchParams.get('code') ?? 'missing';
    const shown = JSON.stringify([refused.message, refused.code, refused.stack, refused.cause]);
    for (const secret of [code, 's3cret', transaction.codeVerifier, transaction.nonce, 'eyJ']) {
      expect(shown).not.toContain(secret);
    }
  });

  it('a userinfo answer about somebody else is refused', async () => {
    const { oidc } = await start({
      claimsOnlyInUserinfo: true,
      misbehave: 'wrong-userinfo-subject',
    });
    const { callbackUrl, transaction } = await signIn(oidc);
    expect((await refusalOf(oidc.finish(callbackUrl, transaction))).reason).toBe('NOT_TRUSTED');
  });

  it('state, nonce and verifier of another sign-in are refused', async () => {
    for (const part of ['state', 'nonce', 'codeVerifier'] as const) {
      const { oidc } = await start({});
      const { callbackUrl, transaction } = await signIn(oidc);
      const other = (await oidc.begin()).transaction;
      const mixed = { ...transaction, [part]: other[part] };
      expect([part, (await refusalOf(oidc.finish(callbackUrl, mixed))).reason]).toEqual([
        part,
        'NOT_TRUSTED',
      ]);
      await issuer?.close();
    }
    issuer = undefined;
  });

  it('a code works once', async () => {
    const { oidc } = await start({});
    const { callbackUrl, transaction } = await signIn(oidc);
    await oidc.finish(callbackUrl, transaction);
    expect((await refusalOf(oidc.finish(callbackUrl, transaction))).reason).toBe('NOT_TRUSTED');
  });

  it('a wrong client secret is a matter of the settings', async () => {
    const { oidc } = await start({ clientSecret }, { clientSecret: 'wrong' });
    const { callbackUrl, transaction } = await signIn(oidc);
    expect((await refusalOf(oidc.finish(callbackUrl, transaction))).reason).toBe('SETTINGS');
  });
});

describe('a sign-in that ends elsewhere', () => {
  it('is told as denied when the provider says no', async () => {
    const { oidc } = await start({ misbehave: 'denies' });
    const { callbackUrl, transaction } = await signIn(oidc);
    expect((await refusalOf(oidc.finish(callbackUrl, transaction))).reason).toBe('DENIED');
  });

  it('asks for an e-mail address when there is none', async () => {
    const { oidc } = await start({ user: { subject: 'user-1' } });
    const { callbackUrl, transaction } = await signIn(oidc);
    expect((await refusalOf(oidc.finish(callbackUrl, transaction))).reason).toBe('EMAIL_MISSING');
  });
});

describe('a provider in trouble', () => {
  it.each([
    ['answers 500', async () => new Response('s3cret', { status: 500 })],
    ['answers HTML', async () => new Response('<p>', { headers: { 'content-type': 'text/html' } })],
    ['is not reached', () => Promise.reject(new TypeError('connect ECONNREFUSED 127.0.0.1:1'))],
  ])('that %s at the end of a sign-in is told as unavailable', async (_, trouble) => {
    const { oidc } = await start({}, {}, (input, init) =>
      String(input).endsWith('/token') ? trouble() : fetch(input, init),
    );
    const { callbackUrl, transaction } = await signIn(oidc);
    const refused = await refusalOf(oidc.finish(callbackUrl, transaction));
    expect(refused.reason).toBe('PROVIDER_UNAVAILABLE');
    expect(refused.message).not.toMatch(/127|s3cret/);
  });
});

describe('discovery', () => {
  it('happens at the first sign-in, once, and again after a failure', async () => {
    let isAway = true;
    let calls = 0;
    const { oidc } = await start({}, {}, async (input, init) => {
      calls += 1;
      if (isAway) throw Object.assign(new Error('127.0.0.1'), { reason: 'EGRESS_BLOCKED' });
      return fetch(input, init);
    });
    expect(calls).toBe(0);
    const refused = await refusalOf(oidc.begin());
    expect([refused.reason, refused.code]).toEqual(['PROVIDER_UNAVAILABLE', 'EGRESS_BLOCKED']);
    expect(refused.message).not.toContain('127.0.0.1');
    isAway = false;
    await Promise.all([oidc.begin(), oidc.begin(), oidc.begin()]);
    await oidc.begin();
    expect(calls).toBe(2);
    expect(issuer?.requests).toEqual([
      { method: 'GET', path: '/.well-known/openid-configuration' },
    ]);
  });

  it('refuses metadata that sends the secret to an address without TLS', async () => {
    const { oidc } = await start({ clientSecret, misbehave: 'foreign-token-endpoint' });
    expect((await refusalOf(oidc.begin())).reason).toBe('PROVIDER_UNAVAILABLE');
  });

  it.each([
    ['http://issuer.example.com', true],
    ['http://127.0.0.1:5000', false],
    ['http://127.0.0.1.example.com', true],
    ['ftp://127.0.0.1', true],
    ['issuer', true],
  ])('the issuer %s is refused with allowInsecureIssuer %s', (address, allowInsecureIssuer) => {
    const settings = { issuer: address, clientId: 'proofmark', redirectUri, allowInsecureIssuer };
    expect(() => createOidc(settings, fetch)).toThrow(OidcRefused);
  });
});

async function start(
  options: Partial<OidcIssuerOptions>,
  settings: Partial<OidcSettings> = {},
  fetchThrough: typeof fetch = fetch,
) {
  issuer = await startOidcIssuer({ clientId: 'proofmark', user, ...options });
  const secret = options.clientSecret === undefined ? {} : { clientSecret: options.clientSecret };
  const oidc = createOidc(
    {
      issuer: issuer.url,
      clientId: 'proofmark',
      redirectUri,
      allowInsecureIssuer: true,
      ...secret,
      ...settings,
    },
    fetchThrough,
  );
  return { oidc, url: issuer.url };
}

async function signIn(oidc: ReturnType<typeof createOidc>) {
  const { url, transaction } = await oidc.begin();
  const response = await fetch(url, { redirect: 'manual' });
  const callbackUrl = response.headers.get('location') ?? '';
  expect(callbackUrl).toContain(redirectUri);
  return { callbackUrl, transaction };
}

async function refusalOf(call: Promise<unknown>): Promise<OidcRefused> {
  const outcome = await call.then(
    () => new Error('The call was not refused.'),
    (error: unknown) => error,
  );
  if (outcome instanceof OidcRefused) return outcome;
  throw outcome;
}
