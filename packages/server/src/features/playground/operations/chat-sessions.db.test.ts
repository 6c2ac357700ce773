import { setTimeout as after } from 'node:timers/promises';
import type { TextPiece } from '@proofmark/domain';
import {
  type ChatCaller,
  colleagueInPlayground,
  ownerInPlayground,
} from '@proofmark/harness/chat-caller.ts';
import { sendJson } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let fixture: VisitFixture;
let owner: ChatCaller;
const requests: string[] = [];

const slowAnswer = 'Order 4711 was shipped with Bearer token-4f9a77-secret today.';
const question = 'What is the status of order 4711?';
const types = (lines: readonly { type: string }[]) => lines.map(({ type }) => type);
const reason = (answer: { body: { details?: { reason?: string } } }) =>
  answer.body?.details?.reason;

beforeAll(async () => {
  fixture = await startVisitFixture({
    scripts: {
      short: (request) => {
        requests.push(JSON.stringify(request.messages));
        return { text: 'Short answer.' };
      },
      dear: () => ({ text: 'Dear answer.' }),
      slow: () => ({ text: slowAnswer, beforePiece: () => after(80) }),
      halting: () => ({
        text: slowAnswer,
        beforePiece: (piece) => (piece === 3 ? after(20_000) : after(80)),
      }),
    },
    prices: { dear: { inputPerMillion: 100, outputPerMillion: 100 } },
  });
  owner = await ownerInPlayground(fixture.service, fixture.tenant);
});
afterAll(() => fixture.stop());

const shipped = { content: [{ type: 'text', text: 'Order 4711 was shipped.' }] };
const orders = () => fixture.mcpServer({ 'tools/call': shipped });

async function asking() {
  const server = await orders();
  const config = { modelId: 'proofmark/lexical-1', serverIds: [server.id] };
  const client = await fixture.get(201, 'POST', 'clients', {
    name: unique('Careful'),
    config: { ...config, requireToolApproval: true },
  });
  const id = await owner.begin({ clientId: client.id });
  const answer = owner.sendMessage(id, question);
  const { turns } = await owner.until(id, ({ turns }) =>
    turns[0]?.lines.some(({ type }: { type: string }) => type === 'approval_required'),
  );
  const [turn] = turns;
  const asked = turn.lines.find(({ type }: { type: string }) => type === 'approval_required');
  const calls = () =>
    server.requests.filter(({ message }) => message['method'] === 'tools/call').length;
  const decide = (decision: string, argumentsHash: string = asked.argumentsHash) =>
    owner.send('POST', `chat-sessions/${id}/turns/${turn.turnId}/approvals`, {
      approvalId: asked.approvalId,
      decision,
      argumentsHash,
    });
  return { id, answer, turn, decide, calls };
}

describe('what is said', () => {
  test('to a saved server is answered in lines, with the call in its place, and kept', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    const { shown, result } = await owner.sendMessage(id, question);
    const happened = ['turn_start', 'tool_call', 'tool_result', 'text', 'turn_finish'];
    expect(types(shown)).toEqual(happened);
    expect(shown[1]).toMatchObject({ toolName: 'order_status', arguments: { order: '4711' } });
    expect(shown[2]).toMatchObject({ isError: false, text: 'Order 4711 was shipped.' });
    expect(result).toMatchObject({ status: 'completed', lane: 0, modelId: 'proofmark/lexical-1' });
    const read = await owner.read(id);
    expect(read).toMatchObject({
      title: question,
      visibility: 'private',
      ownedByViewer: true,
      problem: null,
      target: { kind: 'server', id: server.id, name: server.name },
      asksFirst: false,
      servers: [{ id: server.id, name: server.name }],
    });
    expect(types(read.turns[0].lines)).toEqual(happened);
  });

  test('before is told to the model with the calls and results of then', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    await owner.sendMessage(id, question);
    await owner.sendMessage(id, 'And now?', { modelId: 'local/short' });
    const sent = requests.at(-1);
    expect(sent).toContain(question);
    expect(sent).toContain('Order 4711 was shipped.');
    expect((await owner.read(id)).turns.map(({ ordinal }: { ordinal: number }) => ordinal)).toEqual(
      [0, 1],
    );
  });

  test('to an environment is answered by its model, and by another where one is named', async () => {
    const server = await orders();
    const environmentId = await fixture.environment({
      modelId: 'local/short',
      serverIds: [server.id],
    });
    const id = await owner.begin({ environmentId });
    expect((await owner.sendMessage(id, 'Hello')).result.modelId).toBe('local/short');
    const other = await owner.sendMessage(id, question, { modelId: 'proofmark/lexical-1' });
    expect(types(other.shown)).toContain('tool_call');
    const unknown = await owner.sendMessage(id, 'Hello', { modelId: 'local/unheard' });
    expect([unknown.status, unknown.body.details.path]).toEqual([400, 'body.modelId']);
    expect((await owner.read(id)).turns).toHaveLength(2);
  });

  test('again with the same id of the page is answered again, and asks nobody', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    const first = await owner.sendMessage(id, 'Hello', {
      messageId: 'one',
      modelId: 'local/short',
    });
    const asked = requests.length;
    const again = await owner.sendMessage(id, 'Hello', {
      messageId: 'one',
      modelId: 'local/short',
    });
    expect(again.result).toEqual(first.result);
    expect(requests).toHaveLength(asked);
  });

  test('to a server that is away says whose doing it was, and may be sent again', async () => {
    const server = await fixture.mcpServer({
      initialize: (response) => sendJson(response, { error: 'no' }, 500),
    });
    const id = await owner.begin({ serverId: server.id });
    const { result, shown } = await owner.sendMessage(id, question, { messageId: 'one' });
    expect(result.status).toBe('failed');
    expect(shown.at(-1)).toMatchObject({ type: 'error', code: 'SERVER_UNREACHABLE' });
    const again = await owner.sendMessage(id, question, { messageId: 'one' });
    expect(again.result.turnId).not.toBe(result.turnId);
    const { turns } = await owner.read(id);
    expect(turns.map(({ turnId }: { turnId: string }) => turnId)).toEqual([again.result.turnId]);
  });
});

