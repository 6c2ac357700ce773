/**
 * In the playground, a tool that may write is called only with the person's consent, regardless of
 * the client's settings.
 */
import { type ChatCaller, ownerInPlayground } from '@proofmark/harness/chat-caller.ts';
import { called } from '@proofmark/harness/play-trial.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: VisitFixture;
let owner: ChatCaller;

beforeAll(async () => {
  fixture = await startVisitFixture({
    scripts: {
      cancels: ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: 'Done.' }
          : { toolCalls: [{ name: 'cancel_order', arguments: {} }] },
    },
  });
  owner = await ownerInPlayground(fixture.service, fixture.tenant);
});
afterAll(() => fixture.stop());

test.each([
  ['approve', ['cancel_order'], false],
  ['deny', [], true],
])('it waits for its person, who says: %s', async (decision, made, isError) => {
  const inputSchema = { type: 'object' };
  const server = await fixture.mcpServer({
    'tools/list': { tools: [{ name: 'cancel_order', inputSchema }] },
    'tools/call': { content: [{ type: 'text', text: 'Order 4711 was cancelled.' }] },
  });
  const id = await owner.begin({ serverId: server.id });
  const answer = owner.sendMessage(id, 'Cancel it', { modelId: 'local/cancels' });
  const isAsked = ({ type }: { type: string }) => type === 'approval_required';
  const { turns, asksFirst } = await owner.until(id, ({ turns }) => turns[0]?.lines.some(isAsked));
  expect(asksFirst).toBe(false);
  expect(called(server)).toEqual([]);
  const [turn] = turns;
  const { approvalId, argumentsHash } = turn.lines.find(isAsked);
  const path = `chat-sessions/${id}/turns/${turn.turnId}/approvals`;
  const decided = await owner.send('POST', path, { approvalId, decision, argumentsHash });
  expect(decided.status, decided.text).toBe(200);
  const { shown, result } = await answer;
  expect(called(server)).toEqual(made);
  expect(shown.find(({ type }) => type === 'tool_result')).toMatchObject({ isError });
  expect(result.status).toBe('completed');
});
