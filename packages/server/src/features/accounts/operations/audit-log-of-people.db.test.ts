/**
 * Tests the audit log: people, runs, calls and the operator each write a line. Only permitted
 * people can read and search it, and its lines are retained.
 */
import {
  type ConsolePerson,
  consolePerson,
  newConsolePerson,
} from '@proofmark/harness/console-person.ts';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { createReporter, passing } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { launchScheduled } from '../../evals/work/launch-scheduled.ts';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let owner: ConsolePerson;
let log: string;
let seen: number;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  owner = await consolePerson(service, { ...mine, email: 'owner@mine.example' });
  log = `organizations/${mine.organizationId}/audit-log`;
});
afterAll(() => service.stop());
beforeEach(async () => {
  const [row] = await service.owner.sql`select coalesce(max(id), 0)::float8 as id from audit_log`;
  seen = row?.['id'];
});

const written = async () => {
  const rows = await service.owner.sql`
    select action, subject_id, account_email, caller_kind, organization_id, details::json as details
    from audit_log where id > ${seen} order by id`;
  return rows.map((row) => [row['action'], row['accountEmail'], row['callerKind'], row['details']]);
};
const operator = expect.stringMatching(/^.+@.+$/);
const signIn = (email: string, password: string) =>
  call(`${service.baseUrl}/console/v1/session`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: { email, password },
  });

