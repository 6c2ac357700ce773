import { startVisitFixture, tokenOf, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: VisitFixture;
beforeAll(async () => {
  fixture = await startVisitFixture();
});
afterAll(() => fixture.stop());

const owned = (id: string) => `user-testing/scenarios/${id}`;
const reason = (answer: { body: { details?: { reason?: string } } }) => answer.body.details?.reason;

describe('a guest with a link for anybody', () => {
  test('is told what it is, accepts the notice, talks, and finds the conversation again', async () => {
    const { id, token } = await fixture.scenario({ hostStyle: 'desk' });
    const guest = await fixture.visitor();
    const redeemed = await guest.redeem({ token });
    expect(redeemed.body).toEqual({
      scenarioId: id,
      accessVersion: 1,
      role: 'chat',
      mode: 'anyone_with_link',
      title: expect.any(String),
      description: null,
      consented: false,
      feedback: 'off',
      notice: { version: '1-90', text: expect.stringContaining('recorded') },
      requireToolApproval: false,
      clientStyle: 'desk',
      welcome: null,
      servers: [{ name: expect.stringMatching(/^Orders/), optional: false }],
      modelLabel: 'proofmark/lexical-1',
    });
    const early = await guest.send('POST', `${guest.scenario}/sessions`, { accessVersion: 1 });
    expect([early.status, reason(early)]).toEqual([409, 'CONSENT_REQUIRED']);
    const other = await guest.send('POST', `${guest.scenario}/consent`, {
      noticeVersion: '0',
      accessVersion: 1,
    });
    expect([other.status, reason(other)]).toEqual([409, 'CONSENT_REQUIRED']);
    await guest.enter(token);
    const answer = await guest.turn('What is the status of order 4711?');
    expect(answer.lines.map(({ type }) => type)).toEqual([
      ...['turn_start', 'tool_call', 'tool_result', 'text', 'turn_finish'],
    ]);
    expect(answer.lines[1]).toMatchObject({ toolName: 'order_status', callId: 'call_1' });
    expect(answer.lines[2]).toEqual({
      type: 'tool_result',
      callId: 'call_1',
      isError: false,
      text: 'done',
    });
    expect(answer.lines.at(-1)).toEqual({ type: 'turn_finish', messageCount: 2 });
    const { messages, turns, ...session } = await guest.read();
    const { turnId } = messages[0];
    expect(turns).toEqual([{ turnId, clientTurnId: expect.any(String), status: 'completed' }]);
    expect(session).toEqual({ sessionId: guest.sessionId, status: 'active' });
    expect(messages).toMatchObject([
      { role: 'user', text: 'What is the status of order 4711?' },
      { role: 'tool', toolName: 'order_status' },
      { role: 'assistant' },
    ]);
    expect((await guest.redeem({ token })).body.consented).toBe(true);
  });

  test('sends the same turn twice: it runs once', async () => {
    const { token } = await fixture.scenario();
    const guest = await (await fixture.visitor()).enter(token);
    const first = await guest.turn('What is the status of order 4711?', 'one');
    const again = await guest.turn('What is the status of order 4711?', 'one');
    expect(again.lines).toEqual(first.lines);
    expect((await guest.read()).messages).toHaveLength(3);
  });

  test('what is kept of a session says how they came, and not from where', async () => {
    const { token } = await fixture.scenario();
    const headers = {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile canary-agent',
      'accept-language': 'de-CH,de;q=0.9',
    };
    const guest = await (await fixture.visitor(headers)).enter(token);
    await guest.turn('What is the status of order 4711?');
    await guest.begin();
    const rows = await fixture.service.owner.sql`
      select auth_type, recency, device_kind, language, display_name, message_count, turn_count, tool_call_count,
        preview, model_id, consent_version
      from visitor_sessions where scenario_id = ${guest.scenarioId} order by started_at`;
    const common = { authType: 'guest', deviceKind: 'mobile', language: 'de' };
    expect(rows).toMatchObject([
      {
        ...common,
        recency: 'new',
        messageCount: 2,
        turnCount: 1,
        toolCallCount: 1,
        preview: 'What is the status of order 4711?',
        modelId: 'proofmark/lexical-1',
        displayName: expect.stringMatching(/^Guest [0-9a-f]{4}$/),
      },
      { ...common, recency: 'returning', messageCount: 0, preview: null },
    ]);
  });
});

test('a mode that is tightened: stale, and then no way in; the publish row counts', async () => {
  const { id, token, environmentId } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  expect((await guest.turn('What is the status of order 1?')).status).toBe(200);
  await fixture.get(200, 'PATCH', owned(id), { mode: 'project_members' });
  const stale = await guest.turn('And of order 2?');
  expect([stale.status, reason(stale)]).toEqual([409, 'SCENARIO_ACCESS_STALE']);
  for (const body of [{ token }, { scenarioId: id }]) {
    const refused = await guest.redeem(body);
    expect([refused.status, reason(refused)]).toEqual([403, 'SCENARIO_ACCESS_DENIED']);
  }
  const published = await fixture.get(200, 'PUT', `environments/${environmentId}/scenario`, {});
  expect(published.accessVersion).toBe(2);
  expect((await guest.read()).messages).toHaveLength(3);
});

test('a rotated link: who is in goes on, also after renewal; the old one leads nowhere', async () => {
  const { id, token } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  const { link } = await fixture.get(200, 'POST', `${owned(id)}/rotate-link`, {});
  expect((await guest.turn('What is the status of order 1?')).status).toBe(200);
  expect((await guest.renew()).body.accessVersion).toBe(1);
  expect((await guest.turn('What is the status of order 2?')).status).toBe(200);
  expect((await (await fixture.visitor()).redeem({ token })).status).toBe(404);
  const fresh = await (await fixture.visitor()).redeem({ token: tokenOf(link) });
  expect([fresh.status, fresh.body.accessVersion]).toEqual([200, 1]);
});

test('one-time links of invitations let in one browser each, until they are removed', async () => {
  const { id, token } = await fixture.scenario({}, 'invited_only');
  const inviteOf = async (email: string) => {
    const { inviteUrl } = await fixture.get(200, 'PUT', `${owned(id)}/members`, { email });
    return new URL(inviteUrl).hash.replace('#invite=', '');
  };
  const [a, b] = [await inviteOf('a@x.io'), await inviteOf('b@x.io')];
  const first = await (await fixture.visitor()).enter(token, a);
  const second = await (await fixture.visitor()).enter(token, b);
  expect((await first.turn('What is the status of order 1?')).status).toBe(200);
  expect((await second.turn('What is the status of order 1?')).status).toBe(200);
  for (const invite of [a, b]) {
    const other = await (await fixture.visitor()).redeem({ token, invite });
    expect([other.status, reason(other)]).toEqual([403, 'SCENARIO_ACCESS_DENIED']);
  }
  await fixture.get(200, 'DELETE', `${owned(id)}/members/a%40x.io`);
  for (const person of [first, second]) {
    const stale = await person.turn('And of order 2?');
    expect([stale.status, reason(stale)]).toEqual([409, 'SCENARIO_ACCESS_STALE']);
  }
  const removed = await first.renew();
  expect([removed.status, reason(removed)]).toEqual([403, 'SCENARIO_ACCESS_DENIED']);
  first.accessVersion = 2;
  expect((await first.turn('And of order 2?')).status).toBe(403);
  expect((await second.renew()).status).toBe(200);
  expect((await second.turn('What is the status of order 2?')).status).toBe(200);
  expect((await second.read()).messages).toHaveLength(6);
  expect((await fixture.ask('DELETE', `${owned(id)}/members/a%40x.io`)).status).toBe(404);
  const visitorAgain = await (await fixture.visitor()).enter(token, await inviteOf('a@x.io'));
  expect((await visitorAgain.turn('What is the status of order 1?')).status).toBe(200);
});

test('others find nothing of a conversation, and the cookie opens no other door', async () => {
  const { id, token } = await fixture.scenario({ requireToolApproval: true });
  await fixture.get(200, 'PATCH', owned(id), { feedback: 'stars' });
  const mine = await (await fixture.visitor()).enter(token);
  const other = await (await fixture.visitor()).enter(token);
  const asked = mine.turn('What is the status of order 1?');
  const { turn } = await mine.until(({ turn }) => turn?.approval !== undefined);
  const { approvalId, argumentsHash } = turn.approval;
  const decision = { approvalId, argumentsHash, decision: 'approve' };
  const turnPath = `${mine.scenario}/turns/${turn.turnId}`;
  const tried = [
    await other.send('GET', mine.session),
    await other.send('PUT', `${mine.session}/feedback`, { turnId: null, rating: 1 }),
    await other.send('POST', `${mine.session}/end`),
    await other.send('POST', `${turnPath}/approvals`, decision),
    await other.send('POST', `${turnPath}/stop`),
    await other.send('DELETE', mine.session),
  ];
  expect(tried.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await mine.send('POST', `${turnPath}/approvals`, decision)).status).toBe(200);
  expect((await asked).lines.at(-1)).toMatchObject({ type: 'turn_finish' });
  const api = await fetch(`${fixture.service.baseUrl}/api/v1/me`, { headers: mine.headers });
  expect(api.status).toBe(401);
});

