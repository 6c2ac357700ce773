import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { startTestWorker } from '@proofmark/harness/test-worker.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../../platform/database/database.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { payTrials, stepOfTrial } from '../../../platform/spending/store/paid-trials.ts';
import {
  keepSpent,
  reserveAnew,
  settleSilentReservations,
} from '../../../platform/spending/store/reservations.ts';
import { limitRunCredits, readRunCredits } from '../../../platform/spending/store/run-credits.ts';

/**
 * Dollars per million tokens. A request with 2,000 input and 1,000 output tokens costs 0.4 cents,
 * which is 0.4 credits.
 */
const price = { inputPerMillion: 1, outputPerMillion: 2 };
const usage = { prompt_tokens: 2000, completion_tokens: 1000, total_tokens: 3000 };
const answers = () => ({ text: '{"score": 1, "reason": "All of it.", "rubricHits": []}', usage });
const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Say something.' }];
const cases = (count: number, more: object[] = []) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Case ${index}`,
    steps: [...steps, ...more],
  }));

let fixture: EvalFixture;
beforeAll(async () => {
  const scripts = { one: answers, judge: answers, unpriced: answers };
  fixture = await startEvalFixture(scripts, {}, { one: price, judge: price });
});
afterAll(() => fixture?.stop());

const inTenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
  fixture.service.database.tenant([fixture.tenant.organizationId], work);
const creditsOf = (runId: string) => inTenant((sql) => readRunCredits(sql, runId));

async function spentOn(runId: string): Promise<number> {
  const [row] = await fixture.service.owner.sql<{ credits: number }[]>`
    select coalesce(sum(credits), 0)::float8 as credits from ledger where ref like ${`${runId}/%`}`;
  return row?.credits ?? 0;
}

test('workers together spend no more than the run may; the rest is cancelled, and the run says so', async () => {
  const { id } = await fixture.mcpServer();
  const suiteId = await fixture.suite({ serverIds: [id], cases: cases(100) });
  const others = await Promise.all(
    [1, 2].map(() =>
      startTestWorker(fixture.service, fixture.models, {
        trialsAtOnce: 8,
        runLimits: { ...defaultRunLimits, concurrentRuns: 1000 },
      }),
    ),
  );
  const [{ runId, run, summary }, unlimited] = await Promise.all([
    fixture.run(suiteId, { maxCredits: 10 }),
    fixture.run(await fixture.suite({ serverIds: [id], cases: cases(3) })),
  ]);
  await Promise.all(others.map((worker) => worker.stop()));
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits', maxCredits: 10 });
  expect(summary).toMatchObject({ runStatus: 'cancelled', stopReason: 'credits', maxCredits: 10 });
  const spent = await spentOn(runId);
  expect(spent).toBeLessThanOrEqual(10);
  expect(spent).toBeGreaterThan(8);
  const counted = await creditsOf(runId);
  expect(counted).toMatchObject({ maxCredits: 10, reserved: 0 });
  expect(counted?.used).toBeCloseTo(spent, 9);
  const { items } = await fixture.get(200, 'GET', `eval-runs/${runId}/iterations?limit=200`);
  expect(items.find(({ status }: { status: string }) => status === 'cancelled')).toMatchObject({
    error: 'The run had used up its maxCredits before this trial ended.',
  });
  // The limit of one run does not affect another.
  expect(unlimited.run).toMatchObject({ status: 'completed' });
  expect(unlimited.run).not.toHaveProperty('maxCredits');
});

test('a run that its credits ended is decided by what was measured, if its policy is content with that', async () => {
  const { id } = await fixture.mcpServer();
  const fails = {
    id: 'says',
    kind: 'assert',
    assertion: { type: 'responseContains', needle: 'never said' },
  };
  const ended = async (validity: object) => {
    const settings = { verdictPolicyDefaults: { validity } };
    const suiteId = await fixture.suite({ serverIds: [id], cases: cases(1, [fails]), settings });
    return fixture.run(suiteId, { maxCredits: 2, iterationOverride: 10 });
  };
  const content = await ended({ minCompletionRate: 0.1, minEligibleTrials: 1 });
  expect(content.summary).toMatchObject({ stopReason: 'credits', verdict: 'failed' });
  const strict = await ended({});
  expect(strict.summary).toMatchObject({ stopReason: 'credits', verdict: 'inconclusive' });
  const poor = await fixture.run(await fixture.suite({ serverIds: [id], cases: cases(2) }), {
    maxCredits: 0.01,
  });
  expect(poor.run).toMatchObject({ status: 'cancelled', stopReason: 'credits' });
  expect(poor.summary.verdict).not.toBe('passed');
  expect(await spentOn(poor.runId)).toBe(0);
});

test('judges spend of the same: one for whom nothing is left is not asked, and says why', async () => {
  const { id } = await fixture.mcpServer();
  const settings = { judge: { enabled: true, autoRun: true, model: 'local/judge' } };
  const suiteId = await fixture.suite({ serverIds: [id], cases: cases(3), settings });
  // Three trials cost 1.2 credits; a judge needs at most about one more.
  const { runId, run } = await fixture.run(suiteId, { maxCredits: 2.4 });
  expect(run.status).toBe('completed');
  const judged = await fixture.judged(runId);
  expect(await spentOn(runId)).toBeLessThanOrEqual(2.4);
  const unpaid = judged.cases.filter(({ score }: { score: number | null }) => score === null);
  expect(unpaid.length).toBeGreaterThan(0);
  for (const { reason } of unpaid) {
    expect(reason).toBe('The judge was not asked: the run had used up its maxCredits.');
  }
  await fixture.service.owner.sql`
    update run_credits set used = max_credits where run_id = ${runId}`;
  const again = await fixture.ask('POST', `eval-runs/${runId}/judge`, { force: true });
  expect([again.status, again.body.details]).toEqual([
    403,
    { limit: 'maxCredits', allowedValue: 2.4, currentValue: 2.4 },
  ]);
});

test('each run of a group may spend as much as its launch says', async () => {
  const { id } = await fixture.mcpServer();
  const launchGroup = async (model: string, maxCredits: number) => {
    const clients = await Promise.all([1, 2].map(() => fixture.client({ modelId: model })));
    const hosts = clients.map((host) => ({ host, servers: [id] }));
    const suiteId = await fixture.suite({
      serverIds: [id],
      cases: cases(10),
      model,
      patch: { hosts },
    });
    const targets = clients.map((namedHostId) => ({ namedHostId }));
    return fixture.ask('POST', 'eval-run-groups', { suiteId, targets, maxCredits });
  };
  const launched = await launchGroup('local/one', 2);
  expect(launched.status, launched.text).toBe(202);
  for (const { runId } of launched.body.targets) {
    const { run } = await fixture.read(runId);
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits', maxCredits: 2 });
    const spent = await spentOn(runId);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(2);
  }
  const unpriced = await launchGroup('local/unpriced', 1);
  expect([unpriced.status, unpriced.body.details.reason]).toEqual([403, 'MODEL_UNPRICED']);
  const below = await launchGroup('local/one', -1);
  expect([below.status, below.body.details.path]).toEqual([400, 'body.maxCredits']);
});

test('a run without credits runs where nothing costs any', async () => {
  const { id, name } = await fixture.mcpServer();
  const pinned = { id: 'pin', kind: 'toolCall', serverName: name, toolName: 'weather' };
  const suiteId = await fixture.suite({
    serverIds: [id],
    model: 'proofmark/lexical-1',
    cases: [...cases(1), { title: 'Pinned', steps: [{ ...pinned, arguments: { city: 'Rome' } }] }],
  });
  const { run } = await fixture.run(suiteId, { maxCredits: 0 });
  expect(run).toMatchObject({ status: 'completed', maxCredits: 0 });
});

test('votes in a trial spend of the same: where one cannot be had the run ends, and says so', async () => {
  const { id } = await fixture.mcpServer();
  const goal = { type: 'goalCompleted', outcome: 'Something is said.', judgeModel: 'local/judge' };
  const suiteId = await fixture.suite({
    serverIds: [id],
    cases: cases(1),
    settings: { checks: [{ ...goal, votes: 5 }] },
  });
  const { runId, run, trials } = await fixture.run(suiteId, { maxCredits: 2 });
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'credits', maxCredits: 2 });
  expect(trials).toMatchObject([{ status: 'cancelled', result: null }]);
  const spent = await spentOn(runId);
  expect(spent).toBeGreaterThan(0.4);
  expect(spent).toBeLessThanOrEqual(2);
});

test('a model without a price cannot be limited', async () => {
  const { id } = await fixture.mcpServer();
  const unpriced = { serverIds: [id], cases: cases(1), model: 'local/unpriced' };
  const suiteId = await fixture.suite(unpriced);
  const refused = await fixture.ask('POST', 'eval-runs', { suiteId, maxCredits: 5 });
  expect(refused.status).toBe(403);
  expect(refused.body.details).toEqual({ reason: 'MODEL_UNPRICED', model: 'local/unpriced' });
  const settings = { judge: { enabled: true, autoRun: true, model: 'local/unpriced' } };
  const judged = await fixture.suite({ serverIds: [id], cases: cases(1), settings });
  expect((await fixture.ask('POST', 'eval-runs', { suiteId: judged, maxCredits: 5 })).status).toBe(
    403,
  );
  const below = await fixture.ask('POST', 'eval-runs', { suiteId, maxCredits: -1 });
  expect(below.body.details.path).toBe('body.maxCredits');
});

const moves = ['ask', 'answer', 'end', 'die'] as const;

test('whatever holders of its trials do at once, the limit holds and the count is what was paid', async () => {
  const { organizationId, projectId } = fixture.tenant;
  const place = { organizationId, projectId };
  const check = fc.asyncProperty(
    fc.array(
      fc.record({
        trial: fc.integer({ min: 1, max: 6 }),
        move: fc.constantFrom(...moves),
        credits: fc.integer({ min: 1, max: 400 }).map((cents) => cents / 100),
      }),
      { minLength: 5, maxLength: 40 },
    ),
    async (script) => {
      const { runId } = await insertLaunchedRun(fixture.service, place, {
        cases: 1,
        repetitions: 1,
      });
      await inTenant((sql) => limitRunCredits(sql, { id: runId, organizationId }, 5));
      const spent = new Map<number, number>();
      const leases = new Map<number, number>();
      const stepOf = (trial: number) => ({
        ...stepOfTrial(
          runId,
          trial,
          { kind: 'trial_step', model: 'm' },
          `${leases.get(trial) ?? 0}`,
        ),
        model: 'm',
      });
      const play = async (trial: number, mine: typeof script) => {
        for (const { move, credits } of mine) {
          const known = spent.get(trial) ?? 0;
          const step = stepOf(trial);
          if (move === 'ask') {
            const asked = { ...step, credits: known + credits, spent: known, isUnderWay: false };
            const { isReserved } = await inTenant((sql) =>
              reserveAnew(sql, place, asked, 1e9, { isOfLimitedRun: true }),
            );
            if (!isReserved) continue;
            spent.set(trial, known + credits);
          } else if (move === 'answer') {
            await inTenant((sql) => keepSpent(sql, place, { ...step, credits: known }, false));
          } else if (move === 'end') {
            const cost = { inputTokens: 1, outputTokens: 1, credits: known, priced: true };
            const spending = { kind: 'trial_step', model: 'm', cost, isReserved: true } as const;
            const paid = [{ step, spent: spending }];
            await inTenant((sql) => payTrials(sql, place, paid));
            spent.set(trial, 0);
            leases.set(trial, (leases.get(trial) ?? 0) + 1);
          } else {
            // The worker dies and reports nothing more, so the trial's reservation is charged in
            // full.
            spent.set(trial, 0);
            leases.set(trial, (leases.get(trial) ?? 0) + 1);
          }
          const { used = 0, reserved = 0 } = (await creditsOf(runId)) ?? {};
          expect(used + reserved).toBeLessThanOrEqual(5 + 1e-9);
        }
      };
      const trials = [1, 2, 3, 4, 5, 6];
      await Promise.all(
        trials.map((trial) =>
          play(
            trial,
            script.filter((one) => one.trial === trial),
          ),
        ),
      );
      await fixture.service.owner.sql`
        update credit_reservations set reserved_at = now() - interval '3 hours'
        where ref like ${`${runId}/%`}`;
      await settleSilentReservations(fixture.service.database);
      const counted = await creditsOf(runId);
      expect(counted?.reserved).toBeCloseTo(0, 9);
      expect(counted?.used).toBeCloseTo(await spentOn(runId), 9);
    },
  );
  await fc.assert(check, { numRuns: 15 });
});
