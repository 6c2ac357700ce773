import type { ChatRequest } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: VisitFixture;
const secret = 'canary-header-4711-secret';
const asked: ChatRequest[] = [];

beforeAll(async () => {
  fixture = await startVisitFixture({
    scripts: {
      passing: (request) => {
        asked.push(request);
        const { role } = request.messages.at(-1) ?? {};
        if (role === 'tool') return { text: 'Done.' };
        return { toolCalls: [{ name: 'order_status', arguments: { order: secret } }] };
      },
    },
    prices: { passing: { inputPerMillion: 0, outputPerMillion: 0 } },
  });
});
afterAll(() => fixture.stop());

async function visiting(config: object, answers: Parameters<VisitFixture['mcpServer']>[0] = {}) {
  const server = await fixture.mcpServer(answers, { headers: { 'X-Api-Key': secret } });
  const environmentId = await fixture.environment({
    modelId: 'local/passing',
    serverIds: [server.id],
    ...config,
  });
  const { token } = await fixture.publish(environmentId);
  const guest = await (await fixture.visitor()).enter(token);
  const calls = () =>
    server.requests.flatMap(({ message }) =>
      message['method'] === 'tools/call'
        ? [(message['params'] as { arguments: unknown }).arguments]
        : [],
    );
  return { guest, calls };
}

async function keptAnywhere(): Promise<string[]> {
  const { sql } = fixture.service.owner;
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'proofmark'::regnamespace and relkind in ('r', 'p')`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql.written<{ held: boolean }[]>(
      `select exists (select from proofmark."${name}" one where strpos(one::text, $1) > 0) as held`,
      [secret.slice(0, 12)],
    );
    if (row?.held) found.push(name);
  }
  return found;
}

test('a tool gets the exact arguments; what is shown, kept and told again is without the secret', async () => {
  const { guest, calls } = await visiting({});
  const { text, lines } = await guest.turn('Look it up.');
  expect(calls()).toEqual([{ order: secret }]);
  expect(lines.find(({ type }) => type === 'tool_call')).toMatchObject({
    arguments: { order: '[hidden]' },
  });
  asked.length = 0;
  await guest.turn('Again.');
  // The history contains only text. The call is left out, because its stored arguments are redacted
  // and differ from those that the tool got.
  expect(asked[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Look it up.'],
    ['assistant', 'Done.'],
    ['user', 'Again.'],
  ]);
  expect(calls()).toEqual([{ order: secret }, { order: secret }]);
  const shown = text + JSON.stringify(await guest.read());
  expect(shown).not.toContain(secret);
  expect(await keptAnywhere()).toEqual([]);
});

test('a call that its visitor would have to approve unseen is not made, and nobody is asked', async () => {
  const { guest, calls } = await visiting({ requireToolApproval: true });
  const { text, lines } = await guest.turn('Look it up.');
  expect(lines.map(({ type }) => type)).toEqual([
    ...['turn_start', 'tool_call', 'tool_result', 'text', 'turn_finish'],
  ]);
  expect(lines[2]).toMatchObject({ isError: true, text: expect.stringMatching(/secret/) });
  expect(calls()).toEqual([]);
  expect(await fixture.count('visitor_approvals')).toBe(0);
  expect(text).not.toContain(secret);
  expect(await keptAnywhere()).toEqual([]);
});

test('of a secret where the output of a tool is cut nothing is left', async () => {
  const words = `${'x'.repeat(1990)}${secret} and more`;
  const { guest } = await visiting(
    {},
    { 'tools/call': { content: [{ type: 'text', text: words }] } },
  );
  const { text } = await guest.turn('Look it up.');
  expect(text).toContain('x'.repeat(1990));
  expect(text).not.toContain(secret.slice(0, 6));
});

test('of turns that were long ago words are told, and no more of the others than is read at once', async () => {
  const { guest } = await visiting({});
  await guest.turn('One.');
  await guest.turn('Two.');
  const { sql } = fixture.service.owner;
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'order_status', input: {} };
  const output = { type: 'json', value: { content: [{ type: 'text', text: 'y'.repeat(3e6) }] } };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'order_status', output };
  const messages = [
    { role: 'user', content: 'Asked.' },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
    { role: 'assistant', content: [{ type: 'text', text: 'Answered.' }] },
  ];
  await sql`
    update visitor_traces set trace = ${JSON.stringify({ messages })}
    where turn_id in (select id from visitor_turns where session_id = ${guest.sessionId})`;
  asked.length = 0;
  await guest.turn('Three.');
  expect(asked[0]?.messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'user', 'assistant', 'tool', 'assistant', 'user'],
  ]);
});

test('a model that is not offered any more closes the link and says nothing of others', async () => {
  const { guest } = await visiting({ modelId: 'local/unheard-of' });
  const { status, body } = await guest.turn('Look it up.');
  expect([status, body.details]).toEqual([409, { code: 'MODEL_NOT_AVAILABLE' }]);
  expect(JSON.stringify(body)).not.toContain('passing');
});
