import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { defaultRunLimits } from '../../platform/spending/run-limits.ts';

/**
 * The price in USD per million tokens: 2,000 input tokens and 1,000 output tokens cost 0.4 cents.
 */
const price = { inputPerMillion: 1, outputPerMillion: 2 };
const usage = { prompt_tokens: 2000, completion_tokens: 1000, total_tokens: 3000 };
const silent = () => ({ text: 'It tells nothing.', usage: null });
const answers = () => ({ text: '{"score": 1, "reason": "All of it.", "rubricHits": []}', usage });

let free: EvalFixture;
let capped: EvalFixture;
let withoutUsage: EvalFixture;
beforeAll(async () => {
  const scripts = { one: answers, unpriced: answers, silent, hanging };
  [free, capped, withoutUsage] = await Promise.all([
    startEvalFixture(scripts, {}, { one: price, hanging: price }),
    startEvalFixture(scripts, { creditsPerDay: 10 }, { one: price }),
    startEvalFixture(scripts, { creditsPerDay: 5 }, { silent: price }),
  ]);
});
afterAll(() => Promise.all([free, capped, withoutUsage].map((one) => one?.stop())));

/** The first answer calls a tool, and the second never arrives. */
const hanging = (_: object, count: number) =>
  count % 2 === 1 ? { toolCalls: [{ name: 'price', arguments: {} }], usage } : ('hang' as const);

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
  expect(counters).toEqual([
    { name: 'credits', used: 1.2, reserved: 0, allowed: null },
    // The count includes one trial that was reported when the tenant was created.
    { name: 'trialsPerDay', used: 4, reserved: 0 },
  ]);
  const rows = await free.service.owner.sql<{ ref: string }[]>`
    select ref from ledger where kind = 'trial_step' order by ref`;
  expect(rows.map(({ ref }) => ref)).toEqual(trials.map((_, index) => `${runId}/${index + 1}`));
  const path = `eval-runs/${runId}`;
  expect((await free.ask('GET', path)).body.spending).toEqual({
    credits: 1.2,
    priced: false,
    inputTokens: 12_000,
    outputTokens: 6000,
    judges: { credits: 0, priced: false, ...tokens },
  });
  const { items } = (await free.ask('GET', `${path}/iterations`)).body;
  const ofTrial = { credits: 0, priced: false, inputTokens: 2000, outputTokens: 1000 };
  const spent = { ...ofTrial, credits: 0.4, inputTokens: 4000, outputTokens: 2000 };
  expect(items.map((trial: { spending: object }) => trial.spending)).toEqual(
    Array(3).fill({ ...spent, judges: ofTrial }),
  );
  const listed = await free.ask('GET', `eval-suites/${suiteId}/runs`);
  expect(listed.body.items[0]).not.toHaveProperty('spending');
});

test('before a run its trials are told, and what they cost by the last run that knew', async () => {
  const { id } = await free.mcpServer();
  const suiteId = await free.suite({ serverIds: [id], cases: cases(2) });
  const estimate = async ({ ask }: EvalFixture, suite: string, query = '') =>
    (await ask('GET', `eval-suites/${suite}/run-estimate${query}`)).body;
  const [model] = (await estimate(free, suiteId)).models;
  expect(model).toEqual({ model: 'local/one', trials: 2, cost: 'priced', creditsPerTrial: null });
  await free.run(suiteId);
  expect(await estimate(free, suiteId, '?iterationOverride=3')).toEqual({
    trials: 6,
    credits: expect.closeTo(2.4, 9),
    creditsLeft: null,
    models: [{ ...model, trials: 6, creditsPerTrial: expect.closeTo(0.4, 9) }],
    judges: [],
    servers: [{ id: expect.stringMatching(/^srv_/), name: expect.any(String) }],
  });
  // One step is in the ledger twice, as after a retry whose first answer was lost. The estimate
  // must include both rows. A later run without answers must not change the estimate.
  const { sql } = free.service.owner;
  const [last] = await sql<{ id: string }[]>`
    select id from eval_runs where suite_id = ${suiteId} order by run_number desc limit 1`;
  await sql`
    insert into ledger (organization_id, project_id, day, kind, model, input_tokens, output_tokens, credits, priced, ref, step)
    select organization_id, project_id, day, kind, model, input_tokens, output_tokens, credits, priced, ref, 'lost'
    from ledger where ref = ${`${last?.id}/1`}`;
  const [twice] = (await estimate(free, suiteId)).models;
  expect(twice.creditsPerTrial).toBeCloseTo(0.6, 9);
  const { runId: silentRun } = await free.run(suiteId);
  await sql`
    update ledger set input_tokens = 0, output_tokens = 0, credits = 0
    where ref like ${`${silentRun}/%`}`;
  const [still] = (await estimate(free, suiteId)).models;
  expect(still.creditsPerTrial).toBeCloseTo(0.6, 9);
  const unpriced = { serverIds: [id], cases: cases(1), model: 'local/unpriced' };
  expect(await estimate(free, await free.suite(unpriced))).toMatchObject({
    credits: null,
    models: [{ cost: 'unpriced', creditsPerTrial: null }],
  });
  const ofCapped = { serverIds: [(await capped.mcpServer()).id], cases: cases(1) };
  expect(await estimate(capped, await capped.suite(ofCapped))).toMatchObject({ creditsLeft: 10 });
  const server = await free.mcpServer();
  const step = { id: 'call', kind: 'toolCall', serverId: server.id, serverName: 'orders' };
  const callsOnly = { ...step, toolName: 'order_status', arguments: {} };
  const ofCalls = { serverIds: [server.id], cases: [{ title: 'Calls', steps: [callsOnly] }] };
  expect(await estimate(free, await free.suite(ofCalls))).toMatchObject({ trials: 1, models: [] });
  const refused = await free.ask('GET', `eval-suites/${suiteId}/run-estimate?environmentId=none`);
  expect(refused.body.details.reason).toBe('ENVIRONMENT_NOT_ATTACHED');
});