test('fetching, as previews and scanners do, opens no link', async () => {
  const { id, token } = await fixture.scenario();
  const before = [await fixture.count('scenario_grants'), await fixture.count('visitor_sessions')];
  const { baseUrl } = fixture.service;
  for (const path of [`/user-testing/shop/${token}`, '/visit/v1/redeem', '/visit/v1/session']) {
    await fetch(baseUrl + path, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } });
  }
  const visitor = await fixture.visitor();
  expect((await visitor.send('GET', `scenarios/${id}/sessions`)).status).toBe(404);
  expect([await fixture.count('scenario_grants'), await fixture.count('visitor_sessions')]).toEqual(
    before,
  );
});

test('writes need our own page: origin, token and a browser that is known', async () => {
  const { token } = await fixture.scenario();
  const guest = await fixture.visitor();
  const { cookie = '', origin = '', 'x-csrf-token': csrf = '' } = guest.headers;
  const other = await fixture.visitor();
  const tries: [Record<string, string>, number][] = [
    [{ cookie, 'x-csrf-token': csrf }, 403],
    [{ cookie, 'x-csrf-token': csrf, origin: 'https://evil.example' }, 403],
    [{ cookie, origin }, 403],
    [{ cookie, origin, 'x-csrf-token': other.headers['x-csrf-token'] ?? '' }, 403],
    [{ origin, 'x-csrf-token': csrf }, 401],
    [{ cookie, origin, 'x-csrf-token': csrf }, 200],
  ];
  for (const [headers, status] of tries) {
    const answer = await fetch(`${fixture.service.baseUrl}/visit/v1/redeem`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect([headers, answer.status]).toEqual([headers, status]);
  }
});

test('the feature switched off: nobody gets in or goes on, and everybody can still read and erase', async () => {
  const { token } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  await guest.turn('What is the status of order 1?');
  const { organizationId } = fixture.tenant;
  await fixture.service.operator.setFeature(organizationId, 'user-testing', 'off');
  const refused = [await guest.turn('And of order 2?'), await guest.redeem({ token })];
  expect(refused.map((one) => [one.status, reason(one)])).toEqual([
    [403, 'FEATURE_UNAVAILABLE'],
    [403, 'FEATURE_UNAVAILABLE'],
  ]);
  expect((await guest.read()).messages).toHaveLength(3);
  expect((await guest.send('DELETE', guest.session)).body).toEqual({
    sessionId: guest.sessionId,
    erased: true,
  });
  await fixture.service.operator.setFeature(organizationId, 'user-testing', 'on');
  expect((await guest.send('GET', guest.session)).status).toBe(404);
});

test('ratings and the end, as the owner wants them', async () => {
  const { id, token } = await fixture.scenario();
  const guest = await (await fixture.visitor()).enter(token);
  const { lines } = await guest.turn('What is the status of order 1?');
  const { turnId } = lines[0];
  const rate = (body: object) => guest.send('PUT', `${guest.session}/feedback`, body);
  expect(reason(await rate({ turnId, rating: 3 }))).toBe('FEEDBACK_OFF');
  await fixture.get(200, 'PATCH', owned(id), { feedback: 'thumbs' });
  expect((await rate({ turnId, rating: 3 })).status).toBe(400);
  expect((await rate({ turnId, rating: 5 })).status).toBe(200);
  expect((await rate({ turnId, rating: 1, comment: 'No.' })).status).toBe(200);
  expect(reason(await rate({ turnId: 'trn_unknown', rating: 1 }))).toBe('NOT_READY');
  expect((await guest.send('POST', `${guest.session}/end`)).body.status).toBe('ended');
  expect((await rate({ turnId: null, rating: 5 })).status).toBe(200);
  const rows = await fixture.service.owner.sql`
    select turn_id, rating, scale, comment from visitor_feedback where session_id = ${guest.sessionId} order by rating`;
  expect(rows).toMatchObject([
    { turnId, rating: 1, scale: 'thumbs', comment: 'No.' },
    { turnId: null, rating: 5, scale: 'thumbs', comment: null },
  ]);
  const [listed] = (await fixture.get(200, 'GET', `${owned(id)}/sessions`)).items;
  expect(listed.feedback).toMatchObject({ rating: 1, scale: 'thumbs', count: 2 });
  const late = await guest.turn('And of order 2?');
  expect([late.status, reason(late)]).toEqual([409, 'SESSION_ENDED']);
  expect(late.body.details).not.toHaveProperty('endedBy');
});
