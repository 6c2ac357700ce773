import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { createScenarioCaller, type ScenarioCaller } from '@proofmark/harness/scenario-caller.ts';
import { startSmtpServer } from '@proofmark/harness/smtp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer } from '../../../outside/mail/mailer.ts';
import { hashToken } from '../../../platform/accounts/token.ts';

let service: TestService;
let tenant: Tenant;
let own: ScenarioCaller;
let manage: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  await service.operator.setFeature(tenant.organizationId, 'user-testing', 'on');
  own = createScenarioCaller(service, tenant);
  manage = (await createMember(service, tenant, 'member', 'manage')).key;
});
afterAll(() => service.stop());

const pathOf = (id: string) => `user-testing/scenarios/${id}`;
const invite = (id: string, body: object, key?: string) =>
  own.ask('PUT', `${pathOf(id)}/members`, body, key);
const remove = (id: string, named: string) => own.ask('DELETE', `${pathOf(id)}/members/${named}`);
const listed = async (id: string) =>
  (await own.ask('GET', `${pathOf(id)}/members`)).body.items as { email: string }[];
const versionOf = async (environmentId: string) =>
  (await own.publish(environmentId)).body.accessVersion as number;
const inviteOf = async (memberId: string) => {
  const [row] = await service.owner.sql<
    { inviteHash: Buffer | null; inviteExpiresAt: Date | null; email: string }[]
  >`select invite_hash, invite_expires_at, email from scenario_members where id = ${memberId}`;
  return row;
};