test('no credit beyond the cap is spent by trials at once; a run ends when no call fits any more', async () => {
  const { id } = await capped.mcpServer();
  const suiteId = await capped.suite({ serverIds: [id], cases: cases(100) });
  const { run } = await capped.run(suiteId);
  const { items: trials } = await capped.get(
    200,
    'GET',
    `eval-runs/${run.id}/iterations?limit=200`,
  );
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits' });
  const summary = await capped.get(200, 'GET', `eval-runs/${run.id}/decision-summary`);
  expect(summary).toMatchObject({ stopReason: 'credits', runStatus: 'cancelled' });
  const ended = trials.filter(({ status }: Trial) => status === 'completed');
  const { ledger, counters } = await ledgerOf(capped);
  expect(ledger).toMatchObject([{ steps: ended.length }]);
  const [credits] = counters;
  expect(credits).toMatchObject({ name: 'credits', reserved: 0 });
  expect(credits?.used).toBeCloseTo(ended.length * 0.4, 9);
  expect(credits?.used).toBeLessThanOrEqual(10);
  // Each of the eight concurrent trials reserves about one credit, its maximum cost. A trial
  // without enough credits waits and does not end.
  expect(credits?.used).toBeGreaterThan(8);
  expect(trials.find((trial: Trial) => trial.status === 'cancelled')).toMatchObject({
    error: 'The credits of the organization were used up before this trial ended.',
  });
});

test('used-up credits begin no run', async () => {
  await capped.service.owner.sql`update daily_counters set used = 10 where counter = 'credits'`;
  const { id } = await capped.mcpServer();
  const suiteId = await capped.suite({ serverIds: [id], cases: cases(1) });
  const again = await capped.ask('POST', 'eval-runs', { suiteId });
  expect(again.status).toBe(403);
  expect(again.body).toMatchObject({
    code: 'FORBIDDEN',
    details: { limit: 'credits', allowedValue: 10, currentValue: 10 },
  });
  expect(again.headers.get('retry-after')).toBeNull();
  await capped.service.owner.sql`update daily_counters set used = 9.5 where counter = 'credits'`;
  const dear = await capped.ask('POST', 'eval-runs', { suiteId });
  expect([dear.status, dear.body.details?.currentValue]).toEqual([403, 9.5]);
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

test('under a cap, a model with a price whose provider tells no tokens costs its worst case', async () => {
  const { id } = await withoutUsage.mcpServer();
  const suiteId = await withoutUsage.suite({
    serverIds: [id],
    cases: cases(100),
    model: 'local/silent',
  });
  const { run } = await withoutUsage.run(suiteId);
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits' });
  const { ledger } = await ledgerOf(withoutUsage);
  expect(ledger[0]?.credits).toBeGreaterThan(4);
  expect(ledger[0]?.credits).toBeLessThanOrEqual(5);
  expect(ledger[0]?.unpriced).toBe(ledger[0]?.steps);
});

test('what a trial asked for is paid also where it is cancelled in the middle', async () => {
  const { id } = await free.mcpServer();
  const suiteId = await free.suite({ serverIds: [id], cases: cases(1), model: 'local/hanging' });
  const { runId } = await free.get(202, 'POST', 'eval-runs', { suiteId });
  await vi.waitFor(() => expect(free.provider.count('hanging')).toBe(2), 10_000);
  await free.get(200, 'POST', `eval-runs/${runId}/cancel`);
  await vi.waitFor(async () => {
    const { ledger } = await ledgerOf(free);
    const lost = ledger.find(({ model }) => model === 'local/hanging');
    expect(lost).toMatchObject({ steps: 1, credits: 0.4, unpriced: 1 });
  }, 10_000);
});

test('a judge that cannot be paid for is refused before it is asked', async () => {
  const { id } = await free.mcpServer();
  const { runId } = await free.run(await free.suite({ serverIds: [id], cases: cases(1) }));
  const cappedApi = await free.service.another({
    models: free.models,
    runLimits: { ...defaultRunLimits, creditsPerDay: 1000 },
  });
  const path = `projects/${free.tenant.projectId}/eval-runs/${runId}/judge`;
  const asked = await call(`${cappedApi.baseUrl}/api/v1/${path}`, {
    method: 'POST',
    key: free.tenant.key,
    body: { enable: true, model: 'local/unpriced' },
  });
  await cappedApi.stop();
  expect(asked.body).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'MODEL_UNPRICED' } });
});

interface Trial {
  readonly status: string;
}
