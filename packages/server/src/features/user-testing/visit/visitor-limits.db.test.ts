import { defaultVisitLimits } from '@proofmark/domain';
import {
  startVisitFixture,
  type VisitFixture,
  type Visitor,
} from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let fixture: VisitFixture;
beforeAll(async () => {
  fixture = await startVisitFixture({
    scripts: {
      dear: () => ({ text: 'It costs.' }),
      unpriced: () => ({ text: 'Who knows.' }),
      asking: () => ({
        text: 'I look it up.',
        toolCalls: [{ name: 'order_status', arguments: { order: '4711' } }],
        usage: { prompt_tokens: 10, completion_tokens: 3000, total_tokens: 3010 },
      }),
      sly: ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: String(messages.at(-1)?.content) }
          : { toolCalls: [{ name: 'cancel_order', arguments: { order: '4711' } }] },
      free: ({ messages }) => ({ text: messages.map(({ role }) => role).join(' ') }),
    },
    prices: {
      dear: { inputPerMillion: 1, outputPerMillion: 1 },
      asking: { inputPerMillion: 1, outputPerMillion: 1 },
      sly: { inputPerMillion: 0, outputPerMillion: 0 },
      free: { inputPerMillion: 0, outputPerMillion: 0 },
    },
  });
});
afterAll(() => fixture.stop());

const owned = (id: string) => `user-testing/scenarios/${id}`;
const reason = (answer: { body: { details?: { reason?: string } } }) =>
  answer.body?.details?.reason;
const question = 'What is the status of order 4711?';