describe('a line for', () => {
  test('signing in and out, passwords, and sign-ins that failed where there is such an account', async () => {
    const { accountId } = await service.operator.addMember('mine', 'ann@people.example', 'member');
    const link = await service.operator.createSignInLink('ann@people.example');
    const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token');
    const entered = await call(`${service.baseUrl}/console/v1/session/link`, {
      method: 'POST',
      headers: { origin: service.baseUrl },
      body: { token },
    });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] as string;
    const headers = {
      cookie,
      origin: service.baseUrl,
      'x-csrf-token': entered.body.csrfToken,
    };
    const newPassword = 'correct horse battery';
    await call(`${service.baseUrl}/console/v1/password`, {
      method: 'PUT',
      headers,
      body: { newPassword },
    });
    await call(`${service.baseUrl}/console/v1/session`, { method: 'DELETE', headers });
    await signIn('nobody@people.example', 'wrong horse battery');
    await signIn('ann@people.example', 'wrong horse battery');
    // The audit line of a failed sign-in is written while the response is sent, so it may appear
    // later.
    await expect.poll(async () => (await written()).length).toBe(6);
    await signIn('ann@people.example', newPassword);
    const ann = ['ann@people.example', 'session'];
    const address = expect.stringMatching(/127\.0\.0\.1$/);
    expect(await written()).toEqual([
      ['member.added', operator, 'operator', { email: 'ann@people.example', role: 'member' }],
      ['account.linkCreated', operator, 'operator', null],
      ['account.signedIn', ...ann, { method: 'link', address }],
      ['account.passwordChanged', ...ann, null],
      ['account.signedOut', ...ann, null],
      ['account.signInFailed', 'ann@people.example', 'visitor', { method: 'password', address }],
      ['account.signedIn', ...ann, { method: 'password', address }],
    ]);
    const lines = await owner.ask('GET', `${log}?resource=${accountId}&kind=account`);
    expect(lines.body.items).toHaveLength(6);
    expect(lines.text).not.toContain(newPassword);
  });

  test('what becomes of members, by whom', async () => {
    const member = await newConsolePerson(service, 'mine', 'member');
    const members = `organizations/${mine.organizationId}/members/${member.accountId}`;
    await service.operator.createKey(member.email, 'mine', 'k', { scope: 'read-only' });
    seen = (await owner.ask('GET', `${log}?limit=1`)).body.items[0].id;
    await owner.ask('PATCH', members, { role: 'admin' });
    await owner.ask('PATCH', members, { role: 'admin' });
    await owner.ask('PUT', `${members}/tiers/${mine.projectId}`, { tier: 'manage' });
    await owner.ask('PUT', `${members}/disabled`, { disabled: true });
    await owner.ask('PUT', `${members}/disabled`, { disabled: true });
    await owner.ask('PUT', `${members}/disabled`, { disabled: false });
    await owner.ask('DELETE', `${members}/sessions`);
    await owner.ask('POST', `${members}/password-reset`);
    await owner.ask('DELETE', members);
    await owner.ask('DELETE', members);
    const by = ['owner@mine.example', 'session'];
    expect(await written()).toEqual([
      ['member.roleChanged', ...by, { formerRole: 'member', role: 'admin' }],
      ['member.tierChanged', ...by, { tier: 'manage' }],
      ['account.disabled', ...by, null],
      ['account.enabled', ...by, null],
      ['account.sessionsEnded', ...by, null],
      ['account.passwordReset', ...by, null],
      ['account.linkCreated', ...by, null],
      ['apiKey.revoked', ...by, null],
      ['member.removed', ...by, { formerRole: 'admin' }],
    ]);
  });

  test('an invitation that is made, withdrawn and accepted', async () => {
    const at = `organizations/${mine.organizationId}/invitations`;
    const email = 'bob@elsewhere.example';
    const first = await owner.ask('POST', at, { email });
    await owner.ask('DELETE', `${at}/${first.body.id}`);
    const { url } = (await owner.ask('POST', at, { email })).body;
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
    await call(`${service.baseUrl}/console/v1/session/invitation`, {
      method: 'POST',
      headers: { origin: service.baseUrl },
      body: { token },
    });
    const lines = await written();
    const by = ['owner@mine.example', 'session'];
    expect(lines).toEqual([
      ['member.invited', ...by, { email, role: 'member' }],
      ['member.invitationWithdrawn', ...by, { email }],
      ['member.invited', ...by, { email, role: 'member' }],
      ['member.joined', email, 'session', { role: 'member' }],
      ['account.signedIn', email, 'session', { method: 'invitation', address: expect.any(String) }],
    ]);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  test('runs that are launched, by a key and by a schedule, and cancelled once', async () => {
    const launcher = createLauncher(service, mine);
    const runId = await launcher.launch();
    const cancel = `${service.baseUrl}/api/v1/projects/${mine.projectId}/eval-runs/${runId}/cancel`;
    await call(cancel, { method: 'POST', key: mine.key });
    await call(cancel, { method: 'POST', key: mine.key });
    const suiteId = await launcher.suite();
    const ids = { organizationId: mine.organizationId, projectId: mine.projectId, suiteId };
    const models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
    const schedule = { models, runLimits: defaultRunLimits };
    await launchScheduled({ ...schedule, database: service.database } as never, {
      ...ids,
      environmentId: null,
      accountId: mine.accountId,
      tick: 1,
    });
    await schedule.models.close();
    const lines = (await written()).filter(([action]) => String(action).startsWith('evalRun.'));
    const by = ['owner@mine.example', 'key'];
    expect(lines).toEqual([
      ['evalRun.launched', ...by, { suiteId: expect.any(String) }],
      ['evalRun.cancelled', ...by, null],
      ['evalRun.launched', 'schedule', 'service', { suiteId }],
    ]);
  });

  test('runs that are reported, once each, however they are', async () => {
    const { ingest } = createReporter(service, mine);
    const suiteName = 'Reported and audited';
    const started = { suiteName, externalRunId: 'audited' };
    const { runId } = (await ingest('runs/start', started)).body;
    expect((await ingest('runs/start', started)).body).toMatchObject({ runId, reused: true });
    await ingest('runs/iterations', { runId, results: [passing, passing] });
    await ingest('runs/finalize', { runId });
    const whole = { suiteName, externalRunId: 'whole', results: [passing, passing] };
    const reported = (await ingest('report', whole)).body;
    expect((await ingest('report', whole)).body.reused).toBe(true);
    expect((await ingest('report', { suiteName, results: [{ title: 1 }] })).status).toBe(400);
    const lines = await service.owner.sql`
      select subject_id, account_email, caller_kind, project_id, details from audit_log
      where action = 'evalRun.reported' and id > ${seen} order by id`;
    const [suite] = await service.owner.sql`
      select suite_id from eval_runs where id = ${runId}`;
    const by = { accountEmail: 'owner@mine.example', callerKind: 'key', projectId: mine.projectId };
    const details = JSON.stringify({ suiteId: suite?.['suiteId'] });
    expect(lines).toEqual([
      { subjectId: runId, ...by, details },
      { subjectId: reported.runId, ...by, details },
    ]);
  });

  test('a tool that is called, before it is; and none is called where there can be no line', async () => {
    const server = await startModernServer();
    const servers = `${service.baseUrl}/api/v1/projects/${mine.projectId}/servers`;
    const body = { name: 'Called', enabled: true, transportType: 'http', url: server.url };
    const { id } = (await call(servers, { method: 'POST', key: mine.key, body })).body;
    const callTool = () =>
      call(`${servers}/${id}/tools/call`, {
        method: 'POST',
        key: mine.key,
        body: { toolName: 'structured', parameters: { city: 'canary-of-the-call' } },
      });
    const { sql } = service.owner;
    try {
      expect((await callTool()).status).toBe(200);
      expect((await written()).at(-1)).toEqual([
        ...['server.toolCalled', 'owner@mine.example', 'key', { tool: 'structured' }],
      ]);
      await sql`alter table audit_log add constraint full_disk check (action <> 'server.toolCalled') not valid`;
      expect((await callTool()).status).toBe(500);
    } finally {
      await sql`alter table audit_log drop constraint if exists full_disk`;
      await server.stop();
    }
  });

  test('what the operator does at the terminal', async () => {
    const email = 'carl@people.example';
    await service.operator.addMember('mine', email, 'member');
    const { apiKey } = await service.operator.createKey(email, 'mine', 'k', { expiresInDays: 1 });
    await service.operator.revokeKey(apiKey.id);
    await service.operator.revokeKey(apiKey.id);
    await service.operator.setRole('mine', email, 'admin');
    await service.operator.setTier('mine', 'Default', email, 'none');
    await service.operator.setFeature('mine', 'swarms', 'off');
    await service.operator.disableAccount(email);
    await service.operator.removeMember('mine', email);
    const done = await service.operator.bootstrap({ email, organization: 'Carls' });
    const lines = await written();
    expect(new Set(lines.map(([, , kind]) => kind))).toEqual(new Set(['operator']));
    expect(lines.map(([action, , , details]) => [action, details])).toEqual([
      ['member.added', { email, role: 'member' }],
      ['apiKey.created', { email, scope: 'full' }],
      ['apiKey.revoked', null],
      ['member.roleChanged', { formerRole: 'member', role: 'admin' }],
      ['member.tierChanged', { tier: 'none' }],
      ['organization.featureChanged', { feature: 'swarms', state: 'off' }],
      ['account.disabled', null],
      ['member.removed', { formerRole: 'admin' }],
      ['organization.created', { email }],
      ['apiKey.created', { email, scope: 'full' }],
    ]);
    expect(JSON.stringify(lines)).not.toContain(done.apiKey);
  });
});

describe('the lines', () => {
  test('of a person are told to every organization of theirs, and to the operator where there is none', async () => {
    await service.operator.addMember('mine', 'both@people.example', 'member');
    await service.operator.addMember('theirs', 'both@people.example', 'member');
    await service.operator.createSignInLink('both@people.example');
    await service.operator.removeMember('mine', 'both@people.example');
    await service.operator.removeMember('theirs', 'both@people.example');
    await service.operator.endSessions('both@people.example');
    const rows = await service.owner.sql`
      select action, organization_id from audit_log where id > ${seen} and action like 'account.%' order by id`;
    expect(
      rows
        .map((row) => row['organizationId'])
        .slice(0, 2)
        .sort(),
    ).toEqual([mine.organizationId, theirs.organizationId].sort());
    expect(rows[2]).toEqual({ action: 'account.sessionsEnded', organizationId: null });
    const shown = await owner.ask('GET', `${log}?kind=account&limit=200`);
    expect(shown.body.items[0].action).toBe('account.linkCreated');
  });

  test('are for owners and admins of the organization alone', async () => {
    const member = await newConsolePerson(service, 'mine', 'member');
    expect((await member.ask('GET', log)).status).toBe(403);
    const foreign = `organizations/${theirs.organizationId}/audit-log`;
    expect((await owner.ask('GET', foreign)).status).toBe(404);
    const [own] = await service.owner.sql`
      select count(*)::int as lines from audit_log where organization_id = ${mine.organizationId}`;
    expect(await walk('')).toHaveLength(own?.['lines']);
  });

  test('are found by kind, actor, resource and time, page by page, each once and newest first', async () => {
    await owner.ask('POST', 'api-keys', { name: 'x', organizationId: mine.organizationId });
    const all = await walk('');
    const [newest] = all;
    for (const [query, fits] of [
      ['kind=apiKey', (line: Line) => line.action.startsWith('apiKey.')],
      ['actor=OWNER%40mine.example', (line: Line) => line.actor === 'owner@mine.example'],
      [`resource=${newest?.subjectId}`, (line: Line) => line.subjectId === newest?.subjectId],
      [`since=${newest?.at}`, (line: Line) => line.at >= (newest?.at ?? 0)],
      [`until=${newest?.at}`, (line: Line) => line.at < (newest?.at ?? 0)],
    ] as const) {
      const found = await walk(query);
      expect(found).toEqual(all.filter(fits));
      expect(found.length).toBeGreaterThan(0);
      const listed = await service.operator.readAuditLog({
        organization: 'mine',
        limit: 10_000,
        ...operatorSearch(query),
      });
      expect(listed.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
    }
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => b - a));
    expect((await owner.ask('GET', `${log}?kind=magic`)).status).toBe(400);
    await expect(service.operator.readAuditLog({ kind: 'magic', limit: 1 })).rejects.toThrow(
      'magic',
    );
    await expect(service.operator.readAuditLog({ since: 'soon', limit: 1 })).rejects.toThrow(
      'soon',
    );
  });

  test('are walked to the end by the operator, however many there are', async () => {
    await service.owner.sql`
      insert into audit_log (organization_id, account_email, caller_kind, action, subject_id)
      select ${theirs.organizationId}, 'many', 'service', 'evalRun.launched', number::text
      from generate_series(1, 2500) as number`;
    const walked: string[] = [];
    for await (const line of service.operator.walkAuditLog({ actor: 'many' })) {
      walked.push(line.subjectId);
    }
    expect(walked).toEqual(Array.from({ length: 2500 }, (_, at) => String(2500 - at)));
  });

  test('stay: neither the service nor the owner of the tables changes or deletes one', async () => {
    const asService = (statement: string) =>
      service.database.tenant([mine.organizationId], (sql) => sql.unsafe(statement));
    for (const statement of [
      'delete from audit_log',
      "update audit_log set account_email = 'x'",
      'truncate audit_log',
    ]) {
      await expect(asService(statement)).rejects.toThrow('permission denied');
    }
    await expect(service.owner.sql.unsafe('delete from audit_log')).rejects.toThrow(
      'only added to',
    );
    const count = async () =>
      (await service.owner.sql`select count(*)::int as lines from audit_log`)[0]?.['lines'];
    const before = await count();
    const made = await service.operator.bootstrap({ email: 'x@people.example', organization: 'X' });
    await asService(`delete from organizations where id = '${made.organizationId}'`);
    expect(await count()).toBe(before + 2);
  });
});

