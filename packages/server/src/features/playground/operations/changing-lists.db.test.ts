import { ownerInPlayground } from '@proofmark/harness/chat-caller.ts';
import { changingTools, listsOf } from '@proofmark/harness/mcp-servers/changing-tools.ts';
import { completed, taskAnswers } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let fixture: VisitFixture;
let offered: string[][] = [];

beforeAll(async () => {
  fixture = await startVisitFixture({
    scripts: {
      opens: ({ messages, tools = [] }) => {
        offered.push(tools.map((tool) => tool.function.name));
        const results = messages.filter(({ role }) => role === 'tool').length;
        const name = ['unlock', 'open'][results];
        return name === undefined
          ? { text: 'It is open.' }
          : { toolCalls: [{ name, arguments: {} }] };
      },
    },
    // Guests may use only models with a price, so this model gets the price zero.
    prices: { opens: { inputPerMillion: 0, outputPerMillion: 0 } },
  });
});
beforeEach(() => {
  offered = [];
});
afterAll(() => fixture.stop());

const expected = [
  ['unlock', 'look'],
  ['open', 'look'],
  ['open', 'look'],
];
const called = (lines: readonly { type: string; toolName?: string }[]) =>
  lines.flatMap(({ type, toolName }) => (type === 'tool_call' ? [toolName] : []));

test('in the playground', async () => {
  const server = await fixture.mcpServer(changingTools());
  const owner = await ownerInPlayground(fixture.service, fixture.tenant);
  const id = await owner.begin({ serverId: server.id });
  const { shown, result } = await owner.sendMessage(id, 'Open it.', { modelId: 'local/opens' });
  expect(result).toMatchObject({ status: 'completed' });
  expect(called(shown)).toEqual(['unlock', 'open']);
  expect(offered).toEqual(expected);
  expect(listsOf(server)).toBe(2);
});

test('behind a share link', async () => {
  const server = await fixture.mcpServer(changingTools());
  const config = { modelId: 'local/opens', serverIds: [server.id] };
  const { token } = await fixture.publish(await fixture.environment(config));
  const guest = await (await fixture.visitor()).enter(token);
  const { lines } = await guest.turn('Open it.');
  expect(called(lines)).toEqual(['unlock', 'open']);
  expect(offered).toEqual(expected);
  expect(listsOf(server)).toBe(2);
});

test('a task of the newer era is followed in the playground, and its result is shown', async () => {
  const done = { looks: [{ status: 'working' }, completed('The door is open.')] };
  const { answers, asked } = taskAnswers({ unlock: done, open: done });
  const server = await fixture.mcpServer(answers);
  const owner = await ownerInPlayground(fixture.service, fixture.tenant);
  const id = await owner.begin({ serverId: server.id });
  const { shown, result } = await owner.sendMessage(id, 'Open it.', { modelId: 'local/opens' });
  expect(result).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(shown)).toContain('The door is open.');
  expect(asked).toEqual([
    'tasks/get task-1',
    'tasks/get task-1',
    'tasks/get task-2',
    'tasks/get task-2',
  ]);
});
