import {
  type FakeAnswer,
  rpcResult,
  sendEvents,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { ask, called, sunny, trialPlayer } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
afterAll(() => player.close());

const inputSchema = { type: 'object' };
const calls = (tool: string) => ({ calls: [{ tool, input: {} }] });
const expects = (toolName: string) =>
  ({
    id: `expect-${toolName}`,
    kind: 'assert' as const,
    assertion: { type: 'toolCalledAtLeastOnce', toolName },
  }) as const;

/**
 * Returns the responses of a server whose tools change. A call of `unlock` adds `open`, changes
 * `look`, removes `unlock`, and announces the change before its result.
 */
function changing(says = true, listsAgain = true): Readonly<Record<string, FakeAnswer>> {
  let isUnlocked = false;
  const tools = () =>
    isUnlocked
      ? [
          { name: 'open', inputSchema },
          { name: 'look', description: 'Now lit.', inputSchema },
        ]
      : [
          { name: 'unlock', inputSchema },
          { name: 'look', inputSchema },
        ];
  return {
    'tools/list': (response, request) => {
      if (isUnlocked && !listsAgain) response.writeHead(500).end();
      else sendJson(response, rpcResult(request, { tools: tools() }));
    },
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      const result = rpcResult(request, { content: [{ type: 'text', text: `Done ${name}.` }] });
      const isNew = name === 'unlock' && !isUnlocked;
      isUnlocked ||= isNew;
      const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      sendEvents(response, isNew && says ? [change, result] : [result]);
      response.end();
    },
  };
}
const steps = [ask, expects('unlock'), expects('open')];

test('the model is offered the new list, calls what is new, and the trace says what changed', async () => {
  const lines = [calls('unlock'), calls('open'), sunny];
  const { record, models, server } = await player.play({ steps }, lines, { answers: changing() });
  expect(record).toMatchObject({ status: 'completed', result: 'passed', error: null });
  expect(called(server)).toEqual(['unlock', 'open']);
  const offered = models.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(offered).toEqual([
    ['unlock', 'look'],
    ['open', 'look'],
    ['open', 'look'],
  ]);
  expect(record.trace['listChanges']).toMatchObject([
    { serverName: 'Weather', added: ['open'], removed: ['unlock'], changed: ['look'] },
  ]);
});

test('a server that says nothing is not asked again, and what it did not list is not called', async () => {
  const lines = [calls('unlock'), calls('open'), sunny];
  const { record, server } = await player.play({ steps }, lines, { answers: changing(false) });
  expect(record.result).toBe('failed');
  expect(called(server)).toEqual(['unlock']);
  expect(record.trace).not.toHaveProperty('listChanges');
});

test('a list that cannot be read again stays as it was, and the trace says why', async () => {
  const lines = [calls('unlock'), calls('look'), sunny];
  const given = { steps: [ask, expects('look')] };
  const { record } = await player.play(given, lines, { answers: changing(true, false) });
  expect(record).toMatchObject({ status: 'completed', result: 'passed' });
  expect(record.trace['listChanges']).toMatchObject([
    { added: [], failure: 'The server answered with HTTP 500.' },
  ]);
});