describe('what strangers spend', () => {
  const guestExecution = {
    enabled: true,
    sharedSkillsEnabled: false,
    computerEnabled: false,
    dailyCreditCap: 1,
    dailyComputerStartCap: 0,
    maxConcurrentComputers: 0,
  };

  test('a model that costs nothing is allowed, one without a price is not, the others as the owner says', async () => {
    const tryWith = async (modelId: string, set?: object) => {
      const { id, token } = await fixture.scenario({ modelId });
      if (set) await fixture.get(200, 'PUT', `${owned(id)}/guest-execution`, set);
      const answer = await (await (await fixture.visitor()).enter(token)).turn(question);
      return [answer.status, reason(answer)];
    };
    expect(await tryWith('local/free')).toEqual([200, undefined]);
    expect(await tryWith('local/unpriced', guestExecution)).toEqual([403, 'MODEL_UNPRICED']);
    expect(await tryWith('local/dear')).toEqual([403, 'GUEST_EXECUTION_DISABLED']);
    const off = { ...guestExecution, enabled: false };
    expect(await tryWith('local/dear', off)).toEqual([403, 'GUEST_EXECUTION_DISABLED']);
  });

  test('never passes the cap of the day, however many ask at once', async () => {
    const visitLimits = {
      visitorRedeemsPerMinute: null,
      visitorIdentitiesPerHour: null,
      linkIdentitiesPerHour: null,
      visitorTurnsPerMinute: null,
      scenarioTurnsPerMinute: null,
      guestTurnsAtOnce: null,
      scenarioTurnsAtOnce: null,
      visitorRetentionDays: 90,
    };
    const doors = [
      await fixture.service.another({ visitLimits }),
      await fixture.service.another({ visitLimits }),
    ];
    const { id, token } = await fixture.scenario({ modelId: 'local/dear' });
    // The cap is 1 credit and one turn may cost up to 0.41, so the cap covers only some of the
    // concurrent turns.
    const cap = guestExecution.dailyCreditCap;
    await fixture.get(200, 'PUT', `${owned(id)}/guest-execution`, guestExecution);
    await fixture.get(200, 'PATCH', owned(id), { feedback: 'stars' });
    const guests: Visitor[] = [];
    for (let count = 0; count < 30; count += 1) {
      const door = doors[count % doors.length]?.baseUrl;
      guests.push(await (await fixture.visitor({}, door)).enter(token));
    }
    const answers = await Promise.all(guests.map((guest) => guest.turn(question)));
    const spent = await spentOf(id);
    expect(spent.used + spent.reserved).toBeLessThanOrEqual(cap);
    const [ledgerRow] = await fixture.service.owner.sql<{ credits: number }[]>`
      select sum(credits)::float8 as credits from ledger where model = 'local/dear'`;
    expect(ledgerRow?.credits).toBeCloseTo(spent.used, 6);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body.details).toMatchObject({ limit: 'dailyCreditCap', allowedValue: cap });
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const [last] = guests.filter((_, index) => answers[index]?.status === 429);
    const rated = await last?.send('PUT', `${last.session}/feedback`, { turnId: null, rating: 2 });
    expect(rated?.status).toBe(200);
    expect((await last?.send('POST', `${last.session}/end`))?.status).toBe(200);
    const left = await last?.read();
    expect(left.messages).toEqual([]);
    for (const door of doors) await door.stop();
  });

  test('a cap that is reached between two steps ends the turn; what was said stays, also when it is sent again', async () => {
    const { id, token } = await fixture.scenario({ modelId: 'local/asking' });
    // The first step reserves about 0.5 credits and costs 0.3, so the second step exceeds the cap
    // of 0.6.
    const set = { ...guestExecution, dailyCreditCap: 0.6 };
    await fixture.get(200, 'PUT', `${owned(id)}/guest-execution`, set);
    const guest = await (await fixture.visitor()).enter(token);
    const { lines } = await guest.turn(question, 'once');
    expect(lines.at(-1)).toMatchObject({
      type: 'error',
      code: 'RATE_LIMITED',
      details: { limit: 'dailyCreditCap', allowedValue: 0.6, currentValue: 0.301 },
    });
    const messages = (await guest.read()).messages;
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      question,
      'I look it up.',
      '',
    ]);
    const again = await guest.turn(question, 'once');
    expect([again.status, again.body.details.limit]).toEqual([429, 'dailyCreditCap']);
    expect((await guest.read()).messages).toEqual(messages);
    expect(await spentOf(id)).toEqual({ used: 0.301, reserved: 0 });
    expect(
      await fixture.service.owner.sql`
      select sum(credits)::float8 as credits, count(*)::integer as rows from ledger where model = 'local/asking'`,
    ).toEqual([{ credits: 0.301, rows: 1 }]);
  });

  async function spentOf(id: string): Promise<{ used: number; reserved: number }> {
    const [row] = await fixture.service.owner.sql<{ used: number; reserved: number }[]>`
      select used::float8 as used, reserved::float8 as reserved from daily_counters
      where counter = ${`guestCredits:${id}`}`;
    return row ?? { used: 0, reserved: 0 };
  }

  test('reach only tools that say they only read, where the owner says so', async () => {
    const { id, token } = await fixture.scenario();
    const set = { ...guestExecution, toolPolicy: 'readOnly' };
    const guest = await (await fixture.visitor()).enter(token);
    const cancel = 'Cancel the order 4711 please';
    expect((await guest.turn(cancel)).lines[1]).toMatchObject({ toolName: 'cancel_order' });
    await fixture.get(200, 'PUT', `${owned(id)}/guest-execution`, set);
    const called = (await guest.turn(cancel)).lines.filter(({ type }) => type === 'tool_call');
    expect(called.filter(({ toolName }) => toolName === 'cancel_order')).toEqual([]);
  });

  test('nor by a name that the model was never given', async () => {
    const reached: unknown[] = [];
    const server = await fixture.mcpServer({
      'tools/call': (response, { message }) => {
        reached.push(message);
        response.writeHead(500).end();
      },
    });
    const config = { modelId: 'local/sly', serverIds: [server.id] };
    const { id, token } = await fixture.publish(await fixture.environment(config));
    const set = { ...guestExecution, toolPolicy: 'readOnly' };
    await fixture.get(200, 'PUT', `${owned(id)}/guest-execution`, set);
    const { lines } = await (await (await fixture.visitor()).enter(token)).turn('Cancel it');
    expect(lines.at(-1)).toMatchObject({ type: 'turn_finish' });
    expect(JSON.stringify(lines)).toContain('There is no tool of this name.');
    expect(reached).toEqual([]);
  });
});

test('at most four strangers are answered at once, and a visitor talks and opens links at a pace', async () => {
  const { token } = await fixture.slowScenario();
  const guests: Visitor[] = [];
  const other = await fixture.service.another();
  for (const door of [undefined, other.baseUrl, undefined, other.baseUrl, other.baseUrl])
    guests.push(await (await fixture.visitor({}, door)).enter(token));
  const four = guests.slice(0, 4).map((guest) => guest.turn(question));
  await fixture.untilHeld(4);
  const fifth = await guests[4]?.turn(question);
  expect([fifth?.status, fifth?.body.details.limit]).toEqual([429, 'guestTurnsAtOnce']);
  fixture.letGo();
  for (const one of await Promise.all(four)) expect(one.status).toBe(200);
  await other.stop();
  const braked = await fixture.service.another({
    spending: defaultSpending,
    visitLimits: { ...defaultVisitLimits, visitorTurnsPerMinute: 2, visitorRedeemsPerMinute: 2 },
  });
  const { token: quick } = await fixture.scenario();
  const guest = await (await fixture.visitor({}, braked.baseUrl)).enter(quick);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await guest.turn('Hello')).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  const tries: number[] = [];
  for (let count = 0; count < 5; count += 1)
    tries.push((await guest.redeem({ token: quick })).status);
  expect(tries).toContain(429);
  await braked.stop();
});

