import { unique } from '@proofmark/harness/reporter.ts';
import { signInAs } from '@proofmark/harness/test-service.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: VisitFixture;
beforeAll(async () => {
  fixture = await startVisitFixture();
});
afterAll(() => fixture.stop());

const reason = (answer: { body: { details?: { reason?: string } } }) =>
  answer.body?.details?.reason;
const question = 'What is the status of order 4711?';

test('a message has a bound, and so has a conversation, and the conversations of a day', async () => {
  const { token } = await fixture.scenario();
  const { sql } = fixture.service.owner;
  const guest = await (await fixture.visitor()).enter(token);
  expect((await guest.turn('é'.repeat(4097))).status).toBe(400);
  expect((await guest.turn('')).status).toBe(400);
  expect((await guest.turn(question, 'x'.repeat(65))).status).toBe(400);
  await sql`update visitor_sessions set turn_count = 50 where id = ${guest.sessionId}`;
  const full = await guest.turn(question);
  expect([full.status, reason(full)]).toEqual([409, 'SESSION_FULL']);
  for (let count = 1; count < 20; count += 1) await guest.begin();
  const { accessVersion } = guest;
  const more = await guest.send('POST', `${guest.scenario}/sessions`, { accessVersion });
  expect([more.status, more.body.details.limit]).toEqual([429, 'sessionsPerDay']);
  expect(more.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
});

test('a conversation that was silent for half an hour has ended', async () => {
  const { token } = await fixture.scenario();
  const { sql } = fixture.service.owner;
  const guest = await (await fixture.visitor()).enter(token);
  await guest.turn(question);
  await sql`
    update visitor_sessions set last_activity_at = last_activity_at - interval '31 minutes'
    where id = ${guest.sessionId}`;
  expect((await guest.read()).status).toBe('ended');
  const silent = { reason: 'SESSION_ENDED', endedBy: 'idle' };
  expect((await guest.turn(question)).body.details).toMatchObject(silent);
});

test('a conversation in which something is being answered has not ended, however long ago it began', async () => {
  const { token } = await fixture.slowScenario();
  const { sql } = fixture.service.owner;
  const guest = await (await fixture.visitor()).enter(token);
  const answer = guest.turn(question);
  await fixture.untilHeld();
  await sql`
    update visitor_sessions set last_activity_at = last_activity_at - interval '31 minutes'
    where id = ${guest.sessionId}`;
  expect((await guest.read()).status).toBe('active');
  fixture.letGo();
  await answer;
  expect((await guest.read()).status).toBe('active');
});

test('each message says of which turn it is, so that an earlier one can be rated', async () => {
  const { id, token } = await fixture.scenario();
  await fixture.get(200, 'PATCH', `user-testing/scenarios/${id}`, { feedback: 'stars' });
  const guest = await (await fixture.visitor()).enter(token);
  const first = (await guest.turn(question)).lines[0].turnId;
  const second = (await guest.turn(question)).lines[0].turnId;
  const { messages } = await guest.read();
  expect(messages.map(({ turnId }: { turnId: string }) => turnId)).toEqual([
    ...[first, first, first, second, second, second],
  ]);
  const rated = await guest.send('PUT', `${guest.session}/feedback`, { turnId: first, rating: 4 });
  expect(rated.status).toBe(200);
});

test('nobody decides for a turn whose process died', async () => {
  const { token } = await fixture.scenario({ requireToolApproval: true });
  const { sql } = fixture.service.owner;
  const guest = await (await fixture.visitor()).enter(token);
  const [turnId, approvalId, argumentsHash] = [unique('trn'), unique('apv'), 'a'.repeat(64)];
  await sql`
    insert into visitor_turns (id, organization_id, project_id, scenario_id, session_id, ordinal, client_turn_id,
      is_anonymous, status, text, environment_id, model_id, beat_at)
    select ${turnId}, organization_id, project_id, scenario_id, id, 0, 'one', true, 'awaitingApproval', 'Hi', 'env', 'm',
      now() - interval '11 seconds' from visitor_sessions where id = ${guest.sessionId}`;
  await sql`
    insert into visitor_approvals (id, organization_id, turn_id, call_id, tool_name, server_name, arguments,
      arguments_hash, definition_hash, expires_at)
    select ${approvalId}, organization_id, id, 'call_1', 'pay', 'Till', '{}', ${argumentsHash}, 'd', now() + interval '4 minutes'
    from visitor_turns where id = ${turnId}`;
  const decided = await guest.send('POST', `${guest.scenario}/turns/${turnId}/approvals`, {
    approvalId,
    argumentsHash,
    decision: 'approve',
  });
  expect([decided.status, reason(decided)]).toEqual([409, 'APPROVAL_OVER']);
});

test('a member of the project is known by being signed in, and may look without being counted', async () => {
  const { token } = await fixture.scenario({}, 'project_members');
  const person = await signInAs(fixture.service, fixture.tenant.accountId);
  const session = await fetch(`${fixture.service.baseUrl}/visit/v1/session`, { headers: person });
  expect(session.headers.get('set-cookie')).toBeNull();
  expect(await session.json()).toMatchObject({ visitor: { signedIn: true } });
  const owner = await (await fixture.visitor(person)).enter(token);
  expect((await owner.redeem({ token })).body.role).toBe('admin');
  const made = await owner.send('POST', `${owner.scenario}/sessions`, {
    accessVersion: 1,
    preview: true,
  });
  expect(made.status).toBe(201);
  const rows = await fixture.service.owner.sql`
    select auth_type, is_preview from visitor_sessions
    where scenario_id = ${owner.scenarioId} order by started_at`;
  expect(rows).toEqual([
    { authType: 'signedIn', isPreview: false },
    { authType: 'signedIn', isPreview: true },
  ]);
  const { token: open } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(open);
  const preview = await guest.send('POST', `${guest.scenario}/sessions`, {
    accessVersion: 1,
    preview: true,
  });
  expect(preview.status).toBe(403);
});

test('whoever comes again keeps their cookie, and what they said before they signed in', async () => {
  const { token } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  const { cookie = '' } = guest.headers;
  const url = `${fixture.service.baseUrl}/visit/v1/session`;
  const again = await fetch(url, { headers: { cookie } });
  expect(again.headers.get('set-cookie')).toContain(`${cookie}; Max-Age=2592000; `);
  const person = await signInAs(fixture.service, fixture.tenant.accountId);
  const elsewhere = await fixture.visitor(person);
  expect((await elsewhere.send('GET', guest.session)).status).toBe(404);
  const both = `${person['cookie'] ?? ''}; ${cookie}`;
  const here = await fixture.visitor({ ...person, cookie: both });
  expect((await here.send('GET', guest.session)).status).toBe(200);
  expect((await here.send('POST', `${guest.session}/end`)).status).toBe(404);
  expect((await here.send('DELETE', guest.session)).status).toBe(200);
  expect((await guest.send('GET', guest.session)).status).toBe(404);
});

test('the cookie is for the server alone, for thirty days, and for https where that is spoken', async () => {
  const cookieOf = async (baseUrl: string) =>
    (await fetch(`${baseUrl}/visit/v1/session`)).headers.get('set-cookie');
  const usual = await cookieOf(fixture.service.baseUrl);
  expect(usual).toMatch(
    /^proofmark_visitor=[\w-]{22}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const behind = await fixture.service.another({ publicUrl: 'https://proofmark.example' });
  expect(await cookieOf(behind.baseUrl)).toContain('; Secure');
  await behind.stop();
  const { length } = (usual ?? '').split(/[=;]/)[1] ?? '';
  expect(length).toBe(22);
  const [row] = await fixture.service.owner.sql<{ found: number }[]>`
    select count(*)::integer as found from visitors where octet_length(cookie_hash) <> 32`;
  expect(row?.found).toBe(0);
});

test('a decision, a stop and a reload may arrive at another process', async () => {
  const { token } = await fixture.scenario({ requireToolApproval: true });
  const other = await fixture.service.another();
  const here = await (await fixture.visitor()).enter(token);
  const there = await fixture.visitor({ cookie: here.headers['cookie'] ?? '' }, other.baseUrl);
  Object.assign(there, { scenarioId: here.scenarioId, sessionId: here.sessionId });
  const approved = here.turn(question);
  const { turn } = await there.until((session) => session.turn?.approval !== undefined);
  const { approvalId, argumentsHash } = turn.approval;
  const path = `${there.scenario}/turns/${turn.turnId}`;
  const decision = { approvalId, argumentsHash, decision: 'approve' };
  expect((await there.send('POST', `${path}/approvals`, decision)).status).toBe(200);
  expect((await approved).lines.at(-1)).toMatchObject({ type: 'turn_finish' });
  const stopped = here.turn(question);
  const next = await there.until((session) => session.turn?.approval !== undefined);
  await there.send('POST', `${there.scenario}/turns/${next.turn.turnId}/stop`);
  expect((await stopped).lines.map(({ type }) => type)).toContain('note');
  expect((await there.read()).turn.status).toBe('stopped');
  await other.stop();
});

test('the environment is what it is at each turn; one that is archived closes the link', async () => {
  const { token, environmentId } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  expect((await guest.turn(question)).status).toBe(200);
  const archive = { expectedRevision: 1 };
  await fixture.get(200, 'POST', `environments/${environmentId}/archive`, archive);
  for (const answer of [await guest.turn(question), await guest.redeem({ token })]) {
    expect([answer.status, answer.body.details]).toEqual([409, { code: 'ENV_ARCHIVED' }]);
  }
  expect((await guest.read()).messages).toHaveLength(3);
});
