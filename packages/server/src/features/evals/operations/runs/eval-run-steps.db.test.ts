import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { createReporter, failing, unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;
beforeAll(async () => {
  fixture = await startEvalFixture({ one: () => ({ text: 'Good day.' }) });
  serverId = (await fixture.mcpServer()).id;
});
afterAll(() => fixture.stop());

const says = (id: string, text: string) => ({
  id,
  kind: 'assert',
  assertion: { type: 'responseContains', needle: text },
});
const ask = (id: string) => ({ id, kind: 'prompt', prompt: 'Say hello.' });
const steps = [ask('ask'), says('late', 'Good night'), ask('again'), says('polite', 'Good')];

const suiteOf = () =>
  fixture.suite({ serverIds: [serverId], cases: [{ title: 'Greeting', steps }] });
const path = (runId: string, trialId: string) => `eval-runs/${runId}/iterations/${trialId}/steps`;

test('of a trial that failed at its second step: ok, fail with its reason, and the others left out', async () => {
  const { runId, trials } = await fixture.run(await suiteOf());
  const { items } = await fixture.get(200, 'GET', path(runId, trials[0].id));
  expect(
    items.map((item: Record<string, unknown>) => [item['stepIndex'], item['stepId'], item['kind']]),
  ).toEqual([
    ...[
      [0, 'ask', 'prompt'],
      [1, 'late', 'assert'],
      [2, 'again', 'prompt'],
    ],
    ...[[3, 'polite', 'assert']],
  ]);
  expect(items.map(({ status }: { status: string }) => status)).toEqual([
    ...['ok', 'fail', 'skipped', 'skipped'],
  ]);
  expect(items[0].reason).toBeNull();
  expect(items[1].reason).toContain('Good night');
  expect(items[2].reason).toContain('"late"');

  const trace = await fixture.get(200, 'GET', path(runId, trials[0].id).replace('steps', 'trace'));
  const { promptIndex, spanIds, messageStartIndex, messageEndIndex } = items[0].evidence;
  expect(promptIndex).toBe(0);
  const shown = trace.spans.filter(({ id }: { id: string }) => spanIds.includes(id));
  expect(shown.map(({ category }: { category: string }) => category).sort()).toEqual([
    ...['llm', 'step'],
  ]);
  expect(trace.messages.slice(messageStartIndex, messageEndIndex + 1)).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
  ]);
  expect(items[3].evidence).toEqual({ promptIndex: 1 });
});

test('of a run that is no more than launched they wait, and without a trace there is no evidence', async () => {
  await fixture.restartWorker({
    meanwhile: async () => {
      const suiteId = await suiteOf();
      const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
      const { items: trials } = await fixture.get(200, 'GET', `eval-runs/${runId}/iterations`);
      const waiting = await fixture.get(200, 'GET', path(runId, trials[0].id));
      expect(waiting.items).toHaveLength(4);
      for (const item of waiting.items) {
        expect(item).toMatchObject({ status: 'pending', reason: null, evidence: {} });
      }
      await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
      const { items } = await fixture.get(200, 'GET', path(runId, trials[0].id));
      for (const item of items) expect(item).toMatchObject({ status: 'skipped', evidence: {} });
      expect(items[0].reason).toBe((await fixture.read(runId)).trials[0].error);
    },
  });
});

test('a reported trial has no authored steps, and a trial of another run is not found', async () => {
  const { service, tenant } = fixture;
  const reporter = createReporter(service, tenant);
  const report = { suiteName: unique('Suite'), results: [failing] };
  const { runId } = await fixture.expect(200, reporter.ingest('report', report));
  const [reported] = (await fixture.read(runId)).trials;
  expect(await fixture.get(200, 'GET', path(runId, reported.id))).toEqual({ items: [] });

  const other = await fixture.run(await suiteOf());
  const answer = await fixture.ask('GET', path(other.runId, reported.id));
  expect(answer.status).toBe(404);
  expect(answer.text).toBe((await fixture.ask('GET', path(other.runId, 'itr_unknown'))).text);
  expect((await fixture.ask('GET', path(runId, other.trials[0].id))).status).toBe(404);
});