test('nothing secret reaches a visitor, a log or a table', async () => {
  const secrets = { token: '', header: 'canary-header-4711-secret', prompt: 'canary-prompt-words' };
  const server = await fixture.mcpServer(
    {
      'tools/call': (response, { message, headers }) => {
        const text = `You sent ${headers['x-api-key']}`;
        const result = {
          content: [
            { type: 'text', text },
            { type: 'image', mimeType: 'image/png', data: 'A'.repeat(4096) },
          ],
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
      },
    },
    { headers: { 'X-Api-Key': secrets.header } },
  );
  const environmentId = await fixture.environment({
    modelId: 'proofmark/lexical-1',
    serverIds: [server.id],
    systemPrompt: secrets.prompt,
  });
  const { token } = await fixture.publish(environmentId);
  const agent = 'canary-agent/1.0 (desktop)';
  const guest = await fixture.visitor({ 'user-agent': agent });
  const redeemed = await guest.redeem({ token });
  await guest.enter(token);
  const { text, lines } = await guest.turn(question);
  expect(lines.find(({ type }) => type === 'tool_result')).toMatchObject({
    text: 'You sent [hidden]',
    omitted: ['image, 3 KB, not shown'],
  });
  const read = JSON.stringify(await guest.read());
  const shown = redeemed.text + text + read;
  const logs = fixture.service.logLines.join('');
  for (const secret of [token, server.url, secrets.header, secrets.prompt])
    expect([secret, shown.includes(secret), logs.includes(secret)]).toEqual([secret, false, false]);
  const { sql } = fixture.service.owner;
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'proofmark'::regnamespace and relkind in ('r', 'p')`;
  for (const { name } of tables) {
    const rows = await sql.written<{ row: string }[]>(
      `select one::text as row from proofmark."${name}" one`,
      [],
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, secrets.header, agent])
      expect([name, secret, stored.includes(secret)]).toEqual([name, secret, false]);
    if (name.startsWith('visit') || name.startsWith('scenario') || name === 'rate_limits')
      expect([name, stored.includes('127.0.0.1')]).toEqual([name, false]);
  }
});

test('a server that wants a sign-in: left out with a note, or the end of the turn', async () => {
  const closed = await fixture.mcpServer({
    '*': (response) => response.writeHead(401).end(),
    initialize: (response) => response.writeHead(401).end(),
  });
  const open = await fixture.mcpServer();
  const modelId = 'proofmark/lexical-1';
  const withOptional = await fixture.environment({
    modelId,
    serverIds: [open.id],
    optionalServerIds: [closed.id],
  });
  const needed = await fixture.environment({ modelId, serverIds: [open.id, closed.id] });
  const turnIn = async (environmentId: string) => {
    const { token } = await fixture.publish(environmentId);
    const guest = await (await fixture.visitor()).enter(token);
    return { guest, lines: (await guest.turn(question)).lines };
  };
  const optional = await turnIn(withOptional);
  expect(optional.lines[1]).toEqual({ type: 'note', text: expect.stringContaining(closed.name) });
  expect(optional.lines.at(-1)).toMatchObject({ type: 'turn_finish' });
  const required = await turnIn(needed);
  expect(required.lines.at(-1)).toEqual({
    type: 'error',
    code: 'OAUTH_REQUIRED',
    message: expect.stringContaining('its owner must connect it'),
  });
  const [row] = await fixture.service.owner.sql`
    select auth_interrupted from visitor_sessions where id = ${required.guest.sessionId}`;
  expect(row).toEqual({ authInterrupted: true });
});

test('a model is told what was said before', async () => {
  const { token } = await fixture.scenario({ modelId: 'local/free' });
  const guest = await (await fixture.visitor()).enter(token);
  const answerText = async () =>
    (await guest.turn(question)).lines.find(({ type }) => type === 'text').text;
  expect(await answerText()).toBe('user');
  expect(await answerText()).toBe('user assistant user');
});
