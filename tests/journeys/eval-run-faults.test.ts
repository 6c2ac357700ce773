/**
 * Tests runs under repeated faults: the service killed right after an acknowledgement; workers
 * killed, paused past their lease, or cut off from PostgreSQL for as long; PostgreSQL killed. Every
 * acknowledged run must end, no trial may exist or be written twice, no worker may write late, and
 * no fault may become a verdict on the server. `PROOFMARK_RUN_FAULTS` makes the series longer and
 * varies it; `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesPerRun, createSuite, launch, prepareLoad, repetitions } from './eval-run-load.ts';
import { countsOf, type Fault, faultKinds, makeTrouble, slicesOf } from './make-trouble.ts';
import { notedTrials } from './run-history.ts';
import type { RunLoad } from './run-load.ts';
import { type NamedProcess, type RunSetup, startRunSetup, type Tenant } from './run-setup.ts';
import { seededChance } from './seeded-chance.ts';

const isLong = process.env['PROOFMARK_RUN_FAULTS'] !== undefined;
const faultCount = Number(process.env['PROOFMARK_RUN_FAULTS'] ?? 5);
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
/**
 * At least one worker must be left to take over. In the long series, one of three workers may be
 * paused while another is killed.
 */
const workerCount = isLong ? 3 : 2;
const pastLeaseMs = 6500;
const trialsPerRun = casesPerRun * repetitions;

let setup: RunSetup;
let tenant: Tenant;
let workers: NamedProcess[];

beforeAll(async () => {
  setup = await startRunSetup(notedTrials);
  tenant = await setup.addTenant('Faults');
  workers = await Promise.all(Array.from({ length: workerCount }, () => setup.startWorker()));
});
afterAll(() => setup?.stop());

test(`${faultCount} faults leave every acknowledged run ended, once and rightly`, {
  timeout: 120_000 + faultCount * 20_000,
}, async () => {
  const load = await prepareLoad(setup, tenant);
  const faults = await makeTrouble({ setup, workers, load, seed, faultCount, kinds: faultKinds });
  await until(
    async () => (await load.open().catch(() => load.acknowledged)).length === 0,
    'all runs ended',
    120_000,
  ).catch(() => undefined);
  const figures = await compare(load, faults);
  console.log(`seed ${seed}: ${JSON.stringify(figures)}`);
  const runs = load.acknowledged.length;
  expect(load.refused).toEqual([]);
  expect(runs, 'too few runs to say anything').toBeGreaterThanOrEqual(faultCount);
  expect(figures.slicesOfTheKilled, 'no kill met a slice').toBeGreaterThan(0);
  expect(figures.slicesOfThePaused, 'no pause met a slice').toBeGreaterThan(0);
  expect(figures.slicesOfTheSilent, 'no silence met a slice').toBeGreaterThan(0);
  expect(figures.slicesTakenOver).toBe(figures.slicesOfTheKilled);
  expect(figures).toMatchObject({
    neverEnded: 0,
    trials: runs * trialsPerRun,
    doubledTrials: 0,
    writtenTwice: 0,
    writtenLate: 0,
    wrongVerdicts: 0,
    undecided: 0,
  });
  // A worker that is killed in a trial may cause at most one further tool call for that trial.
  expect(figures.extraToolCalls).toBeLessThanOrEqual(figures.extraBeginnings);
});

async function compare(load: RunLoad, faults: readonly Fault[]) {
  const { history } = setup;
  let trials = 0;
  let doubledTrials = 0;
  let wrongVerdicts = 0;
  let undecided = 0;
  const open = await load.open();
  for (const { runId, kind } of load.acknowledged) {
    const { body: run } = await setup.request(tenant, `eval-runs/${runId}`);
    const page = await setup.request(tenant, `eval-runs/${runId}/iterations?limit=200`);
    const names = page.body.items.map(
      (trial: Record<string, string>) =>
        `${trial['testCaseId']} ${trial['model']} ${trial['iterationNumber']}`,
    );
    trials += names.length;
    doubledTrials += names.length - new Set(names).size;
    const expected = kind === 'good' ? 'passed' : 'failed';
    if (run.result === expected) continue;
    if (run.result === 'passed' || run.result === 'failed') wrongVerdicts += 1;
    else undecided += 1;
    const odd = page.body.items.filter(
      (trial: Record<string, string>) => trial['result'] !== expected,
    );
    console.log(`${runId} on the ${kind} server: ${run.result}`, odd.slice(0, 3));
  }
  const { beginnings, ended } = await history.begun();
  const kills = faults.filter(({ kind }) => kind === 'worker').length;
  return {
    faults: countsOf(faults),
    runs: load.acknowledged.length,
    launchesSentAgain: load.retries,
    neverEnded: open.length,
    trials,
    doubledTrials,
    writtenTwice: await history.writtenTwice(),
    writtenLate: await history.writtenLate(),
    wrongVerdicts,
    undecided,
    ...(await slicesOf(faults, history)),
    extraBeginnings: beginnings - ended,
    extraToolCalls: setup.toolCalls - ended,
    extraToolCallsForEachKill: (setup.toolCalls - ended) / Math.max(1, kills),
  };
}

