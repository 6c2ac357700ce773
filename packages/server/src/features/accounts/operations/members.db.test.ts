/**
 * Tests members of an organization: who may change them, and that their rights end at once in every
 * process when the membership ends.
 */
import {
  type ConsolePerson,
  consolePerson,
  newConsolePerson,
} from '@proofmark/harness/console-person.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let owner: ConsolePerson;
let members: string;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  members = `organizations/${mine.organizationId}/members`;
});
afterAll(() => service.stop());

const person = (role: 'owner' | 'admin' | 'member') =>
  newConsolePerson(service, mine.organizationId, role);
const refusal = (status: number, reason?: string) => ({
  status,
  ...(reason !== undefined && { body: { details: { reason } } }),
});
const rolesNow = () =>
  service.owner.sql<{ accountId: string; role: string }[]>`
    select account_id, role from memberships where organization_id = ${mine.organizationId}`;

describe('the list', () => {
  test('tells owners and admins who is there, with their sessions, keys and tiers', async () => {
    const [admin, member] = [await person('admin'), await person('member')];
    await service.operator.createKey(member.email, mine.organizationId, 'one');
    await service.operator.setTier(mine.organizationId, 'Default', member.email, 'manage');
    const { body } = await admin.ask('GET', members);
    expect(body.items).toContainEqual({
      accountId: member.accountId,
      email: member.email,
      name: member.email.split('@')[0],
      role: 'member',
      isMe: false,
      joinedAt: expect.any(Number),
      disabledAt: null,
      openSessions: 1,
      activeKeys: 1,
      tiers: [{ projectId: mine.projectId, projectName: 'Default', tier: 'manage' }],
    });
    expect(body.items).toContainEqual(
      expect.objectContaining({ accountId: admin.accountId, isMe: true }),
    );
    expect(JSON.stringify(body)).not.toContain(theirs.accountId);
    const first = await admin.ask('GET', `${members}?limit=1`);
    const second = await admin.ask('GET', `${members}?limit=1&cursor=${first.body.nextCursor}`);
    expect([...first.body.items, ...second.body.items]).toEqual(body.items.slice(0, 2));
  });

  test('is not for members, and another organization is not found', async () => {
    const member = await person('member');
    expect(await member.ask('GET', members)).toMatchObject(refusal(403));
    const foreign = await owner.ask('GET', `organizations/${theirs.organizationId}/members`);
    const unknown = await owner.ask('GET', 'organizations/org_none/members');
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });
});

describe('a role', () => {
  test('is changed, and never above one’s own', async () => {
    const [admin, member] = [await person('admin'), await person('member')];
    const at = `${members}/${member.accountId}`;
    expect(await admin.ask('PATCH', at, { role: 'admin' })).toMatchObject({
      status: 200,
      body: { role: 'admin' },
    });
    expect(await admin.ask('PATCH', at, { role: 'owner' })).toMatchObject(refusal(403));
    expect(
      await admin.ask('PATCH', `${members}/${mine.accountId}`, { role: 'member' }),
    ).toMatchObject(refusal(403));
    expect((await owner.ask('PATCH', at, { role: 'member' })).status).toBe(200);
    expect(await member.ask('PATCH', at, { role: 'admin' })).toMatchObject(refusal(403));
    const stranger = `${members}/${theirs.accountId}`;
    expect(await owner.ask('PATCH', stranger, { role: 'member' })).toMatchObject(refusal(404));
  });

  test('of the last owner stays, also where another owner is disabled', async () => {
    const self = `${members}/${mine.accountId}`;
    expect(await owner.ask('PATCH', self, { role: 'admin' })).toMatchObject(
      refusal(409, 'LAST_OWNER'),
    );
    const other = await person('owner');
    const disabled = `${members}/${other.accountId}/disabled`;
    expect((await owner.ask('PUT', disabled, { disabled: true })).status).toBe(200);
    expect(await owner.ask('DELETE', self)).toMatchObject(refusal(409, 'LAST_OWNER'));
    expect(await owner.ask('PUT', `${self}/disabled`, { disabled: true })).toMatchObject(
      refusal(409, 'LAST_OWNER'),
    );
    await owner.ask('DELETE', `${members}/${other.accountId}`);
  });
});

