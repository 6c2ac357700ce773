/**
 * Runs go on while the service is killed right after it acknowledged one, workers are killed, paused past their lease
 * and left without an answer of PostgreSQL for as long, and PostgreSQL is killed, again and again. Every acknowledged run
 * ends, no trial is there or is written twice, no worker writes late, and our faults never become a verdict on the server.
 * `PROOFMARK_RUN_FAULTS` makes the series longer and varies it; `PROOFMARK_SEED` makes one again.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  casesPerRun,
  createSuite,
  type EvalRunLoad,
  launch,
  prepareLoad,
  repetitions,
} from './eval-run-load.ts';
import {
  type EvalRunSetup,
  type NamedProcess,
  startEvalRunSetup,
  type Tenant,
} from './eval-run-setup.ts';
import { type SeededChance, seededChance } from './seeded-chance.ts';
import { until } from './until.ts';

const isLong = process.env['PROOFMARK_RUN_FAULTS'] !== undefined;
const faultCount = Number(process.env['PROOFMARK_RUN_FAULTS'] ?? 5);
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
/** In every series of five, so that each kind comes often enough. */
const kinds = ['service', 'worker', 'pause', 'database', 'silent'] as const;
const workerCount = 3;
/** Past the lease of five seconds and the look of the watchdog, on a busy machine too. */
const longestPauseMs = 20_000;
const pastLeaseMs = 6500;
const trialsPerRun = casesPerRun * repetitions;
/** What waits behind hundreds of runs resumes late for want of workers, which says nothing about faults. */
const openRunsAtMost = 12;

let setup: EvalRunSetup;
let tenant: Tenant;
let workers: NamedProcess[];

beforeAll(async () => {
  setup = await startEvalRunSetup();
  tenant = await setup.addTenant('Faults');
  workers = await Promise.all(Array.from({ length: workerCount }, () => setup.startWorker()));
});
afterAll(() => setup?.stop());

interface Fault {
  readonly kind: (typeof kinds)[number];
  readonly name: string;
  readonly atMs: number;
}

test(`${faultCount} faults leave every acknowledged run ended, once and rightly`, {
  timeout: 120_000 + faultCount * 20_000,
}, async () => {
  const load = await prepareLoad(setup, tenant);
  const faults = await makeTrouble(load);
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
  // Whoever died may have called the tool once for each trial it had begun, and no more.
  expect(figures.extraToolCalls).toBeLessThanOrEqual(figures.extraBeginnings);
});

async function makeTrouble(load: EvalRunLoad): Promise<Fault[]> {
  const chance = seededChance(seed);
  const faults: Fault[] = [];
  const pauses: Promise<void>[] = [];
  const paused = new Set<NamedProcess>();
  let order: Fault['kind'][] = [];
  for (let count = 0; count < faultCount; count += 1) {
    if (order.length === 0) order = shuffled(kinds, chance.integer);
    const kind = order.pop() as Fault['kind'];
    // Two that can take over are always left for the work.
    if (kind === 'pause' || kind === 'silent') await Promise.all(pauses);
    await until(() => hasRoom(load), 'runs end', 120_000);
    await Promise.all([load.launch(), load.launch()]);
    if (kind !== 'service') await after(chance.integer(400));
    const awake = workers.filter((worker) => !paused.has(worker));
    if (kind === 'service') {
      await load.launch();
      faults.push({ kind, name: '', atMs: Date.now() });
      await setup.restartService();
    } else if (kind === 'database') {
      faults.push({ kind, name: '', atMs: Date.now() });
      await setup.killDatabase();
    } else {
      const victim = await stopHolder(load, awake, chance);
      const fault = { kind, name: victim.name, atMs: Date.now() };
      faults.push(fault);
      if (kind === 'worker') {
        await victim.kill();
        workers[workers.indexOf(victim)] = await setup.startWorker();
        continue;
      }
      paused.add(victim);
      if (kind === 'silent') {
        victim.proxy.goSilent();
        process.kill(victim.pid, 'SIGCONT');
      }
      const woken = wakeWhenOvertaken(victim, kind, fault.atMs);
      pauses.push(woken.then(() => void paused.delete(victim)));
    }
  }
  await Promise.all(pauses);
  return faults;
}

async function hasRoom(load: EvalRunLoad): Promise<boolean> {
  const open = await load.open().catch(() => undefined);
  if (open !== undefined && open.length < openRunsAtMost) return true;
  await after(200);
  return false;
}