test('two models answer one message beside each other, each with its own past', async () => {
  const server = await orders();
  const id = await owner.begin({ serverId: server.id });
  const both = (messageId: string, text: string) =>
    Promise.all([
      owner.sendMessage(id, text, { messageId, lane: 0 }),
      owner.sendMessage(id, text, { messageId, lane: 1, modelId: 'local/short' }),
    ]);
  const [one, other] = await both('one', question);
  expect(one.result).toMatchObject({ ordinal: 0, lane: 0, status: 'completed' });
  expect(other.result).toMatchObject({ ordinal: 0, lane: 1, status: 'completed' });
  await both('two', 'Again?');
  const sent = requests.at(-1);
  expect(sent).toContain('Short answer.');
  expect(sent).not.toContain('was shipped');
  const { turns } = await owner.read(id);
  expect(turns.map((turn: { ordinal: number; lane: number }) => [turn.ordinal, turn.lane])).toEqual(
    [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
  );
});

describe('a call that its person is asked about', () => {
  test('is made when it is approved, by the hash of its arguments and once', async () => {
    const { answer, decide, calls, turn } = await asking();
    expect(turn.status).toBe('awaitingApproval');
    const other = await decide('approve', 'a'.repeat(64));
    expect([other.status, reason(other)]).toEqual([409, 'ARGUMENTS_CHANGED']);
    expect(calls()).toBe(0);
    expect((await decide('approve')).status).toBe(200);
    const twice = await decide('deny');
    expect([twice.status, reason(twice)]).toEqual([409, 'APPROVAL_OVER']);
    expect((await answer).result.status).toBe('completed');
    expect(calls()).toBe(1);
  });

  test('is not made when it is denied', async () => {
    const { answer, decide, calls } = await asking();
    await decide('deny');
    const { shown } = await answer;
    expect(shown.find(({ type }) => type === 'tool_result')).toMatchObject({
      isError: true,
      text: 'Denied.',
    });
    expect(calls()).toBe(0);
  });

  test('is nobody else’s to decide, nor is its turn to stop', async () => {
    const { id, answer, decide, turn } = await asking();
    const colleague = await colleagueInPlayground(fixture.service, fixture.tenant);
    await owner.send('PATCH', `chat-sessions/${id}`, { visibility: 'project' });
    const path = `chat-sessions/${id}/turns/${turn.turnId}`;
    const stop = await colleague.send('POST', `${path}/stop`);
    const answered = await colleague.send('POST', `${path}/approvals`, {
      approvalId: 'apv_1',
      decision: 'approve',
      argumentsHash: 'a'.repeat(64),
    });
    expect([stop.status, answered.status]).toEqual([403, 403]);
    await decide('deny');
    await answer;
  });
});

test('an answer that is stopped keeps what was said, and the next message is taken', async () => {
  const { environmentId } = await fixture.slowScenario();
  const id = await owner.begin({ environmentId });
  const answer = owner.sendMessage(id, question);
  await fixture.untilHeld();
  const { turns } = await owner.read(id);
  const busy = await owner.sendMessage(id, 'Another');
  expect([busy.status, reason(busy)]).toEqual([409, 'TURN_RUNNING']);
  const stopped = await owner.send('POST', `chat-sessions/${id}/turns/${turns[0].turnId}/stop`);
  expect(stopped.body).toEqual({ turnId: turns[0].turnId, stopping: true });
  const { result, shown } = await answer;
  fixture.forget();
  expect(result.status).toBe('stopped');
  expect(types(shown)).toContain('tool_call');
  expect(shown.at(-2)).toEqual({ type: 'note', text: 'Stopped.' });
  expect((await owner.sendMessage(id, 'Hello', { modelId: 'local/short' })).result.status).toBe(
    'completed',
  );
});

describe('an answer that its model says slowly', () => {
  const piecesOf = (shown: readonly { type: string }[]) =>
    shown.filter(({ type }) => type === 'text_piece') as unknown as TextPiece[];
  const soFar = (pieces: readonly TextPiece[]) =>
    pieces.reduce((text, piece) => text.slice(0, piece.at) + piece.text, '');

  test('is shown while it goes on, without secrets, and kept whole', async () => {
    const headers = { Authorization: 'Bearer token-4f9a77-secret' };
    const server = await fixture.mcpServer({}, { headers });
    const id = await owner.begin({ serverId: server.id });
    const { shown, result } = await owner.sendMessage(id, question, { modelId: 'local/slow' });
    const pieces = piecesOf(shown);
    const whole = 'Order 4711 was shipped with [hidden] today.';
    expect(pieces.length).toBeGreaterThan(1);
    expect(whole.startsWith(soFar(pieces))).toBe(true);
    expect(soFar(pieces)).toMatch(/^Order 4711 was/);
    expect(JSON.stringify(shown)).not.toContain('4f9a');
    const kept = result.lines.filter(({ type }: { type: string }) => type.startsWith('text'));
    expect(kept).toEqual([{ type: 'text', text: whole }]);
  });

  test('keeps what was shown where it is stopped', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    const answer = owner.sendMessage(id, question, { modelId: 'local/halting' });
    const { turns } = await owner.until(id, ({ turns }) => turns[0]?.lines.length > 0);
    // Waits until the model has sent some text and then hangs, which takes a while on a busy
    // machine.
    await after(2500);
    await owner.send('POST', `chat-sessions/${id}/turns/${turns[0].turnId}/stop`);
    const { shown, result } = await answer;
    expect(result.status).toBe('stopped');
    // The service shows only text that cannot end in a part of a known secret. Model keys are such
    // secrets too.
    const text = soFar(piecesOf(shown));
    expect('Order 4711 was '.startsWith(text) && text !== '').toBe(true);
    expect(result.lines.slice(1, 3)).toEqual([
      { type: 'text', text },
      { type: 'note', text: 'Stopped.' },
    ]);
  });
});

