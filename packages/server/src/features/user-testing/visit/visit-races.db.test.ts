import { signInAs } from '@proofmark/harness/test-service.ts';
import { createMember } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: VisitFixture;
let beforeSecond: () => Promise<unknown> = async () => undefined;
let beforeAnswer: () => Promise<void> = async () => undefined;
let isProviderAway = false;

beforeAll(async () => {
  const price = { inputPerMillion: 0, outputPerMillion: 0 };
  fixture = await startVisitFixture({
    scripts: {
      steps: async ({ messages }) => {
        const answers = messages.filter(({ role }) => role === 'tool').length;
        if (answers === 0) return { toolCalls: [{ name: 'order_status', arguments: {} }] };
        if (answers > 1) return { text: 'Done.' };
        await beforeSecond();
        return { toolCalls: [{ name: 'cancel_order', arguments: {} }] };
      },
      held: async () => {
        await beforeAnswer();
        return { text: 'Done.' };
      },
      dear: () => (isProviderAway ? { status: 400 } : { text: 'It costs.' }),
    },
    prices: { steps: price, held: price, dear: { inputPerMillion: 1, outputPerMillion: 1 } },
  });
});
afterAll(() => fixture.stop());

const question = 'What is the status of order 4711?';
const reason = (answer: { body: { details?: { reason?: string } } }) =>
  answer.body?.details?.reason;

async function statuses(sessionId: string): Promise<string[]> {
  const rows = await fixture.service.owner.sql<{ status: string }[]>`
    select status from visitor_turns where session_id = ${sessionId} order by ordinal`;
  return rows.map(({ status }) => status);
}

test('one message that is sent twice at once is answered once', async () => {
  const { id, token } = await fixture.slowScenario();
  const guest = await (await fixture.visitor()).enter(token);
  const { going } = await fixture.service.owner.transaction(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${id}`}, 0))`;
    const both = [guest.turn(question, 'one'), guest.turn(question, 'one')];
    await untilWaiting(sql, 2);
    return { going: both };
  });
  const refused = await Promise.race(going);
  expect([refused.status, reason(refused)]).toEqual([409, 'TURN_RUNNING']);
  await fixture.untilHeld();
  fixture.letGo();
  const answers = await Promise.all(going);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 200)?.lines.at(-1)).toEqual({
    type: 'turn_finish',
    messageCount: 2,
  });
  expect(await statuses(guest.sessionId)).toEqual(['completed']);
});

describe('no tool is called once', () => {
  async function playing() {
    const server = await fixture.mcpServer();
    const environmentId = await fixture.environment({
      modelId: 'local/steps',
      serverIds: [server.id],
    });
    const published = await fixture.publish(environmentId);
    const guest = await (await fixture.visitor()).enter(published.token);
    const called = () =>
      server.requests.flatMap(({ message }) =>
        message['method'] === 'tools/call' ? [(message['params'] as { name: string }).name] : [],
      );
    return { ...published, guest, called };
  }

  test('the link was closed between two steps', async () => {
    const { guest, environmentId, called } = await playing();
    beforeSecond = () => fixture.get(200, 'DELETE', `environments/${environmentId}/scenario`);
    const { lines } = await guest.turn(question);
    expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'FORBIDDEN' });
    expect(called()).toEqual(['order_status']);
    expect(await statuses(guest.sessionId)).toEqual([]);
  });

  test('its visitor stopped it', async () => {
    const { guest, called } = await playing();
    beforeSecond = async () => {
      const { turn } = await guest.read();
      await guest.send('POST', `${guest.scenario}/turns/${turn.turnId}/stop`);
    };
    await guest.turn(question);
    expect(called()).toEqual(['order_status']);
    expect(await statuses(guest.sessionId)).toEqual(['stopped']);
  });

  test('others took it for interrupted, and it says so', async () => {
    const { guest, called } = await playing();
    beforeSecond = () => fixture.service.owner.sql`
      update visitor_turns set status = 'interrupted' where session_id = ${guest.sessionId}`;
    const { lines } = await guest.turn(question, 'one');
    expect(lines.at(-1)).toMatchObject({
      type: 'error',
      code: 'CONFLICT',
      details: { reason: 'TURN_INTERRUPTED' },
    });
    expect(called()).toEqual(['order_status']);
    expect(await statuses(guest.sessionId)).toEqual(['interrupted']);
    expect(await guest.read()).toMatchObject({
      messages: [{ role: 'user', text: question }],
      turn: { status: 'interrupted', clientTurnId: 'one' },
    });
  });

  test('its conversation was erased', async () => {
    const { guest, called } = await playing();
    beforeSecond = () => guest.send('DELETE', guest.session);
    const { lines } = await guest.turn(question);
    expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'NOT_FOUND' });
    expect(called()).toEqual(['order_status']);
  });
});