describe('an invitation', () => {
  test('is answered once with its link, of which only the hash is kept, for seven days', async () => {
    const made = await own.scenario({ mode: 'invited_only' });
    const { id, link, name } = made;
    const invited = await invite(id, { email: ' Ann@X.io ' }, manage);
    expect([invited.status, invited.body]).toEqual([
      200,
      {
        id,
        scenarioId: id,
        projectId: tenant.projectId,
        name,
        description: null,
        mode: 'invited_only',
        email: 'ann@x.io',
        role: 'chat',
        invited: false,
        memberId: expect.stringMatching(/^mem_/),
        inviteUrl: expect.stringMatching(/#invite=[\w-]{43}$/),
      },
    ]);
    const [url, token] = invited.body.inviteUrl.split('#invite=');
    expect(url).toBe(link);
    const row = await inviteOf(invited.body.memberId);
    expect(row?.inviteHash).toEqual(hashToken(token));
    const days = ((row?.inviteExpiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const list = await own.ask('GET', `${pathOf(id)}/members`, undefined, manage);
    expect(list.body).toEqual({
      items: [
        {
          id: invited.body.memberId,
          email: 'ann@x.io',
          role: 'chat',
          invitedAt: expect.any(Number),
          acceptedAt: null,
        },
      ],
    });
    expect(list.text).not.toContain(token);
    expect(service.logLines.join()).not.toContain(token);
    expect((await own.audited(id)).at(-1)).toEqual({
      action: 'scenario.memberInvited',
      details: { memberId: invited.body.memberId },
    });
  });

  test('again, in whatever case, is of the same person and ends the link from before', async () => {
    const { id, environmentId } = await own.scenario();
    const first = (await invite(id, { email: 'ann@x.io', role: 'chat' })).body;
    const second = (await invite(id, { email: 'ANN@x.io', sendInviteEmail: false })).body;
    expect(second.memberId).toBe(first.memberId);
    expect(second.inviteUrl).not.toBe(first.inviteUrl);
    const row = await inviteOf(first.memberId);
    expect(row?.inviteHash).toEqual(hashToken(second.inviteUrl.split('=')[1]));
    expect(await listed(id)).toHaveLength(1);
    expect(await versionOf(environmentId)).toBe(1);
  });

  test.each([
    {},
    { email: 'ann' },
    { email: '@x.io' },
    { email: 'ann@' },
    { email: 'ann@x@y' },
    { email: 'ann smith@x.io' },
    { email: `${'a'.repeat(316)}@x.io` },
    { email: 'ann@x.io', role: 'admin' },
    { email: 'ann@x.io', colour: 1 },
  ])('refuses %j', async (body) => {
    const { id } = await own.scenario();
    expect((await invite(id, body)).status).toBe(400);
    expect(await listed(id)).toEqual([]);
  });

  test('takes the longest address, and gives it back', async () => {
    const { id } = await own.scenario();
    const email = `${'a'.repeat(315)}@x.io`;
    expect((await invite(id, { email })).status).toBe(200);
    expect((await remove(id, encodeURIComponent(email))).body.removed).toBe(email);
  });

  test('is for the manage tier, and so is the list', async () => {
    const { id } = await own.scenario();
    const { key } = await createMember(service, tenant, 'member', 'member');
    expect((await invite(id, { email: 'ann@x.io' }, key)).status).toBe(403);
    expect((await own.ask('GET', `${pathOf(id)}/members`, undefined, key)).status).toBe(403);
  });

  test('is mailed where that is asked for and the operator set up mail', async () => {
    const smtp = await startSmtpServer('takes');
    const mailer = createMailer({ url: smtp.url, from: 'tests@acme.example', warn: () => {} });
    const mailing = await service.another({ mailer });
    const there = createScenarioCaller({ ...service, baseUrl: mailing.baseUrl }, tenant);
    const { id } = await there.scenario({ name: 'Bookshop' });
    const path = `${pathOf(id)}/members`;
    const unasked = await there.ask('PUT', path, { email: 'ann@x.io' });
    expect([unasked.body.invited, smtp.mails.length]).toEqual([false, 0]);
    const asked = await there.ask('PUT', path, { email: 'ann@x.io', sendInviteEmail: true });
    expect(asked.body.invited).toBe(true);
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]).toMatchObject({ to: 'RCPT TO:<ann@x.io>' });
    const content = smtp.mails[0]?.content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    expect(content).toContain(asked.body.inviteUrl);
    expect(content).toContain('Invitation to try Bookshop');
    await mailing.stop();
    mailer.close();
    await smtp.stop();
    // The default service of these tests cannot send mail.
    const without = await invite(id, { email: 'ben@x.io', sendInviteEmail: true });
    expect([without.status, without.body.invited]).toEqual([200, false]);
  });
});

interface Grant {
  readonly visitorId?: string;
  readonly accountId?: string;
  readonly memberId?: string;
}

async function grant(
  scenarioId: string,
  { visitorId, accountId, memberId }: Grant,
): Promise<string> {
  const { sql } = service.owner;
  const id = makeId('scenarioGrant', Date.now(), randomBytes(10));
  await sql`
    insert into scenario_grants ${sql({
      id,
      organization_id: tenant.organizationId,
      project_id: tenant.projectId,
      scenario_id: scenarioId,
      visitor_id: visitorId ?? null,
      account_id: accountId ?? null,
      member_id: memberId ?? null,
    })}`;
  return id;
}

async function live(scenarioId: string): Promise<string[]> {
  const rows = await service.owner.sql<{ id: string }[]>`
    select id from scenario_grants where scenario_id = ${scenarioId} and revoked_at is null order by id`;
  return rows.map(({ id }) => id);
}

describe('removing somebody', () => {
  test('ends their way in and no other, by address however it is written, or by id', async () => {
    const { id, environmentId } = await own.scenario({ mode: 'invited_only' });
    const ann = (await invite(id, { email: 'ann+books@x.io' })).body.memberId;
    const ben = (await invite(id, { email: 'ben@x.io' })).body.memberId;
    await service.owner.sql`
      update scenario_members set visitor_id = 'vis_ann', accepted_at = now() where id = ${ann}`;
    await grant(id, { visitorId: 'vis_ann', memberId: ann });
    const kept = await grant(id, { visitorId: 'vis_ben', memberId: ben });
    const removed = await remove(id, 'Ann+books%40X.io');
    expect([removed.status, removed.body]).toEqual([
      200,
      { scenarioId: id, projectId: tenant.projectId, removed: 'ann+books@x.io' },
    ]);
    expect(await live(id)).toEqual([kept]);
    expect(await versionOf(environmentId)).toBe(2);
    expect((await listed(id)).map(({ email }) => email)).toEqual(['ben@x.io']);
    expect(await inviteOf(ann)).toEqual({ inviteHash: null, inviteExpiresAt: null, email: '' });
    expect((await own.audited(id)).at(-1)).toEqual({
      action: 'scenario.memberRemoved',
      details: { memberId: ann },
    });
    // These two requests remove nobody, so the access version does not grow.
    expect((await remove(id, 'ann+books%40x.io')).status).toBe(404);
    expect((await remove(id, ann)).status).toBe(404);
    expect(await versionOf(environmentId)).toBe(2);
    expect((await remove(id, ben)).body.removed).toBe(ben);
    expect(await live(id)).toEqual([]);
    const again = (await invite(id, { email: 'ann+books@x.io' })).body.memberId;
    expect(again).not.toBe(ann);
  });

  test('who came with an account ends that too, and says where it keeps nobody out', async () => {
    const { id } = await own.scenario({ mode: 'anyone_with_link' });
    await invite(id, { email: 'owner@acme.example' });
    await grant(id, { accountId: tenant.accountId });
    const removed = await remove(id, 'owner%40acme.example');
    expect(removed.body.stillReachable).toBe(true);
    expect(await live(id)).toEqual([]);
  });

  test('and unpublishing removes all: no address stays that nobody could remove', async () => {
    const { id, environmentId } = await own.scenario({ mode: 'invited_only' });
    const { memberId } = (await invite(id, { email: 'ann@x.io' })).body;
    await own.ask('DELETE', `environments/${environmentId}/scenario`);
    expect(await inviteOf(memberId)).toEqual({
      inviteHash: null,
      inviteExpiresAt: null,
      email: '',
    });
    await own.publish(environmentId);
    const [row] = await service.owner.sql<{ live: number }[]>`
      select count(*)::integer as live from scenario_members where scenario_id = ${id} and revoked_at is null`;
    expect(row?.live).toBe(0);
  });

  test('of another scenario is not found', async () => {
    const [one, other] = [await own.scenario(), await own.scenario()];
    const { memberId } = (await invite(one.id, { email: 'ann@x.io' })).body;
    expect((await remove(other.id, memberId)).status).toBe(404);
    expect(await listed(one.id)).toHaveLength(1);
  });
});

describe('of those who got in', () => {
  async function visited() {
    const scenario = await own.scenario({ mode: 'anyone_with_link' });
    const { id } = scenario;
    const member = await createMember(service, tenant, 'member');
    const invitedAccount = await service.operator.bootstrap({
      email: `invited-${id}@x.io`,
      organization: `of-${id}`,
    });
    const stranger = await service.operator.bootstrap({
      email: `stranger-${id}@x.io`,
      organization: `for-${id}`,
    });
    await invite(id, { email: `invited-${id}@x.io` });
    const ann = (await invite(id, { email: 'ann@x.io' })).body.memberId;
    await service.owner.sql`update scenario_members set visitor_id = 'vis_ann' where id = ${ann}`;
    return {
      ...scenario,
      grants: {
        guest: await grant(id, { visitorId: 'vis_guest' }),
        stranger: await grant(id, { accountId: stranger.accountId }),
        invitedVisitor: await grant(id, { visitorId: 'vis_ann' }),
        invitedAccount: await grant(id, { accountId: invitedAccount.accountId }),
        member: await grant(id, { accountId: member.accountId }),
        owner: await grant(id, { accountId: tenant.accountId }),
      },
    };
  }
  type Who = keyof Awaited<ReturnType<typeof visited>>['grants'];
  const all: Who[] = ['guest', 'stranger', 'invitedVisitor', 'invitedAccount', 'member', 'owner'];

  test.each<[string, Who[], number, (scenario: { id: string; environmentId: string }) => unknown]>([
    [
      'a mode for invited people keeps those and members',
      ['invitedVisitor', 'invitedAccount', 'member', 'owner'],
      2,
      ({ id }) => own.ask('PATCH', pathOf(id), { mode: 'invited_only' }),
    ],
    [
      'a mode for members keeps members',
      ['member', 'owner'],
      2,
      ({ id }) => own.ask('PATCH', pathOf(id), { mode: 'project_members' }),
    ],
    ['a new link keeps all', all, 1, ({ id }) => own.ask('POST', `${pathOf(id)}/rotate-link`)],
    ['a new name keeps all', all, 1, ({ id }) => own.ask('PATCH', pathOf(id), { name: 'New' })],
    ['an invitation keeps all', all, 1, ({ id }) => invite(id, { email: 'ben@x.io' })],
    ['publishing again keeps all', all, 1, ({ environmentId }) => own.publish(environmentId)],
    [
      'another environment keeps all',
      all,
      1,
      async ({ id }) =>
        own.ask('POST', `${pathOf(id)}/rebind`, { environmentId: await own.environment() }),
    ],
    [
      'unpublishing keeps nobody',
      [],
      2,
      ({ environmentId }) => own.ask('DELETE', `environments/${environmentId}/scenario`),
    ],
  ])('%s', async (_, who, version, change) => {
    const scenario = await visited();
    await change(scenario);
    expect(await live(scenario.id)).toEqual(who.map((name) => scenario.grants[name]).sort());
    const [row] = await service.owner.sql<{ accessVersion: number }[]>`
      select access_version from scenarios where id = ${scenario.id}`;
    expect(row?.accessVersion).toBe(version);
  });

  test('a private project keeps only whom it let in itself', async () => {
    const scenario = await visited();
    const { sql } = service.owner;
    await sql`update projects set visibility = 'private' where id = ${tenant.projectId}`;
    await own.ask('PATCH', pathOf(scenario.id), { mode: 'project_members' });
    await sql`update projects set visibility = 'public' where id = ${tenant.projectId}`;
    expect(await live(scenario.id)).toEqual([scenario.grants.owner]);
  });
});
