/**
 * Tests that credentials which an admin planted in another person's account give no access outside
 * that admin's organizations.
 */
import {
  type ConsolePerson,
  consolePerson,
  newConsolePerson,
} from '@proofmark/harness/console-person.ts';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrBindIdentity } from '../../../platform/accounts/store/accounts.ts';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let admin: ConsolePerson;
let theirOwner: ConsolePerson;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  admin = await newConsolePerson(service, mine.organizationId, 'admin');
  theirOwner = await consolePerson(service, { ...theirs, email: 'owner@theirs.example' });
});
afterAll(() => service.stop());

const password = 'correct horse battery';
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(`${service.baseUrl}/console/v1/${path}`, {
    method: 'POST',
    headers: { origin: service.baseUrl, ...headers },
    body,
  });
const tokenOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('token');
const redeem = (url: string) => post('session/link', { token: tokenOf(url) });
const accept = (url: string, headers?: Record<string, string>) =>
  post('session/invitation', { token: tokenOf(url) }, headers);
const member = () => newConsolePerson(service, mine.organizationId, 'member');
const memberPath = ({ accountId }: { accountId: string }) =>
  `organizations/${mine.organizationId}/members/${accountId}`;
const me = (caller: { key?: string; headers?: Record<string, string> }) =>
  call(`${service.baseUrl}/api/v1/me`, caller);

interface Planted {
  readonly email: string;
  readonly accountId: string;
  readonly session: Record<string, string>;
  readonly key: string;
  readonly keyId: string;
}

async function plant({ body, headers }: TestAnswer): Promise<Planted> {
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] as string;
  const session = { cookie, origin: service.baseUrl, 'x-csrf-token': body.csrfToken };
  await call(`${service.baseUrl}/console/v1/password`, {
    method: 'PUT',
    headers: session,
    body: { newPassword: password },
  });
  const wanted = { name: 'planted', organizationId: mine.organizationId };
  const made = await post('api-keys', wanted, session);
  const { email, id: accountId } = body.account;
  return { email, accountId, session, key: made.body.key, keyId: made.body.id };
}

async function plantByReset(person: ConsolePerson): Promise<Planted> {
  const reset = await admin.ask('POST', `${memberPath(person)}/password-reset`);
  return plant(await redeem(reset.body.url));
}

let squatted = 0;
async function plantByInvitation(): Promise<Planted> {
  squatted += 1;
  const body = { email: `ceo-${squatted}@corp.example`, role: 'member' };
  const path = `organizations/${mine.organizationId}/invitations`;
  return plant(await accept((await admin.ask('POST', path, body)).body.url));
}

async function whatWorks({ email, session, key }: Planted): Promise<string[]> {
  const answers = {
    password: await post('session', { email, password }),
    session: await me({ headers: session }),
    key: await me({ key }),
  };
  return Object.entries(answers).flatMap(([name, { status }]) => (status === 200 ? [name] : []));
}

async function joinTheirs(person: ConsolePerson) {
  const path = `organizations/${theirs.organizationId}/invitations`;
  const invited = await theirOwner.ask('POST', path, { email: person.email, role: 'member' });
  return accept(invited.body.url, person.headers);
}

