import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { taskAnswers } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Each request costs 0.4 credits at the price of these models. */
const usage = { prompt_tokens: 2000, completion_tokens: 1000, total_tokens: 3000 };
const greet = { id: 'ask', kind: 'prompt', prompt: 'How are you?' };

let fixture: EvalFixture;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  everything = await startEverythingServer('streamableHttp');
  const paid = { text: 'Fine.', usage };
  const hanging: ModelScript = ({ messages }) =>
    JSON.stringify(messages).includes('for the server') ? paid : 'hang';
  const scripts = { one: () => ({ text: 'A word of the model.' }), priced: () => paid, hanging };
  const price = { inputPerMillion: 1, outputPerMillion: 2 };
  fixture = await startEvalFixture(scripts, {}, { priced: price, hanging: price });
});
afterAll(async () => {
  await fixture.stop();
  await everything.stop();
});

test('sampling, elicitation and tasks are no failure of the server, and stand in the trace', async () => {
  const server = await fixture.save(everything.url);
  const pin = (toolName: string, given: object) => [
    { id: 'pin', kind: 'toolCall', serverName: server.name, toolName, arguments: given },
  ];
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    model: 'local/one',
    cases: [
      { title: 'samples', steps: pin('trigger-sampling-request', { prompt: 'Hi' }) },
      {
        title: 'asks',
        steps: pin('trigger-elicitation-request', {}),
        elicitations: [{ action: 'cancel' }],
      } as never,
      { title: 'works', steps: pin('simulate-research-query', { topic: 'python' }) },
    ],
  });
  const { trials, runId, run } = await fixture.run(suiteId);
  expect(trials.map(({ result }) => result)).toEqual(['passed', 'passed', 'passed']);
  expect(run.result).toBe('passed');
  const traces = await Promise.all(
    trials.map(({ id }) => fixture.get(200, 'GET', `eval-runs/${runId}/iterations/${id}/trace`)),
  );
  const messagesText = traces.map((trace) => JSON.stringify(trace.messages)).join('\n');
  expect(messagesText).toContain('A word of the model.');
  expect(messagesText).toContain('cancel');
  expect(messagesText).toContain('Research Report');
  const asked = traces.flatMap((trace) => trace.serverRequests ?? []);
  expect(asked.map(({ method }) => method).sort()).toEqual([
    'elicitation/create',
    'sampling/createMessage',
  ]);
  expect(traces.flatMap(({ samplingUsage }) => samplingUsage ?? [])).toMatchObject([
    { totalTokens: 15 },
  ]);
  expect(trials.map(({ tokensUsed }) => tokensUsed ?? 0)).toEqual([0, 0, 0]);
});

/**
 * Starts a server whose tool `ask` sends a sampling request to its client; its tool `remove` sends
 * none.
 */
async function asking(words: number) {
  const made: string[] = [];
  const content = { type: 'text', text: 'Something for the server. '.repeat(words) };
  const sampling = { messages: [{ role: 'user', content }], maxTokens: 50 };
  const ask: AskingTool = async (client) => {
    made.push('ask');
    return answerAsResult(await client('sampling/createMessage', sampling));
  };
  const remove: AskingTool = async () => {
    made.push('remove');
    return { content: [] };
  };
  const server = await startAskingServer({ ask, remove });
  const { id, name } = await fixture.save(server.url);
  const after = ['ask', 'remove'].map((toolName) => ({
    id: toolName,
    kind: 'toolCall',
    serverName: name,
    toolName,
    arguments: {},
  }));
  const suiteOn = (model: string) => {
    const one = { title: 'One', steps: [greet], after };
    return fixture.suite({ serverIds: [id], model, cases: [one] });
  };
  return { made, suiteOn, stop: () => server.stop() };
}

const owedBy = (runId: string) =>
  fixture.service.owner.sql`select from owed_teardowns where run_id = ${runId}`;

function ledgerOf(runId: string) {
  return fixture.service.owner.sql<{ lease: string; credits: number }[]>`
    select split_part(step, ' ', 2) as lease, credits::float8 as credits from ledger
    where ref = ${`${runId}/1`} order by step`;
}

test('what a server asks of a model after a trial is paid for, also where another makes the calls', async () => {
  const { made, suiteOn, stop } = await asking(1);
  const suiteId = await suiteOn('local/hanging');
  const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
  await expect.poll(() => owedBy(runId).then(({ count }) => count), { timeout: 10_000 }).toBe(1);
  const { sql } = fixture.service.owner;
  await sql`update owed_teardowns set lease = 1 where run_id = ${runId}`;
  await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
  await sql`update owed_teardowns set abandoned_since = now() - interval '1 hour' where run_id = ${runId}`;
  await expect.poll(() => owedBy(runId).then(({ count }) => count), { timeout: 10_000 }).toBe(0);
  expect(made).toEqual(['ask', 'remove']);
  await expect
    .poll(() => ledgerOf(runId), { timeout: 10_000 })
    .toContainEqual({ lease: '0', credits: 0.4 });
  await stop();
});

test('calls after a trial that lack credits cost neither the rest of them nor the trial', async () => {
  const { made, suiteOn, stop } = await asking(20_000);
  const { run, trials } = await fixture.run(await suiteOn('local/priced'), { maxCredits: 5 });
  expect(made).toEqual(['ask', 'remove']);
  expect(run.status).toBe('completed');
  expect(trials).toMatchObject([
    {
      status: 'completed',
      result: 'passed',
      warnings: [
        { path: 'after[0]', code: 'AFTER_FAILED', message: expect.stringContaining('credits') },
      ],
    },
  ]);
  await stop();
});

test('a run that is cancelled cancels the task for which its trial waits, once', async () => {
  const { answers, asked } = taskAnswers({ slow: { looks: [{ status: 'working' }] } });
  const server = await fixture.mcpServer(answers);
  const steps = [
    { id: 'pin', kind: 'toolCall', serverName: server.name, toolName: 'slow', arguments: {} },
  ];
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    cases: [{ title: 'Waits', steps }],
  });
  const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(1);
  await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
  const cancels = () => asked.filter((one) => one.startsWith('tasks/cancel'));
  await expect.poll(cancels, { timeout: 20_000 }).toEqual(['tasks/cancel task-1']);
});
