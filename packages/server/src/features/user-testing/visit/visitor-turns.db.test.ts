import { visitBounds } from '@proofmark/domain';
import { startChild } from '@proofmark/harness/start-child.ts';
import {
  orderTools,
  startVisitFixture,
  tokenOf,
  type VisitFixture,
  type Visitor,
} from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: VisitFixture;

beforeAll(async () => {
  fixture = await startVisitFixture();
});
afterAll(() => fixture.stop());

const owned = (id: string) => `user-testing/scenarios/${id}`;
const reason = (answer: { body: { details?: { reason?: string } } }) =>
  answer.body?.details?.reason;
const types = (lines: readonly { type: string }[]) => lines.map(({ type }) => type);
const question = 'What is the status of order 4711?';

describe('a call that its visitor is asked about', () => {
  async function asked(tools = () => orderTools) {
    const server = await fixture.mcpServer({
      'tools/list': (response, { message }) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const result = { tools: tools() };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
      },
    });
    const config = {
      modelId: 'proofmark/lexical-1',
      serverIds: [server.id],
      requireToolApproval: true,
    };
    const { token } = await fixture.publish(await fixture.environment(config));
    const guest = await (await fixture.visitor()).enter(token);
    const answer = guest.turn(question);
    const { turn } = await guest.until((session) => session.turn?.approval !== undefined);
    const calls = () =>
      server.requests.filter(({ message }) => message['method'] === 'tools/call').length;
    const decide = (decision: string, argumentsHash: string = turn.approval.argumentsHash) =>
      guest.send('POST', `${guest.scenario}/turns/${turn.turnId}/approvals`, {
        approvalId: turn.approval.approvalId,
        decision,
        argumentsHash,
      });
    return { answer, turn, decide, calls, guest };
  }

  test('is made when it is approved, by the hash of its arguments and once', async () => {
    const { answer, turn, decide, calls } = await asked();
    expect(turn).toMatchObject({
      status: 'awaitingApproval',
      approval: {
        toolName: 'order_status',
        argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const other = await decide('approve', 'a'.repeat(64));
    expect([other.status, reason(other)]).toEqual([409, 'ARGUMENTS_CHANGED']);
    expect(calls()).toBe(0);
    expect((await decide('approve')).status).toBe(200);
    const twice = await decide('deny');
    expect([twice.status, reason(twice)]).toEqual([409, 'APPROVAL_OVER']);
    const { lines } = await answer;
    expect(types(lines)).toEqual([
      ...['turn_start', 'tool_call', 'approval_required', 'tool_result', 'text', 'turn_finish'],
    ]);
    expect(lines[2].argumentsHash).toBe(turn.approval.argumentsHash);
    expect(calls()).toBe(1);
  });

  test('is not made when it is denied, and the model is told', async () => {
    const { answer, decide, calls, guest } = await asked();
    await decide('deny');
    const { lines } = await answer;
    expect(lines.find(({ type }) => type === 'tool_result')).toMatchObject({ isError: true });
    expect(lines.at(-1)).toMatchObject({ type: 'turn_finish' });
    expect(calls()).toBe(0);
    const [row] = await fixture.service.owner.sql<{ evidence: string; toolCallCount: number }[]>`
      select evidence, tool_call_count from visitor_turns join visitor_sessions session on session.id = session_id
      where session_id = ${guest.sessionId}`;
    expect(row?.toolCallCount).toBe(0);
    expect(JSON.parse(row?.evidence ?? '').turns[0]).toMatchObject([{ notMade: 'denied' }]);
  });

  test('is not made when nobody answers in five minutes', async () => {
    const { answer, turn, calls, decide } = await asked();
    const { sql } = fixture.service.owner;
    expect(turn.approval.expiresAt - Date.now()).toBeGreaterThan(visitBounds.approvalMs - 60_000);
    await sql`update visitor_approvals set expires_at = now() where id = ${turn.approval.approvalId}`;
    const { lines } = await answer;
    expect(lines.find(({ type }) => type === 'tool_result')).toMatchObject({
      isError: true,
      text: 'Not approved in time.',
    });
    expect(calls()).toBe(0);
    expect((await decide('approve')).status).toBe(409);
  });

  test('is not made when its tool was defined anew meanwhile', async () => {
    let tools: object[] = orderTools;
    const { answer, decide, calls } = await asked(() => tools as typeof orderTools);
    tools = orderTools.map((tool) => ({ ...tool, description: 'Cancels everything.' }));
    await decide('approve');
    const { lines } = await answer;
    expect(lines.find(({ type }) => type === 'tool_result')?.text).toMatch(/has changed/);
    expect(calls()).toBe(0);
  });
});

test('a turn that is stopped keeps what was said', async () => {
  const { token } = await fixture.slowScenario();
  const guest = await (await fixture.visitor()).enter(token);
  const answer = guest.turn(question, 'one');
  await fixture.untilHeld();
  const { turn } = await guest.read();
  const running = await guest.turn('Another', 'two');
  expect([running.status, reason(running)]).toEqual([409, 'TURN_RUNNING']);
  expect((await guest.turn(question, 'one')).status).toBe(409);
  const stop = await guest.send('POST', `${guest.scenario}/turns/${turn.turnId}/stop`);
  expect(stop.body).toEqual({ turnId: turn.turnId, stopping: true });
  expect(types((await answer).lines)).toEqual(['turn_start', 'tool_call', 'note', 'turn_finish']);
  fixture.letGo();
  expect(await guest.read()).toMatchObject({
    messages: [{ role: 'user', text: question }, { role: 'tool' }],
    turn: { status: 'stopped' },
    turns: [{ status: 'stopped', clientTurnId: 'one', turnId: turn.turnId }],
  });
  const again = guest.turn(question, 'one');
  await fixture.untilHeld();
  fixture.letGo();
  expect((await again).lines.at(-1)).toEqual({ type: 'turn_finish', messageCount: 2 });
  expect((await guest.read()).messages).toHaveLength(3);
});

test('a turn goes on when its visitor has left', async () => {
  const { token } = await fixture.slowScenario();
  const guest = await (await fixture.visitor()).enter(token);
  const leaving = new AbortController();
  const body = { text: question, clientTurnId: 'one', accessVersion: 1 };
  const left = fetch(`${fixture.service.baseUrl}/visit/v1/${guest.session}/turns`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: leaving.signal,
    headers: { ...guest.headers, 'content-type': 'application/json' },
  });
  left.catch(() => undefined);
  await fixture.untilHeld();
  leaving.abort();
  fixture.letGo();
  const session = await guest.until(({ turn }) => turn === undefined);
  expect(session.messages).toHaveLength(3);
  expect((await guest.turn(question, 'one')).lines.at(-1)).toMatchObject({ messageCount: 2 });
});

describe('a link that changes during a turn', () => {
  const changes = {
    unpublish: ({ environmentId }: Changed) =>
      fixture.get(200, 'DELETE', `environments/${environmentId}/scenario`),
    tighten: ({ id }: Changed) => fixture.get(200, 'PATCH', owned(id), { mode: 'project_members' }),
    remove: ({ id }: Changed) => fixture.get(200, 'DELETE', `${owned(id)}/members/a%40x.io`),
    rotate: ({ id }: Changed) => fixture.get(200, 'POST', `${owned(id)}/rotate-link`, {}),
  };
  interface Changed {
    readonly id: string;
    readonly environmentId: string;
  }

  test.each([
    // After each change: `stored` is the number of stored turns. The others are HTTP statuses of
    // the next turn, the old link in a new browser, and the new link.
    ['unpublish', { stored: 0, next: 403, oldLink: 404, newLink: 404 }],
    ['tighten', { stored: 0, next: 409, oldLink: 403, newLink: 403 }],
    ['remove', { stored: 0, next: 409, oldLink: 403, newLink: 403 }],
    ['rotate', { stored: 1, next: 200, oldLink: 404, newLink: 200 }],
  ] as const)('%s', async (change, cells) => {
    const isOpen = change !== 'remove';
    const scenario = await fixture.slowScenario(isOpen ? 'anyone_with_link' : 'invited_only');
    const { id, token } = scenario;
    let invite: string | undefined;
    if (!isOpen) {
      const made = await fixture.get(200, 'PUT', `${owned(id)}/members`, { email: 'a@x.io' });
      invite = new URL(made.inviteUrl).hash.replace('#invite=', '');
    }
    const guest = await (await fixture.visitor()).enter(token, invite);
    const answer = guest.turn(question);
    await fixture.untilHeld();
    const { link } = await changes[change](scenario);
    const stored = await countStored(guest);
    if (cells.stored === 1) fixture.letGo();
    const { lines } = await answer;
    fixture.letGo();
    expect(stored).toBe(0);
    expect(await countStored(guest)).toBe(cells.stored);
    expect(lines.at(-1)?.type).toBe(cells.stored === 1 ? 'turn_finish' : 'error');
    const next = guest.turn(question);
    if (cells.next === 200) {
      await fixture.untilHeld();
      fixture.letGo();
    }
    expect((await next).status).toBe(cells.next);
    expect((await (await fixture.visitor()).redeem({ token })).status).toBe(cells.oldLink);
    const renewed = link === undefined ? token : tokenOf(link);
    expect((await (await fixture.visitor()).redeem({ token: renewed })).status).toBe(cells.newLink);
  });

  async function countStored({ sessionId }: Visitor): Promise<number> {
    const rows = await fixture.service.owner.sql`
      select from visitor_turns where session_id = ${sessionId} and completed_at is not null`;
    return rows.length;
  }

  test('others’ turns are kept when somebody is removed', async () => {
    const { id, token } = await fixture.slowScenario('invited_only');
    const inviteOf = async (email: string) => {
      const made = await fixture.get(200, 'PUT', `${owned(id)}/members`, { email });
      return new URL(made.inviteUrl).hash.replace('#invite=', '');
    };
    const a = await (await fixture.visitor()).enter(token, await inviteOf('a@x.io'));
    const b = await (await fixture.visitor()).enter(token, await inviteOf('b@x.io'));
    const answers = [a.turn(question), b.turn(question)];
    await fixture.untilHeld(2);
    await changes.remove({ id, environmentId: '' });
    await answers[0];
    fixture.letGo();
    expect((await answers[1])?.lines.at(-1)).toMatchObject({ type: 'turn_finish' });
    expect([await countStored(a), await countStored(b)]).toEqual([0, 1]);
  });
});

test('a process that dies leaves its turn interrupted; sent again, it runs once more and is kept once', async () => {
  const { token } = await fixture.slowScenario();
  const { service } = fixture;
  const child = startChild('./serve-api.child.ts', [
    service.serviceUrl,
    service.secretKey.toString('hex'),
  ]);
  const { port } = await child.first;
  const guest = await (await fixture.visitor({}, `http://127.0.0.1:${port}`)).enter(token);
  const dying = guest.turn(question, 'one').catch(() => undefined);
  await fixture.untilHeld();
  child.kill('SIGKILL');
  await child.closed;
  await dying;
  fixture.forget();
  const here = await fixture.visitor({
    cookie: guest.headers['cookie'] ?? '',
  });
  Object.assign(here, { scenarioId: guest.scenarioId, sessionId: guest.sessionId });
  expect((await here.read()).turn.status).toBe('running');
  expect((await here.turn(question, 'one')).status).toBe(409);
  const { sql } = service.owner;
  await sql`
    update visitor_turns set beat_at = beat_at - ${visitBounds.silentMs} * interval '1 millisecond'
    where session_id = ${guest.sessionId}`;
  expect(await here.read()).toMatchObject({
    messages: [{ role: 'user', text: question }],
    turn: { status: 'interrupted', clientTurnId: 'one' },
  });
  const again = here.turn(question, 'one');
  await fixture.untilHeld();
  fixture.letGo();
  expect((await again).lines.at(-1)).toEqual({ type: 'turn_finish', messageCount: 2 });
  expect((await here.read()).messages).toHaveLength(3);
});