interface Line {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly actor: string;
  readonly subjectId: string;
}

async function walk(query: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await owner.ask('GET', `${log}?limit=20&${query}${cursor}`);
    lines.push(...body.items);
    if (body.nextCursor === undefined) return lines;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

function operatorSearch(query: string): Record<string, string> {
  const asked = Object.fromEntries(new URLSearchParams(query));
  for (const name of ['since', 'until']) {
    if (asked[name] !== undefined) asked[name] = new Date(Number(asked[name])).toISOString();
  }
  return asked;
}

test('a line names what it is about, as long as it is there, and its project', async () => {
  const at = `${service.baseUrl}/api/v1/projects/${mine.projectId}`;
  const asMine = { key: mine.key };
  const server = { name: 'Order desk', enabled: true, transportType: 'http', url: 'http://x.test' };
  const { body } = await call(`${at}/servers`, { ...asMine, method: 'POST', body: server });
  const lineOf = async (action: string) => {
    const { items } = (await owner.ask('GET', `${log}?resource=${body.id}`)).body;
    return items.find((line: { action: string }) => line.action === action);
  };
  expect(await lineOf('server.created')).toMatchObject({
    subjectId: body.id,
    subjectName: 'Order desk',
    projectName: 'Default',
  });
  await call(`${at}/servers/${body.id}`, { ...asMine, method: 'DELETE' });
  expect(await lineOf('server.deleted')).toBeDefined();
  expect(await lineOf('server.created')).not.toHaveProperty('subjectName');
});