test('a cancel ends the calls that are under way within a second', async () => {
  const suiteId = await createSuite(setup, tenant, { kind: 'good', model: 'local/hanging' });
  const waitsMs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { body } = await launch(setup, tenant, suiteId, `cancel-${round}`);
    await until(() => setup.model.atOnce > 0, 'the model is asked');
    const cancelled = await setup.request(tenant, `eval-runs/${body.runId}/cancel`, {});
    const cancelledMs = performance.now();
    expect(cancelled.body.status).toBe('cancelled');
    await until(() => setup.model.atOnce === 0, 'the calls end', 10_000);
    waitsMs.push(performance.now() - cancelledMs);
    const run = await setup.request(tenant, `eval-runs/${body.runId}`);
    expect(run.body).toMatchObject({ status: 'cancelled', result: null });
    const trials = await setup.request(tenant, `eval-runs/${body.runId}/iterations?limit=200`);
    for (const { status, result } of trials.body.items)
      expect([status, result]).toEqual(['cancelled', null]);
  }
  console.log(`calls ended ${waitsMs.map(Math.round).join(', ')} ms after the cancel`);
  // The best of three counts, since the machine may be busy.
  expect(Math.min(...waitsMs)).toBeLessThan(1000);
});

test('after is made once where its worker was killed between before and after', async () => {
  const made = await setup.request(tenant, 'eval-suites', {
    name: 'Cleaned up',
    serverIds: [tenant.servers.good],
    model: 'local/hanging',
    tests: [
      {
        title: 'Hangs',
        steps: [{ id: 'ask', kind: 'prompt', prompt: 'Anything?' }],
        before: [stockCall('prepared')],
        after: [stockCall('cleaned-up')],
      },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const { body } = await launch(setup, tenant, made.body.suiteId, 'cleaned-up');
  // A call of an earlier cancelled run may still be open for a moment.
  const isUnderWay = () => setup.toolCallsOf('prepared') > 0 && setup.model.atOnce > 0;
  await until(isUnderWay, 'the trial is under way');
  await Promise.all(workers.map((worker) => worker.kill()));
  const cancelled = await setup.request(tenant, `eval-runs/${body.runId}/cancel`, {});
  expect(cancelled.body.status).toBe('cancelled');
  expect([setup.toolCallsOf('prepared'), setup.toolCallsOf('cleaned-up')]).toEqual([1, 0]);
  workers = await Promise.all([setup.startWorker(), setup.startWorker()]);
  await until(() => setup.toolCallsOf('cleaned-up') > 0, 'it is cleaned up', 30_000);
  await until(async () => (await setup.history.owedAfters()) === 0, 'nothing is owed', 30_000);
  expect([setup.toolCallsOf('prepared'), setup.toolCallsOf('cleaned-up')]).toEqual([1, 1]);
});

function stockCall(item: string) {
  const call = { serverName: 'good', toolName: 'count_stock', arguments: { item } };
  return { id: item, kind: 'toolCall', ...call };
}

test('a slot of the organization comes back after its workers were killed', async () => {
  const slots = await setup.addTenant('Slots');
  const limited = await setup.startService({ PROOFMARK_CONCURRENT_RUNS: '2' });
  const suiteId = await createSuite(setup, slots, { kind: 'good', model: 'local/steady' });
  const start = (key: string) => launch(setup, slots, suiteId, key, limited);
  const both = await Promise.all([start('slot-1'), start('slot-2')]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  const third = await start('slot-3');
  expect(third.status).toBe(429);
  expect(third.body.details).toMatchObject({ reason: 'CONCURRENT_RUN_LIMIT' });
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [await setup.startWorker()];
  for (const { body } of both) {
    const path = `eval-runs/${body.runId}`;
    await until(
      async () => (await setup.request(slots, path)).body.result === 'passed',
      'it ends',
      60_000,
    );
  }
  const next = await Promise.all(['slot-4', 'slot-5', 'slot-6', 'slot-7'].map(start));
  expect(next.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429]);
  await limited.stop();
});

test('a worker that was alone and asleep for longer than a call may take blames no server', async () => {
  const [only, ...others] = workers as [NamedProcess, ...NamedProcess[]];
  await Promise.all(others.map((worker) => worker.kill()));
  workers = [only];
  const suiteId = await createSuite(setup, tenant, { kind: 'good', model: 'local/steady' });
  const { body } = await launch(setup, tenant, suiteId, 'asleep');
  await until(() => setup.toolCallsUnderWay > 0, 'the tool is called');
  process.kill(only.pid, 'SIGSTOP');
  await after(pastLeaseMs);
  process.kill(only.pid, 'SIGCONT');
  const read = () => setup.request(tenant, `eval-runs/${body.runId}`);
  await until(async () => (await read()).body.completedAt !== null, 'it ends', 60_000);
  expect((await read()).body).toMatchObject({
    result: 'passed',
    summary: { total: trialsPerRun, passed: trialsPerRun },
  });
});

test('a launch whose service was killed before, while or after it was committed is one run', {
  timeout: 120_000,
}, async () => {
  const suiteId = await createSuite(setup, tenant, { kind: 'good', model: 'local/steady' });
  const launchAs = (key: string) => launch(setup, tenant, suiteId, key);
  const launchUnanswered = (key: string) => launchAs(key).catch(() => undefined);
  const runsOf = (key: string) => setup.history.runsOfKey(key);

  const held = await setup.history.hold('work_groups');
  const before = launchUnanswered('before');
  await until(async () => (await held.waiting()).length > 0, 'the launch waits');
  const restarted = setup.restartService();
  await before;
  await held.release();
  await restarted;
  expect(await runsOf('before')).toBe(0);

  const committed = launchUnanswered('after');
  await until(async () => (await runsOf('after')) === 1, 'it is committed');
  const committing = launchUnanswered('while');
  await after(seededChance(seed).integer(20));
  await setup.restartService();
  await Promise.all([committed, committing]);

  for (const key of ['before', 'after', 'while']) {
    const [one, other] = [await launchAs(key), await launchAs(key)];
    expect([one.status, other.status], one.text).toEqual([202, 202]);
    expect(other.body).toMatchObject({ runId: one.body.runId, deduped: true });
    if (key === 'after') expect(one.body.deduped).toBe(true);
    expect(await runsOf(key)).toBe(1);
  }
});