describe('whose it is', () => {
  test('a private one is seen by nobody else, and a shared one is read and not gone on with', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    await owner.sendMessage(id, question);
    const colleague = await colleagueInPlayground(fixture.service, fixture.tenant);
    const of = `chat-sessions/${id}`;
    expect((await colleague.send('GET', of)).status).toBe(404);
    expect((await colleague.sendMessage(id, 'Hello')).status).toBe(404);
    await owner.send('PATCH', of, { visibility: 'project', title: 'Shipping' });
    const read = await colleague.read(id);
    expect(read).toMatchObject({ title: 'Shipping', ownedByViewer: false });
    expect(read.turns).toHaveLength(1);
    const refused = [
      (await colleague.sendMessage(id, 'Hello')).status,
      (await colleague.send('PATCH', of, { visibility: 'private' })).status,
      (await colleague.send('DELETE', of)).status,
    ];
    expect(refused).toEqual([403, 403, 403]);
    expect((await owner.send('DELETE', of)).body).toEqual({ id, deleted: true });
    expect((await owner.send('GET', of)).status).toBe(404);
  });

  test('is found by what was said in it, with the way to its page', async () => {
    const server = await orders();
    const id = await owner.begin({ serverId: server.id });
    const word = unique('Walrus');
    await owner.sendMessage(id, `Where is the ${word}?`, { modelId: 'local/short' });
    const find = (scope: string) =>
      fixture.get(200, 'GET', `sessions?q=${word.toLowerCase()}&scope=${scope}&sourceType=direct`);
    for (const scope of ['titles', 'transcripts']) {
      const { items } = await find(scope);
      expect(items).toMatchObject([
        {
          id,
          origin: 'ui',
          modelId: 'local/short',
          messageCount: 2,
          link: { path: `/projects/${fixture.tenant.projectId}/playground/${id}` },
        },
      ]);
    }
    await owner.send('PATCH', `chat-sessions/${id}`, { title: 'Renamed' });
    expect((await find('titles')).items).toEqual([]);
    expect((await find('transcripts')).items).toHaveLength(1);
  });
});

