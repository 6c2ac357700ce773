/**
 * Tests invitations: a link for one address, usable once. It never grants more rights than its
 * creator has, and never opens an existing account.
 */
import {
  type ConsolePerson,
  consolePerson,
  newConsolePerson,
} from '@proofmark/harness/console-person.ts';
import { startSmtpServer } from '@proofmark/harness/smtp-server.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer } from '../../../outside/mail/mailer.ts';
import { findOrBindIdentity } from '../../../platform/accounts/store/accounts.ts';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let owner: ConsolePerson;
let invitations: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  invitations = `organizations/${mine.organizationId}/invitations`;
});
afterAll(() => service.stop());

let made = 0;
const newAddress = () => `new-${++made}@elsewhere.example`;
const invite = (by: ConsolePerson, email: string, role = 'member') =>
  by.ask('POST', invitations, { email, role });
const send = (path: string, url: string, headers: Record<string, string> = {}) =>
  call(`${service.baseUrl}/console/v1/session/${path}`, {
    method: 'POST',
    headers: { origin: service.baseUrl, ...headers },
    body: { token: new URLSearchParams(new URL(url).hash.slice(1)).get('token') },
  });
const accept = (url: string, headers: Record<string, string> = {}) =>
  send('invitation', url, headers);
const read = (url: string) => send('invitation/read', url);
const roleOf = async (email: string) => {
  const members = await service.operator.listMembers(mine.organizationId);
  return members.find((member) => member.email === email)?.role;
};

describe('an invitation', () => {
  test('makes the account of a new address, a member, and signs them in', async () => {
    const email = newAddress();
    const invited = await invite(owner, email.toUpperCase(), 'admin');
    expect(invited.body).toMatchObject({ email, role: 'admin', isOpen: true });
    expect(invited.body.url).toMatch(
      new RegExp(`^${service.baseUrl}/invitation#token=[\\w-]{43}$`),
    );
    const list = await owner.ask('GET', invitations);
    expect(list.body.items[0]).toMatchObject({ email, invitedBy: 'owner@mine.example' });
    expect(list.text).not.toContain(invited.body.url.split('token=')[1]);
    const accepted = await accept(invited.body.url);
    expect(accepted.body).toMatchObject({ signedIn: true, account: { email } });
    expect(accepted.headers.get('set-cookie')).toMatch(/^proofmark_session=/);
    expect(await roleOf(email)).toBe('admin');
    expect((await owner.ask('GET', invitations)).body.items).toEqual([]);
    expect((await accept(invited.body.url)).status).toBe(401);
  });

  test('tells who has its link what it is, as long as it would be taken, and is not used up by that', async () => {
    const email = newAddress();
    const invited = (await invite(owner, email, 'admin')).body;
    const response = await read(invited.url);
    const { expiresAt } = invited;
    expect(response.body).toEqual({ organizationName: 'mine', email, role: 'admin', expiresAt });
    expect((await read(invited.url)).status).toBe(200);
    expect((await accept(invited.url)).status).toBe(200);
    const again = (await invite(owner, newAddress())).body;
    await service.owner.sql`update invitations set expires_at = now() where id = ${again.id}`;
    const admin = await newConsolePerson(service, mine.organizationId, 'admin');
    const left = (await invite(admin, newAddress())).body;
    await service.operator.removeMember('mine', admin.email);
    const madeUp = `${service.baseUrl}/invitation#token=${'x'.repeat(43)}`;
    for (const url of [invited.url, again.url, left.url, madeUp]) {
      const [seen, taken] = [await read(url), await accept(url)];
      expect(seen.status).toBe(401);
      expect(seen.text).toBe(taken.text);
    }
  });

  test('accepted by ten at once lets one in', async () => {
    const { body } = await invite(owner, newAddress());
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(body.url)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is no way into an account that is there: its owner signs in, and then is a member', async () => {
    const { body } = await invite(owner, 'owner@theirs.example');
    const refused = { status: 401, body: { details: { reason: 'SIGN_IN_FIRST' } } };
    const stranger = await accept(body.url);
    expect(stranger).toMatchObject(refused);
    expect(stranger.headers.get('set-cookie')).toBeNull();
    expect(await accept(body.url, owner.headers)).toMatchObject(refused);
    const them = await consolePerson(service, { ...theirs, email: 'owner@theirs.example' });
    expect((await accept(body.url, them.headers)).body.account.id).toBe(theirs.accountId);
    expect(await roleOf('owner@theirs.example')).toBe('member');
    await service.operator.removeMember(mine.organizationId, 'owner@theirs.example');
  });

  test('to a new address does not take the place of who is signed in', async () => {
    const email = newAddress();
    const { body } = await invite(owner, email);
    const refused = await accept(body.url, owner.headers);
    expect(refused).toMatchObject({
      status: 401,
      body: { details: { reason: 'SIGN_OUT_FIRST', email } },
    });
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect((await owner.ask('GET', 'session')).body.account.email).toBe('owner@mine.example');
    expect((await accept(body.url)).body).toMatchObject({ signedIn: true, account: { email } });
  });

  test('that was made again, withdrawn, or is too old, is over', async () => {
    const email = newAddress();
    const first = (await invite(owner, email)).body;
    const second = (await invite(owner, email)).body;
    expect((await accept(first.url)).status).toBe(401);
    expect((await owner.ask('DELETE', `${invitations}/${second.id}`)).status).toBe(200);
    expect((await owner.ask('DELETE', `${invitations}/${second.id}`)).status).toBe(404);
    expect((await accept(second.url)).status).toBe(401);
    const old = (await invite(owner, email)).body;
    await service.owner.sql`update invitations set expires_at = now() where id = ${old.id}`;
    expect((await accept(old.url)).status).toBe(401);
    expect((await owner.ask('GET', invitations)).body.items[0]).toMatchObject({ isOpen: false });
  });

  test.each(['removed', 'demoted', 'disabled'])(
    'is worth nothing once its maker is %s',
    async (how) => {
      const admin = await newConsolePerson(service, mine.organizationId, 'admin');
      const { body } = await invite(admin, newAddress());
      if (how === 'removed') await service.operator.removeMember('mine', admin.email);
      if (how === 'demoted') await service.operator.setRole('mine', admin.email, 'member');
      if (how === 'disabled') await service.operator.disableAccount(admin.email);
      expect((await accept(body.url)).status).toBe(401);
      expect(await roleOf(body.email)).toBeUndefined();
    },
  );

  test('ends for somebody who was a member and is removed', async () => {
    const member = await newConsolePerson(service, mine.organizationId, 'member');
    await service.operator.removeMember('mine', member.email);
    const { body } = await invite(owner, member.email);
    await service.operator.addMember('mine', member.email, 'member');
    await service.operator.removeMember('mine', member.email);
    const again = await consolePerson(service, member);
    expect((await accept(body.url, again.headers)).status).toBe(401);
  });

  test('is made by owners and admins, for roles up to their own, and not for members', async () => {
    const admin = await newConsolePerson(service, mine.organizationId, 'admin');
    const member = await newConsolePerson(service, mine.organizationId, 'member');
    expect((await invite(admin, newAddress(), 'owner')).status).toBe(403);
    expect((await invite(member, newAddress())).status).toBe(403);
    expect(await invite(owner, member.email)).toMatchObject({
      status: 409,
      body: { details: { reason: 'ALREADY_A_MEMBER' } },
    });
    expect((await invite(owner, 'not an address')).status).toBe(400);
    const foreign = `organizations/${theirs.organizationId}/invitations`;
    expect((await owner.ask('POST', foreign, { email: newAddress() })).status).toBe(404);
  });

  test('to a role above their own is neither withdrawn nor replaced by an admin, while it stands', async () => {
    const admin = await newConsolePerson(service, mine.organizationId, 'admin');
    const email = newAddress();
    const { url } = await service.operator.invite('mine', email, 'owner');
    const { id } = (await owner.ask('GET', invitations)).body.items[0];
    expect((await admin.ask('DELETE', `${invitations}/${id}`)).status).toBe(403);
    expect((await invite(admin, email)).status).toBe(403);
    await service.owner.sql`update invitations set expires_at = now() where id = ${id}`;
    expect((await accept(url)).status).toBe(401);
    expect((await invite(admin, email)).status).toBe(201);
    const again = await invite(owner, email, 'owner');
    expect((await owner.ask('DELETE', `${invitations}/${again.body.id}`)).status).toBe(200);
  });

  test('of the operator stands by itself', async () => {
    const email = newAddress();
    const { url } = await service.operator.invite('mine', email, 'owner');
    expect((await accept(url)).status).toBe(200);
    expect(await roleOf(email)).toBe('owner');
    await service.operator.removeMember('mine', email);
  });
});