test('a conversation that is erased while its turn is stored is gone, and neither fails', async () => {
  const { token } = await fixture.scenario({ modelId: 'local/held' });
  const guest = await (await fixture.visitor()).enter(token);
  const asked = new Promise<void>((resolve) => {
    beforeAnswer = () =>
      new Promise((answerNow) => {
        answer = answerNow;
        resolve();
      });
  });
  let answer = () => {};
  const answered = guest.turn(question);
  await asked;
  const { erased } = await fixture.service.owner.transaction(async (sql) => {
    await sql`select from visitor_turns where session_id = ${guest.sessionId} for update`;
    answer();
    // Two statements wait for the lock: the one that stores the turn, and the heartbeat of the
    // process.
    await untilWaiting(sql, 2);
    const erasing = guest.send('DELETE', guest.session);
    await untilWaiting(sql, 3);
    return { erased: erasing };
  });
  expect((await erased).status).toBe(200);
  expect((await answered).lines.at(-1)).toMatchObject({ type: 'turn_finish' });
  expect(await statuses(guest.sessionId)).toEqual([]);
  expect((await guest.send('GET', guest.session)).status).toBe(404);
});

test('of a member who lost the project during a turn nothing is kept', async () => {
  const { token } = await fixture.slowScenario('project_members');
  const { service, tenant } = fixture;
  const { accountId } = await createMember(service, tenant, 'member');
  const person = await fixture.visitor(await signInAs(service, accountId));
  const member = await person.enter(token);
  const answer = member.turn(question);
  await fixture.untilHeld();
  await service.owner.sql`delete from memberships where account_id = ${accountId}`;
  fixture.letGo();
  expect((await answer).lines.at(-1)).toMatchObject({ type: 'error', code: 'FORBIDDEN' });
  expect(await statuses(member.sessionId)).toEqual([]);
});

test('of somebody whose invitation goes while their turn is stored nothing is kept', async () => {
  const { id, token } = await fixture.slowScenario('invited_only');
  const members = `user-testing/scenarios/${id}/members`;
  const { inviteUrl } = await fixture.get(200, 'PUT', members, { email: 'a@x.io' });
  const guest = await (await fixture.visitor()).enter(token, inviteUrl.split('#invite=')[1]);
  const answer = guest.turn(question);
  await fixture.untilHeld();
  await fixture.service.owner.transaction(async (sql) => {
    await sql`select from scenarios where id = ${id} for update`;
    fixture.letGo();
    await untilWaiting(sql, 1);
    await sql`update scenario_grants set revoked_at = clock_timestamp() where scenario_id = ${id}`;
    await sql`update scenarios set access_version = access_version + 1 where id = ${id}`;
  });
  expect((await answer).lines.at(-1)).toMatchObject({ type: 'error', code: 'FORBIDDEN' });
  expect(await statuses(guest.sessionId)).toEqual([]);
});

test('an erasure is in the audit log, and not whose it was', async () => {
  const { service, tenant } = fixture;
  const { token } = await fixture.scenario({}, 'project_members');
  const { accountId } = await createMember(service, tenant, 'member');
  const member = await (await fixture.visitor(await signInAs(service, accountId))).enter(token);
  await member.send('DELETE', member.session);
  const lines = await service.owner.sql`
    select project_id, account_id, account_email, caller_kind, action, details from audit_log
    where subject_id = ${member.sessionId}`;
  expect(lines).toEqual([
    {
      projectId: tenant.projectId,
      accountId: null,
      accountEmail: 'visitor',
      callerKind: 'visitor',
      action: 'scenario.sessionDeleted',
      details: null,
    },
  ]);
});

test('what was said in a turn that failed stays until the same message came to an end', async () => {
  const { id, token } = await fixture.scenario({ modelId: 'local/dear' });
  const allow = (dailyCreditCap: number) =>
    fixture.get(200, 'PUT', `user-testing/scenarios/${id}/guest-execution`, {
      enabled: true,
      sharedSkillsEnabled: false,
      computerEnabled: false,
      dailyCreditCap,
      dailyComputerStartCap: 0,
      maxConcurrentComputers: 0,
    });
  await allow(1000);
  const guest = await (await fixture.visitor()).enter(token);
  isProviderAway = true;
  expect((await guest.turn(question, 'one')).lines.at(-1)).toMatchObject({ type: 'error' });
  isProviderAway = false;
  await allow(0);
  expect((await guest.turn(question, 'one')).status).toBe(429);
  expect(await guest.read()).toMatchObject({
    messages: [{ role: 'user', text: question }],
    turn: { status: 'failed', clientTurnId: 'one' },
  });
  const path = `user-testing/scenarios/${id}/sessions`;
  const owned = await fixture.get(200, 'GET', `${path}/${guest.sessionId}`);
  expect(owned.messages).toMatchObject([{ role: 'user', text: question }]);
  await allow(1000);
  expect((await guest.turn(question, 'one')).lines.at(-1)).toEqual({
    type: 'turn_finish',
    messageCount: 2,
  });
  expect(await statuses(guest.sessionId)).toEqual(['completed']);
});