describe('who had a password reset by an admin', () => {
  test('and joins another organization, comes with the session that accepts alone', async () => {
    const person = await member();
    const planted = await plantByReset(person);
    expect(await whatWorks(planted)).toEqual(['password', 'session', 'key']);
    const own = await consolePerson(service, person);
    const joined = await joinTheirs(own);
    expect(joined).toMatchObject({ status: 200, body: { hasPassword: false } });
    // The key still works, but only in the organization in which it was created.
    expect(await whatWorks(planted)).toEqual(['key']);
    expect((await me(own)).status).toBe(200);
  });

  test('and was removed before, neither', async () => {
    const person = await member();
    const planted = await plantByReset(person);
    await admin.ask('DELETE', memberPath(person));
    await joinTheirs(await consolePerson(service, person));
    expect(await whatWorks(planted)).toEqual([]);
  });

  test('has no link left in the hands of the admin', async () => {
    const person = await member();
    const reset = await admin.ask('POST', `${memberPath(person)}/password-reset`);
    await joinTheirs(await consolePerson(service, person));
    expect((await redeem(reset.body.url)).status).toBe(401);
  });

  test('at the moment of joining, is found out', async () => {
    const person = await member();
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from accounts where id = ${person.accountId} for update`;
      const joining = joinTheirs(person);
      await untilWaiting(sql, 1);
      await sql`
        update accounts set address_proven = false, password_hash = 'planted'
        where id = ${person.accountId}`;
      return { going: joining };
    });
    expect((await going).body).toMatchObject({ signedIn: true, hasPassword: false });
  });

  test('and rises in the organization, begins anew; who sinks or stays does not', async () => {
    const person = await member();
    const planted = await plantByReset(person);
    const owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
    await owner.ask('PATCH', memberPath(person), { role: 'member' });
    expect(await whatWorks(planted)).toEqual(['password', 'session', 'key']);
    await owner.ask('PATCH', memberPath(person), { role: 'owner' });
    expect(await whatWorks(planted)).toEqual([]);
    const again = await plant(await redeem((await resetBy(owner, person)).body.url));
    await owner.ask('PATCH', memberPath(person), { role: 'member' });
    expect(await whatWorks(again)).toEqual(['password', 'session', 'key']);
  });

  test('and comes by the identity the account is bound to, begins anew', async () => {
    const person = await member();
    const subject = person.email;
    const identity = { issuer: 'https://issuer.example', subject, verifiedEmail: person.email };
    await findOrBindIdentity(service.database, identity);
    const planted = await plantByReset(person);
    const unverified = { ...identity, verifiedEmail: undefined };
    expect(await findOrBindIdentity(service.database, unverified)).toEqual({
      accountId: person.accountId,
    });
    expect(await whatWorks(planted)).toEqual([]);
  });
});

const resetBy = (by: ConsolePerson, person: ConsolePerson) =>
  by.ask('POST', `${memberPath(person)}/password-reset`);

test('who set their own password keeps all when they join another organization and rise', async () => {
  const person = await member();
  const { url } = await service.operator.createSignInLink(person.email);
  const own = await plant(await redeem(url));
  await joinTheirs({ ...person, headers: own.session });
  await service.operator.setRole('mine', person.email, 'admin');
  expect(await whatWorks(own)).toEqual(['password', 'session', 'key']);
});

test('an admin who resets their own password stays proven', async () => {
  const person = await newConsolePerson(service, mine.organizationId, 'admin');
  const own = await plant(await redeem((await resetBy(person, person)).body.url));
  await service.operator.setRole('mine', person.email, 'owner');
  expect(await whatWorks(own)).toEqual(['password', 'session', 'key']);
  await service.operator.removeMember('mine', person.email);
});

describe('who set up an account by an invitation loses it when the operator', () => {
  test.each<[string, (email: string) => Promise<unknown>]>([
    ['adds it elsewhere', (email) => service.operator.addMember('theirs', email, 'member')],
    [
      'makes an organization for it',
      (email) => service.operator.bootstrap({ email, organization: `of ${email}` }),
    ],
    ['makes a link', (email) => service.operator.createSignInLink(email)],
    ['resets the password', (email) => service.operator.resetPassword(email)],
    ['gives a higher role', (email) => service.operator.setRole('mine', email, 'admin')],
  ])('%s', async (_what, act) => {
    const planted = await plantByInvitation();
    expect(await whatWorks(planted)).toEqual(['password', 'session', 'key']);
    await act(planted.email);
    expect(await whatWorks(planted)).toEqual([]);
    const [account] = await service.owner.sql<{ addressProven: boolean }[]>`
      select address_proven from accounts where id = ${planted.accountId}`;
    expect(account?.addressProven).toBe(true);
  });
});

test.each<[string, (planted: Planted) => Promise<unknown>]>([
  ['operator', ({ email }) => service.operator.createSignInLink(email)],
  [
    'session',
    ({ email }) =>
      findOrBindIdentity(service.database, {
        issuer: 'https://issuer.example',
        subject: email,
        verifiedEmail: email,
      }),
  ],
])('what ended is in the audit log, each key by itself: %s', async (callerKind, prove) => {
  const planted = await plantByInvitation();
  await prove(planted);
  const lines = await service.operator.readAuditLog({ organization: 'mine', limit: 10 });
  expect(lines).toContainEqual(
    expect.objectContaining({ action: 'apiKey.revoked', subjectId: planted.keyId, callerKind }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      action: 'account.credentialsEnded',
      subjectId: planted.accountId,
      callerKind,
    }),
  );
});
