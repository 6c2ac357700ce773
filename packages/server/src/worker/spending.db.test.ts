/** What runs and judges cost, and what a cap of credits does to them. */
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A dollar for a million tokens in, two for a million out: 2,000 and 1,000 tokens are 0.4 cents. */
const price = { inputPerMillion: 1, outputPerMillion: 2 };
const usage = { prompt_tokens: 2000, completion_tokens: 1000, total_tokens: 3000 };
const answers = () => ({ text: '{"score": 1, "reason": "All of it.", "rubricHits": []}', usage });

let free: EvalFixture;
let capped: EvalFixture;
beforeAll(async () => {
  const scripts = { one: answers, unpriced: answers };
  [free, capped] = await Promise.all([
    startEvalFixture(scripts, {}, { one: price }),
    startEvalFixture(scripts, { creditsPerDay: 1, trialsAtOncePerRun: 1 }, { one: price }),
  ]);
});
afterAll(() => Promise.all([free?.stop(), capped?.stop()]));

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Say something.' }];
const cases = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Case ${index}`, steps }));

function ledgerOf({ service, tenant }: EvalFixture) {
  return service.operator.readSpending(tenant.organizationId, undefined);
}

test('a trial has one row, written with it, by the price of the launch; a judge has its own', async () => {
  const { id } = await free.mcpServer();
  const settings = { judge: { enabled: true, autoRun: true, model: 'local/unpriced' } };
  const suiteId = await free.suite({ serverIds: [id], cases: cases(3), settings });
  const { runId, trials } = await free.run(suiteId);
  await free.judged(runId);
  const { ledger, counters } = await ledgerOf(free);
  const tokens = { inputTokens: 6000, outputTokens: 3000 };
  expect(ledger).toEqual([
    { kind: 'judge', model: 'local/unpriced', steps: 3, ...tokens, credits: 0, unpriced: 3 },
    { kind: 'trial_step', model: 'local/one', steps: 3, ...tokens, credits: 1.2, unpriced: 0 },
  ]);
  expect(counters).toEqual([{ name: 'credits', used: 1.2, reserved: 0 }]);
  const rows = await free.service.owner.sql<{ ref: string }[]>`
    select ref from ledger where kind = 'trial_step' order by ref`;
  expect(rows.map(({ ref }) => ref)).toEqual(trials.map((trial) => trial.id).sort());
});

test('used-up credits end a run between its trials, and begin no other', async () => {
  const { id } = await capped.mcpServer();
  const suiteId = await capped.suite({ serverIds: [id], cases: cases(20) });
  const { run, trials } = await capped.run(suiteId);
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits' });
  const ended = trials.filter(({ status }) => status === 'completed');
  expect(ended.length).toBeGreaterThanOrEqual(3);
  expect(ended.length).toBeLessThan(20);
  expect(trials.find(({ status }) => status === 'cancelled')).toMatchObject({
    error: 'The credits of the organization were used up before this trial began.',
  });
  const again = await capped.ask('POST', 'eval-runs', { suiteId });
  expect(again.status).toBe(403);
  expect(again.body).toMatchObject({
    code: 'FORBIDDEN',
    details: { limit: 'credits', allowedValue: 1 },
  });
  expect(again.body.details.currentValue).toBeCloseTo(ended.length * 0.4, 9);
  expect(again.headers.get('retry-after')).toBeNull();
});

test('where credits are capped, a model without a price is refused', async () => {
  const { id } = await capped.mcpServer();
  const unpriced = { serverIds: [id], cases: cases(1), model: 'local/unpriced' };
  const refused = await capped.ask('POST', 'eval-runs', {
    suiteId: await capped.suite(unpriced),
  });
  expect(refused.status).toBe(403);
  expect(refused.body.details).toEqual({ reason: 'MODEL_UNPRICED', model: 'local/unpriced' });
});