/** Stops a worker in a moment in which it holds a slice, so that whatever follows has something to show. */
async function stopHolder(
  load: EvalRunLoad,
  awake: readonly NamedProcess[],
  chance: SeededChance,
): Promise<NamedProcess> {
  for (let tries = 0; tries < 30; tries += 1) {
    const holders = await holdersNow();
    const busy = awake.filter(({ name }) => holders.includes(name));
    if (busy.length === 0) {
      if (tries % 5 === 4) await load.launch();
      await after(50);
      continue;
    }
    const victim = chance.oneOf(busy);
    process.kill(victim.pid, 'SIGSTOP');
    // What it has sent to the database already is still done.
    await after(50);
    if ((await holdersNow()).includes(victim.name)) return victim;
    process.kill(victim.pid, 'SIGCONT');
  }
  throw new Error('No worker ever holds a slice.');
}

/** Right after PostgreSQL was killed, the history may have to ask again. */
function holdersNow(): Promise<readonly string[]> {
  return setup.history.holders().catch(() => []);
}

/** At the worst moment: when another has just taken over, and is about to write the same trials. */
async function wakeWhenOvertaken(
  { name, pid, proxy }: NamedProcess,
  kind: 'pause' | 'silent',
  pausedAtMs: number,
): Promise<void> {
  const isOvertaken = async () => {
    const { waitsMs } = await setup.history
      .takenOver(name, pausedAtMs)
      .catch(() => ({ waitsMs: [] }));
    return waitsMs.length > 0;
  };
  await until(isOvertaken, 'another takes over', longestPauseMs).catch(() => undefined);
  if (kind === 'silent') proxy.speakAgain();
  else process.kill(pid, 'SIGCONT');
}

async function compare(load: EvalRunLoad, faults: readonly Fault[]) {
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
  const killed = { held: 0, waitsMs: [] as number[] };
  let slicesOfThePaused = 0;
  let slicesOfTheSilent = 0;
  for (const { kind, name, atMs } of faults) {
    if (kind === 'service' || kind === 'database') continue;
    const found = await history.takenOver(name, atMs);
    if (kind === 'pause') slicesOfThePaused += found.waitsMs.length;
    else if (kind === 'silent') slicesOfTheSilent += found.waitsMs.length;
    else {
      killed.held += found.held;
      killed.waitsMs.push(...found.waitsMs);
    }
  }
  const { beginnings, ended } = await history.begun();
  const kills = faults.filter(({ kind }) => kind === 'worker').length;
  return {
    faults: Object.fromEntries(
      kinds.map((kind) => [kind, faults.filter((fault) => fault.kind === kind).length]),
    ),
    runs: load.acknowledged.length,
    launchesSentAgain: load.retries,
    neverEnded: open.length,
    trials,
    doubledTrials,
    writtenTwice: await history.writtenTwice(),
    slicesOfThePaused,
    slicesOfTheSilent,
    writtenLate: await history.writtenLate(),
    wrongVerdicts,
    undecided,
    slicesOfTheKilled: killed.held,
    slicesTakenOver: killed.waitsMs.length,
    secondsToResume: quantiles(killed.waitsMs),
    extraBeginnings: beginnings - ended,
    extraToolCalls: setup.toolCalls - ended,
    extraToolCallsForEachKill: (setup.toolCalls - ended) / Math.max(1, kills),
  };
}

function quantiles(waitsMs: readonly number[]) {
  const sorted = [...waitsMs].sort((one, other) => one - other);
  const at = (part: number) =>
    Number(((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) / 1000).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

function shuffled<Item>(items: readonly Item[], integer: (below: number) => number): Item[] {
  const left = [...items];
  return items.map(() => left.splice(integer(left.length), 1)[0] as Item);
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
  // The best of three: the machine may be busy with something else.
  expect(Math.min(...waitsMs)).toBeLessThan(1000);
});

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
  for (const moment of ['before', 'after', 'while'] as const) {
    const key = `killed-${moment}`;
    const held = moment === 'before' ? await setup.history.holdLaunches() : undefined;
    const unheard = launchAs(key).catch(() => undefined);
    if (held !== undefined) await until(() => held.waiting(), 'the launch waits');
    else if (moment === 'after') {
      await until(async () => (await setup.history.runsOfKey(key)) === 1, 'it is committed');
    } else await after(seededChance(seed).integer(20));
    const restarted = setup.restartService();
    await unheard;
    await held?.release();
    await restarted;
    if (moment === 'before') expect(await setup.history.runsOfKey(key)).toBe(0);
    const [one, other] = [await launchAs(key), await launchAs(key)];
    expect([one.status, other.status], one.text).toEqual([202, 202]);
    expect(other.body).toMatchObject({ runId: one.body.runId, deduped: true });
    if (moment === 'after') expect(one.body.deduped).toBe(true);
    expect(await setup.history.runsOfKey(key)).toBe(1);
  }
});
