import { signInRateLimits } from '@proofmark/domain';
import {
  call,
  createSignInLink,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPassword } from '../accounts/passwords.ts';
import { parseTrustedProxy } from './client-address.ts';

let service: TestService;
let tenant: Tenant;
let session: string;
let password: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  session = `${service.baseUrl}/console/v1/session`;
  password = `${service.baseUrl}/console/v1/password`;
});
afterAll(() => service.stop());

const own = () => ({ origin: service.baseUrl });
const redeem = (token: string) =>
  call(`${session}/link`, { method: 'POST', headers: own(), body: { token } });
const signIn = (email: string, secret: string) =>
  call(session, { method: 'POST', headers: own(), body: { email, password: secret } });

async function newPerson(name: string): Promise<{ accountId: string; email: string }> {
  const email = `${name}@people.example`;
  const { accountId } = await service.operator.addMember(tenant.organizationId, email, 'member');
  return { accountId, email };
}

describe('a sign-in link', () => {
  test('works once, sets a cookie no script can read, and then the session is there', async () => {
    const { token } = await createSignInLink(service.database, tenant.accountId);
    const answer = await redeem(token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      signedIn: true,
      hasPassword: false,
      account: { id: tenant.accountId },
    });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^proofmark_session=[\w-]{43};/);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    const again = await call(session, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(again.body.signedIn).toBe(true);
    expect(await redeem(token)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  test('redeemed by ten at once lets one in', async () => {
    const { token } = await createSignInLink(service.database, tenant.accountId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  test('expires', async () => {
    const { token } = await createSignInLink(service.database, tenant.accountId);
    await service.owner.sql`update sign_in_links set expires_at = now() - interval '1 second'`;
    expect((await redeem(token)).status).toBe(401);
  });

  test('an unknown one and a malformed one are refused alike', async () => {
    const unknown = await redeem('A'.repeat(43));
    expect(unknown.status).toBe(401);
    expect((await redeem('x')).text).toBe(unknown.text);
  });
});

describe('a password', () => {
  test('is set once signed in, signs in, and ends the other sessions when it changes', async () => {
    const { accountId, email } = await newPerson('ann');
    const here = await signInAs(service, accountId);
    const elsewhere = await signInAs(service, accountId);
    const first = await call(password, {
      method: 'PUT',
      headers: here,
      body: { newPassword: 'correct horse battery' },
    });
    expect(first).toMatchObject({ status: 200, body: { hasPassword: true } });
    expect((await call(session, { headers: elsewhere })).body.signedIn).toBe(false);
    expect((await signIn(email.toUpperCase(), 'correct horse battery')).status).toBe(200);
    const wrong = { currentPassword: 'not this', newPassword: 'another long one' };
    expect(await call(password, { method: 'PUT', headers: here, body: wrong })).toMatchObject({
      status: 400,
      body: { details: { path: 'body.currentPassword' } },
    });
    const right = { currentPassword: 'correct horse battery', newPassword: 'another long one' };
    expect((await call(password, { method: 'PUT', headers: here, body: right })).status).toBe(200);
    expect((await signIn(email, 'correct horse battery')).status).toBe(401);
  });

  test('a wrong address and a wrong password get one and the same answer', async () => {
    const { accountId, email } = await newPerson('bob');
    const headers = await signInAs(service, accountId);
    await call(password, {
      method: 'PUT',
      headers,
      body: { newPassword: 'correct horse battery' },
    });
    const wrongPassword = await signIn(email, 'wrong horse battery');
    const wrongAddress = await signIn('nobody@people.example', 'wrong horse battery');
    const noPassword = await signIn('owner@acme.example', 'wrong horse battery');
    expect(wrongPassword.status).toBe(401);
    expect(new Set([wrongPassword.text, wrongAddress.text, noPassword.text]).size).toBe(1);
  });

  test('that is too short is refused with its path', async () => {
    const { accountId } = await newPerson('cyd');
    const headers = await signInAs(service, accountId);
    const answer = await call(password, { method: 'PUT', headers, body: { newPassword: 'short' } });
    expect(answer).toMatchObject({ status: 400, body: { details: { path: 'body.newPassword' } } });
  });

  test('guessing is slowed down for that address alone', async () => {
    const answers = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      answers.push(await signIn('target@people.example', `guess ${attempt}`));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await signIn('other@people.example', 'guess')).status).toBe(401);
  });

  test.each([true, false])(
    'a stranger’s guesses do not lock the owner out elsewhere (%s)',
    async (isShared) => {
      const account = `target-${isShared}@people.example`;
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          checkPassword(service.database, account, 'guess', { address: 'stranger', isShared }),
        ),
      );
      expect(answers).toContainEqual(expect.objectContaining({ refused: 'tooManyTries' }));
      expect(
        await checkPassword(service.database, account, 'guess', { address: 'owner', isShared }),
      ).toEqual({
        refused: 'wrong',
      });
    },
  );

  test('guessing the current password of a session is slowed down too', async () => {
    const { accountId } = await newPerson('eve');
    const headers = await signInAs(service, accountId);
    await call(password, {
      method: 'PUT',
      headers,
      body: { newPassword: 'correct horse battery' },
    });
    const statuses = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const body = { currentPassword: `guess ${attempt}`, newPassword: 'another long one' };
      statuses.push((await call(password, { method: 'PUT', headers, body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('tries from one address', () => {
  const secret = 'correct horse battery';
  const more = signInRateLimits.visitor.burst + 5;

  async function personWithPassword(name: string): Promise<string> {
    const { accountId, email } = await newPerson(name);
    const headers = await signInAs(service, accountId);
    await call(password, { method: 'PUT', headers, body: { newPassword: secret } });
    return email;
  }

  async function enter(baseUrl: string, email: string, given: string, forwarded: string) {
    const headers = { origin: baseUrl, 'x-forwarded-for': forwarded };
    const body = { email, password: given };
    const answer = await call(`${baseUrl}/console/v1/session`, { method: 'POST', headers, body });
    return answer.status;
  }

  async function guess(baseUrl: string, times: number, forwarded: (at: number) => string) {
    const email = `guessed-${times}-${forwarded(0)}@people.example`;
    const statuses = [];
    for (let at = 0; at < times; at += 1)
      statuses.push(await enter(baseUrl, email, 'guess', forwarded(at)));
    return statuses;
  }

  test('that may be a proxy: one person’s wrong ones do not stop another', async () => {
    const email = await personWithPassword('fay');
    const statuses = await guess(service.baseUrl, more, () => '198.51.100.7');
    expect(statuses.at(-1)).toBe(429);
    expect(await enter(service.baseUrl, email, secret, '198.51.100.7')).toBe(200);
  });

  test('that may be a proxy: whom it says it speaks for does not count', async () => {
    const statuses = await guess(service.baseUrl, 12, (at) => `198.51.100.${at}`);
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  test('behind a trusted proxy are limited for each person alone', async () => {
    const email = await personWithPassword('gil');
    const trustedProxies = [parseTrustedProxy('127.0.0.1')];
    const proxied = await service.another({ trustedProxies });
    try {
      await guess(proxied.baseUrl, more, () => '198.51.100.7');
      expect(await enter(proxied.baseUrl, email, secret, '198.51.100.7')).toBe(429);
      // The limit may already allow another attempt or two, so these guesses use them up.
      await guess(proxied.baseUrl, 2, () => '198.51.100.7');
      expect(await enter(proxied.baseUrl, email, secret, '198.51.100.8, 198.51.100.7')).toBe(429);
      expect(await enter(proxied.baseUrl, email, secret, '198.51.100.8')).toBe(200);
      const [session] = await service.owner.sql`
        select address from sessions order by created_at desc limit 1`;
      expect(session).toEqual({ address: '198.51.100.8' });
    } finally {
      await proxied.stop();
    }
  });
});

describe('a session', () => {
  test('reads the public API as its account, in all its organizations', async () => {
    const { accountId } = await newPerson('dan');
    await service.operator.bootstrap({ email: 'dan@people.example', organization: 'Second' });
    const headers = await signInAs(service, accountId);
    const me = await call(`${service.baseUrl}/api/v1/me`, { headers });
    expect(me.body.id).toBe(accountId);
    const organizations = await call(`${service.baseUrl}/api/v1/organizations`, { headers });
    expect(organizations.body.items.map((item: { name: string }) => item.name).sort()).toEqual([
      'Second',
      'acme',
    ]);
  });

  test('ends at once when signed out, and when it expires', async () => {
    const headers = await signInAs(service, tenant.accountId);
    expect((await call(session, { method: 'DELETE', headers })).status).toBe(200);
    expect((await call(`${service.baseUrl}/api/v1/me`, { headers })).status).toBe(401);
    const other = await signInAs(service, tenant.accountId);
    await service.owner.sql`update sessions set expires_at = now() - interval '1 second'`;
    expect((await call(`${service.baseUrl}/api/v1/me`, { headers: other })).status).toBe(401);
  });

  test('a write on the public API needs the origin and the token as well', async () => {
    const headers = await signInAs(service, tenant.accountId);
    const projects = `${service.baseUrl}/api/v1/projects`;
    const { 'x-csrf-token': _token, ...withoutToken } = headers;
    expect(
      (await call(projects, { method: 'POST', headers: withoutToken, body: { name: 'A' } })).status,
    ).toBe(403);
    const elsewhere = { ...headers, origin: 'http://evil.example' };
    expect(
      (await call(projects, { method: 'POST', headers: elsewhere, body: { name: 'A' } })).status,
    ).toBe(403);
    expect((await call(projects, { method: 'POST', headers, body: { name: 'A' } })).status).toBe(
      201,
    );
  });

  test('the token of one session is none for another', async () => {
    const one = await signInAs(service, tenant.accountId);
    const other = await signInAs(service, tenant.accountId);
    const mixed = { ...one, 'x-csrf-token': other['x-csrf-token'] as string };
    const answer = await call(`${service.baseUrl}/console/v1/api-keys`, {
      method: 'POST',
      headers: mixed,
      body: { name: 'k', organizationId: tenant.organizationId },
    });
    expect(answer.status).toBe(403);
  });
});