test('who set up an account by an invitation loses it to who shows the address', async () => {
  const email = newAddress();
  const { body } = await invite(owner, email);
  const accepted = await accept(body.url);
  const cookie = (accepted.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const session = { cookie, origin: service.baseUrl, 'x-csrf-token': accepted.body.csrfToken };
  const password = 'correct horse battery';
  await call(`${service.baseUrl}/console/v1/password`, {
    method: 'PUT',
    headers: session,
    body: { newPassword: password },
  });
  const { key } = await service.operator.createKey(email, mine.organizationId, 'early');
  const identity = { issuer: 'https://issuer.example', subject: '1', verifiedEmail: email };
  const bound = await findOrBindIdentity(service.database, identity);
  expect(bound?.accountId).toBe(accepted.body.account.id);
  const signIn = await call(`${service.baseUrl}/console/v1/session`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: { email, password },
  });
  expect(signIn.status).toBe(401);
  expect((await call(`${service.baseUrl}/api/v1/me`, { headers: session })).status).toBe(401);
  expect((await call(`${service.baseUrl}/api/v1/me`, { key })).status).toBe(401);
});

describe('mail', () => {
  test('is sent where the operator set it up, with the link of the answer', async () => {
    const smtp = await startSmtpServer('takes');
    const mailer = createMailer({ url: smtp.url, from: 'p@mine.example', warn: () => undefined });
    const mailing = await service.another({ mailer });
    const at = await consolePerson(
      { ...service, ...mailing },
      { ...mine, email: 'owner@mine.example' },
    );
    const email = newAddress();
    const invited = await at.ask('POST', invitations, { email, role: 'member' });
    mailer.close();
    await Promise.all([smtp.stop(), mailing.stop()]);
    expect(invited.body).toMatchObject({ email, mailed: true });
    const token = new URL(invited.body.url).hash.slice('#token='.length);
    expect(smtp.mails.map(({ to }) => to)).toEqual([`RCPT TO:<${email}>`]);
    expect(smtp.mails[0]?.content.replaceAll('=\n', '')).toContain(token);
  });

  test('is nothing an invitation waits for where it is not', async () => {
    expect((await invite(owner, newAddress())).body).toMatchObject({ mailed: false });
  });
});