describe('removing', () => {
  test('ends sessions and keys at once on every process, and lets nobody back in by what they had', async () => {
    const member = await person('member');
    const { key, apiKey } = await service.operator.createKey(
      ...([member.email, mine.organizationId, 'theirs'] as const),
    );
    const second = await service.another();
    const works = async (baseUrl: string) => [
      (await call(`${baseUrl}/api/v1/me`, { key })).status,
      (await call(`${baseUrl}/api/v1/me`, { headers: member.headers })).status,
    ];
    try {
      expect(await works(second.baseUrl)).toEqual([200, 200]);
      const removed = await owner.ask('DELETE', `${members}/${member.accountId}`);
      expect(removed.body).toEqual({ accountId: member.accountId, removed: true, revokedKeys: 1 });
      expect(await works(service.baseUrl)).toEqual([401, 401]);
      expect(await works(second.baseUrl)).toEqual([401, 401]);
      await service.operator.addMember(mine.organizationId, member.email, 'member');
      expect(await works(second.baseUrl)).toEqual([401, 401]);
      const keys = await service.operator.listKeys(mine.organizationId);
      expect(keys.find(({ id }) => id === apiKey.id)?.revokedAt).toBeInstanceOf(Date);
    } finally {
      await second.stop();
    }
  });

  test('leaves no key that was made meanwhile', async () => {
    const member = await person('member');
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from memberships where account_id = ${member.accountId} for update`;
      const body = { name: 'late', organizationId: mine.organizationId };
      const made = member.ask('POST', 'api-keys', body);
      await untilWaiting(sql, 1);
      await sql`delete from memberships where account_id = ${member.accountId}`;
      return { going: made };
    });
    expect((await going).status).toBe(404);
  });

  test('of two owners who remove each other, one stays', async () => {
    const [one, other] = [await person('owner'), await person('owner')];
    const self = `${members}/${mine.accountId}`;
    await owner.ask('PATCH', self, { role: 'admin' });
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from organizations where id = ${mine.organizationId} for update`;
      const both = Promise.all([
        one.ask('DELETE', `${members}/${other.accountId}`),
        other.ask('DELETE', `${members}/${one.accountId}`),
      ]);
      await untilWaiting(sql, 2);
      return { going: both };
    });
    const statuses = (await going).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    const left = (await rolesNow()).filter(({ role }) => role === 'owner');
    expect(left).toHaveLength(1);
    const last = left[0]?.accountId === one.accountId ? one : other;
    await last.ask('PATCH', self, { role: 'owner' });
    expect((await owner.ask('DELETE', `${members}/${last.accountId}`)).status).toBe(200);
  });

  test('of two owners who step down at once, one stays owner', async () => {
    const other = await person('owner');
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from organizations where id = ${mine.organizationId} for update`;
      const both = Promise.all([
        owner.ask('PATCH', `${members}/${mine.accountId}`, { role: 'member' }),
        other.ask('PUT', `${members}/${other.accountId}/disabled`, { disabled: true }),
      ]);
      await untilWaiting(sql, 2);
      return { going: both };
    });
    expect((await going).map(({ status }) => status).sort()).toEqual([200, 409]);
    await service.operator.enableAccount(other.email);
    await service.operator.setRole(mine.organizationId, 'owner@mine.example', 'owner');
    await service.operator.removeMember(mine.organizationId, other.email);
  });
});

describe('an account', () => {
  test('that is disabled cannot be used in any way, until it is enabled again', async () => {
    const member = await person('member');
    const { key } = await service.operator.createKey(member.email, mine.organizationId, 'k');
    const link = await service.operator.createSignInLink(member.email);
    const at = `${members}/${member.accountId}/disabled`;
    const shown = await owner.ask('PUT', at, { disabled: true });
    expect(shown.body).toMatchObject({ disabledAt: expect.any(Number), openSessions: 0 });
    const me = () => call(`${service.baseUrl}/api/v1/me`, { key });
    expect((await me()).status).toBe(401);
    expect((await member.ask('GET', 'session')).body.signedIn).toBe(false);
    const redeemed = await redeem(link.url);
    expect(redeemed.status).toBe(401);
    await expect(service.operator.createSignInLink(member.email)).rejects.toThrow('disabled');
    expect((await owner.ask('PUT', at, { disabled: false })).body.disabledAt).toBeNull();
    expect((await me()).status).toBe(200);
    expect((await member.ask('GET', 'session')).body.signedIn).toBe(false);
  });

  test('that the operator disabled is enabled by the operator alone', async () => {
    const member = await person('member');
    await service.operator.disableAccount(member.email);
    const at = `${members}/${member.accountId}/disabled`;
    await owner.ask('PUT', at, { disabled: true });
    expect(await owner.ask('PUT', at, { disabled: false })).toMatchObject(
      refusal(403, 'DISABLED_BY_OPERATOR'),
    );
    await service.operator.enableAccount(member.email);
    expect((await owner.ask('PUT', at, { disabled: false })).status).toBe(200);
  });

  test('loses its sessions and links when they are ended, and keeps its keys', async () => {
    const member = await person('member');
    const { key } = await service.operator.createKey(member.email, mine.organizationId, 'k');
    const link = await service.operator.createSignInLink(member.email);
    const ended = await owner.ask('DELETE', `${members}/${member.accountId}/sessions`);
    expect(ended.body).toEqual({ accountId: member.accountId, endedSessions: 1 });
    expect((await member.ask('GET', 'session')).body.signedIn).toBe(false);
    expect((await redeem(link.url)).status).toBe(401);
    expect((await call(`${service.baseUrl}/api/v1/me`, { key })).status).toBe(200);
  });

  test('whose password is reset has a link and nothing else', async () => {
    const member = await person('member');
    const password = 'correct horse battery';
    await member.ask('PUT', 'password', { newPassword: password });
    const signIn = () =>
      call(`${service.baseUrl}/console/v1/session`, {
        method: 'POST',
        headers: { origin: service.baseUrl },
        body: { email: member.email, password },
      });
    expect((await signIn()).status).toBe(200);
    const reset = await owner.ask('POST', `${members}/${member.accountId}/password-reset`);
    expect(reset.status).toBe(201);
    expect((await signIn()).status).toBe(401);
    expect((await member.ask('GET', 'session')).body.signedIn).toBe(false);
    const entered = await redeem(reset.body.url);
    expect(entered.body).toMatchObject({ hasPassword: false, account: { email: member.email } });
    expect((await redeem(reset.body.url)).status).toBe(401);
  });

  test.each([
    ['PUT', 'disabled', { disabled: true }],
    ['DELETE', 'sessions', undefined],
    ['POST', 'password-reset', undefined],
  ] as const)(
    'that also belongs elsewhere is not to be had there: %s %s',
    async (method, what, body) => {
      await service.operator.addMember(mine.organizationId, 'owner@theirs.example', 'member');
      const at = `${members}/${theirs.accountId}/${what}`;
      expect(await owner.ask(method, at, body)).toMatchObject(refusal(403, 'ACCOUNT_NOT_YOURS'));
      await service.operator.removeMember(mine.organizationId, 'owner@theirs.example');
      expect(await owner.ask(method, at, body)).toMatchObject(refusal(404));
      const admin = await person('admin');
      const above = `${members}/${mine.accountId}/${what}`;
      expect(await admin.ask(method, above, body)).toMatchObject(refusal(403));
    },
  );
});

describe('a tier', () => {
  test('is given and taken back, in a project of the organization alone', async () => {
    const member = await person('member');
    const at = (projectId: string) => `${members}/${member.accountId}/tiers/${projectId}`;
    const given = await owner.ask('PUT', at(mine.projectId), { tier: 'admin' });
    expect(given.body.tiers).toMatchObject([{ projectId: mine.projectId, tier: 'admin' }]);
    expect((await owner.ask('PUT', at(mine.projectId), { tier: null })).body.tiers).toEqual([]);
    expect((await owner.ask('PUT', at(theirs.projectId), { tier: 'admin' })).status).toBe(404);
    expect((await owner.ask('PUT', at('Default'), { tier: 'admin' })).status).toBe(404);
    expect((await member.ask('PUT', at(mine.projectId), { tier: 'admin' })).status).toBe(403);
  });
});

function redeem(url: string) {
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  return call(`${service.baseUrl}/console/v1/session/link`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: { token },
  });
}