test('it becomes a case that expects the calls it led to', async () => {
  const server = await orders();
  const id = await owner.begin({ serverId: server.id });
  const body = { suiteId: fixture.tenant.suiteId };
  const make = () => owner.send('POST', `chat-sessions/${id}/eval-case`, body);
  expect([(await make()).status, reason(await make())]).toEqual([409, 'TRANSCRIPT_NOT_AVAILABLE']);
  await owner.sendMessage(id, question);
  const made = await make();
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    title: question,
    models: [{ model: 'proofmark/lexical-1' }],
    steps: [
      { kind: 'prompt', prompt: question },
      {
        kind: 'assert',
        assertion: { type: 'toolCalledWith', toolName: 'order_status' },
      },
    ],
  });
});

test('secrets of servers are in no line and in nothing that is kept', async () => {
  const secret = 'hush-4e1f0c7a9b';
  const result = { content: [{ type: 'text', text: `The key is ${secret}.` }] };
  const server = await fixture.mcpServer(
    { 'tools/call': result },
    { headers: { 'x-api-key': secret } },
  );
  const id = await owner.begin({ serverId: server.id });
  const { text } = await owner.sendMessage(id, `${question} ${secret}`);
  expect(text).toContain('[hidden]');
  expect(text.replaceAll(`4711? ${secret}`, '')).not.toContain(secret);
  const [row] = await fixture.service.owner.sql<Record<string, string>[]>`
    select lines, messages, trace, title, preview from chat_turns
    join chat_sessions session on session.id = session_id where session_id = ${id}`;
  expect(JSON.stringify(row)).not.toContain(secret);
});

test('the credits of the day hold, and a refused message is no turn', async () => {
  const limits = { ...defaultSpending.limits, creditsPerDay: 0.0001 };
  const poor = await fixture.service.another({ spending: { limits, brakes: false } });
  const person = await ownerInPlayground(fixture.service, fixture.tenant, poor.baseUrl);
  const server = await orders();
  const id = await person.begin({ serverId: server.id });
  const refused = await person.sendMessage(id, 'Hello', { modelId: 'local/dear' });
  expect([refused.status, refused.body.details.limit]).toEqual([403, 'credits']);
  expect((await person.read(id)).turns).toEqual([]);
  await poor.stop();
  expect((await owner.sendMessage(id, 'Hello', { modelId: 'local/dear' })).result.status).toBe(
    'completed',
  );
  const [row] = await fixture.service.owner.sql<{ credits: number }[]>`
    select sum(credits)::float8 as credits from ledger where kind = 'chat_turn' and model = 'local/dear'`;
  expect(row?.credits).toBeGreaterThan(0);
});

test('what it was held with may go, and what was said stays', async () => {
  const server = await orders();
  const id = await owner.begin({ serverId: server.id });
  await owner.sendMessage(id, 'Hello', { modelId: 'local/short' });
  await fixture.get(200, 'DELETE', `servers/${server.id}`);
  const read = await owner.read(id);
  expect(read).toMatchObject({ target: { name: null }, problem: expect.any(String) });
  expect(read.turns).toHaveLength(1);
  expect((await owner.sendMessage(id, 'Hello')).status).toBe(400);
});

test('it is held with exactly one thing of the project', async () => {
  const begin = (body: object) => owner.send('POST', 'chat-sessions', body);
  const both = { serverId: 'srv_1', clientId: 'cli_1' };
  expect([(await begin({})).status, (await begin(both)).status]).toEqual([400, 400]);
  const unknown = await begin({ serverId: 'srv_unknown' });
  expect([unknown.status, unknown.body.details.path]).toEqual([400, 'body.serverId']);
});

test('a turn whose process died is interrupted', async () => {
  const server = await orders();
  const id = await owner.begin({ serverId: server.id });
  const { sql } = fixture.service.owner;
  await sql`
    insert into chat_turns (id, organization_id, session_id, ordinal, message_id, lane, text, model_id, beat_at)
    values (${unique('ctn')}, ${fixture.tenant.organizationId}, ${id}, 0, 'one', 0, 'Hi', 'local/short',
      now() - interval '1 minute')`;
  expect((await owner.read(id)).turns[0].status).toBe('interrupted');
});
