/** A run over HTTP against the reference server, whose tools ask a model, ask the user and work as tasks. */

import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  everything = await startEverythingServer('streamableHttp');
  fixture = await startEvalFixture({ one: () => ({ text: 'A word of the model.' }) });
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
  const said = traces.map((trace) => JSON.stringify(trace.messages)).join('\n');
  expect(said).toContain('A word of the model.');
  expect(said).toContain('cancel');
  expect(said).toContain('Research Report');
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
