import { TraceEvent } from '@proofmark/domain';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendEvents,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const secret = 'key-4f9a77-0123456789';
let fixture: EvalFixture;
let chatty: FakeMcpServer;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  everything = await startEverythingServer('streamableHttp');
  fixture = await startEvalFixture({ one: () => ({ text: 'Done.' }) });
  chatty = await startFakeMcpServer({
    'tools/call': (response, request) => {
      const got = request.headers['x-api-key'];
      const notifications = [`I was sent ${got}.`, `${'x'.repeat(1_990)}${got}`].map((data) => ({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data },
      }));
      sendEvents(response, [...notifications, rpcResult(request, { content: [] })]);
      response.end();
    },
  });
});
afterAll(async () => {
  await fixture.stop();
  await chatty.stop();
  await everything.stop();
});

async function tracesOf(serverIds: string[], serverName: string, toolName: string, given = {}) {
  const suiteId = await fixture.suite({
    serverIds,
    cases: [
      {
        title: 'calls',
        steps: [{ id: 'pin', kind: 'toolCall', serverName, toolName, arguments: given }],
      },
    ],
  });
  const { trials, runId } = await fixture.run(suiteId);
  expect(trials.map(({ result }) => result)).toEqual(['passed']);
  return fixture.get(200, 'GET', `eval-runs/${runId}/iterations/${trials[0]?.id}/trace`);
}

test('a log message is in the stored trace, without what the server was sent', async () => {
  const name = unique('Chatty');
  const { id } = await fixture.get(201, 'POST', 'servers', {
    name,
    enabled: true,
    transportType: 'http',
    url: chatty.url,
    headers: { 'X-Api-Key': secret },
  });
  const trace = await tracesOf([id], name, 'echo');
  expect(chatty.requests.some(({ headers }) => headers['x-api-key'] === secret)).toBe(true);
  expect(trace.events.map((event: unknown) => TraceEvent.parse(event))).toEqual([
    {
      atMs: expect.any(Number),
      kind: 'log',
      serverName: name,
      text: 'I was sent [hidden].',
      data: { level: 'info' },
    },
    // The text is redacted before it is cut, so that no part of the secret can remain at the cut.
    expect.objectContaining({ text: `${'x'.repeat(1_990)}[hidden]` }),
  ]);
  const { sql } = fixture.service.owner;
  const stored = await sql<{ text: string }[]>`select eval_traces::text as text from eval_traces`;
  expect(JSON.stringify(stored)).toContain('I was sent');
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test('the reference server tells of its progress, since it is asked to', async () => {
  const server = await fixture.save(everything.url);
  const trace = await tracesOf([server.id], server.name, 'trigger-long-running-operation', {
    duration: 1,
    steps: 4,
  });
  const progressEvents = (trace.events as { kind: string; text: string }[]).filter(
    ({ kind }) => kind === 'progress',
  );
  expect(progressEvents.map(({ text }) => text)).toEqual(['1 / 4', '2 / 4', '3 / 4', '4 / 4']);
});
