/**
 * Tools that echo their input: the model and the assertions get the echo unchanged, but secrets in
 * it are redacted before storage.
 */
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeMcpServer,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const header = 'echoed-"4f9a77"-header';
const inPath = 'p4th-0123456789-abcdef';
const inQuery = 'query-value-of-the-url';
let fixture: EvalFixture;
let echo: FakeMcpServer;
beforeAll(async () => {
  const reason = `I was told ${header}.`;
  fixture = await startEvalFixture({
    one: () => ({ text: 'Done.' }),
    judge: () => ({ text: JSON.stringify({ score: 0.9, reason, rubricHits: [] }) }),
  });
  echo = await startFakeMcpServer({
    'tools/list': {
      tools: ['echo', 'fail'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      const got = String(request.headers['x-api-key']);
      const base64 = Buffer.from(got).toString('base64');
      const echo = `I got ${got}, ${base64}, ${JSON.stringify({ got })}, ${inPath} and ${inQuery}.`;
      if (name === 'fail') return sendJson(response, rpcError(request, -32000, echo));
      const content = [{ type: 'text', text: echo }];
      return sendJson(
        response,
        rpcResult(request, { content, structuredContent: { got, said: echo } }),
      );
    },
  });
});
afterAll(async () => {
  await fixture.stop();
  await echo.stop();
});

test('what a tool echoes of headers and address is in no trace, result or error', async () => {
  const { origin } = new URL(echo.url);
  const name = unique('Echo');
  const { id } = await fixture.get(201, 'POST', 'servers', {
    name,
    enabled: true,
    transportType: 'http',
    url: `${origin}/${inPath}?token=${inQuery}`,
    headers: { 'X-Api-Key': header },
  });
  const pin = (toolName: string) => ({
    id: toolName,
    kind: 'toolCall',
    serverName: name,
    toolName,
    arguments: {},
  });
  const suiteId = await fixture.suite({
    serverIds: [id],
    cases: [
      { title: 'echoes', steps: [pin('echo')] },
      { title: 'fails', steps: [pin('fail')] },
    ],
  });
  const { runId, trials } = await fixture.run(suiteId);
  expect(trials).toHaveLength(2);
  expect(echo.requests.at(-1)?.headers['x-api-key']).toBe(header);
  const { sql } = fixture.service.owner;
  const stored = await sql<{ text: string }[]>`
    select eval_iterations::text as text from eval_iterations where run_id = ${runId}
    union all select eval_traces::text from eval_traces where run_id = ${runId}
    union all select eval_runs::text from eval_runs where id = ${runId}`;
  const shown = await Promise.all(
    trials.map((trial) =>
      fixture.get(200, 'GET', `eval-runs/${runId}/iterations/${trial.id}/trace`),
    ),
  );
  const all = JSON.stringify([stored, shown, trials]);
  expect(all).toContain('[hidden]');
  const base64 = Buffer.from(header).toString('base64').replace(/=+$/, '');
  for (const secret of ['4f9a77', inPath, inQuery, base64]) expect(all).not.toContain(secret);
});

test('what judges say of them is in no reason of a vote', async () => {
  const { id } = await fixture.get(201, 'POST', 'servers', {
    name: unique('Echo'),
    enabled: true,
    transportType: 'http',
    url: echo.url,
    headers: { 'X-Api-Key': header },
  });
  const goal = { type: 'goalCompleted', outcome: 'It is done.', judgeModel: 'local/judge' };
  const suiteId = await fixture.suite({
    serverIds: [id],
    settings: { checks: [{ ...goal, votes: 3 }] },
    cases: [{ title: 'judged', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Do it.' }] }],
  });
  const [trial] = (await fixture.run(suiteId)).trials;
  const { votes } = trial.scores.at(-1);
  expect(votes).toEqual(
    Array(3).fill({ score: 0.9, passed: true, reason: 'I was told [hidden].' }),
  );
  expect(JSON.stringify(trial)).not.toContain('4f9a77');
});

test('a header that says a word of ours changes no decision', async () => {
  const decide = async (headers: Record<string, string>) => {
    const name = unique('Words');
    const { id } = await fixture.get(201, 'POST', 'servers', {
      name,
      enabled: true,
      transportType: 'http',
      url: echo.url,
      headers,
    });
    const suiteId = await fixture.suite({
      serverIds: [id],
      cases: [
        {
          title: 'fails',
          steps: [
            { id: 'fail', kind: 'toolCall', serverName: name, toolName: 'fail', arguments: {} },
          ],
        },
      ],
    });
    const { runId } = await fixture.run(suiteId);
    const { sql } = fixture.service.owner;
    return sql`
      select status, result, scores, chain from eval_iterations where run_id = ${runId}`;
  };
  const words = { 'X-Api-Key': 'completed', 'X-Token': 'protocolError', Cookie: 'a=notReached' };
  expect(await decide(words)).toEqual(await decide({ 'X-Api-Key': 'x' }));
});
