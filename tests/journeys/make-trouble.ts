/**
 * Causes the faults during launches: kills the service right after an acknowledgement; kills
 * workers, pauses them past their lease, or cuts them off from PostgreSQL for as long; kills
 * PostgreSQL.
 */
import { setTimeout as after } from 'node:timers/promises';
import { until } from '@proofmark/harness/journeys/until.ts';
import type { RunHistory } from './run-history.ts';
import type { RunLoad } from './run-load.ts';
import type { NamedProcess, RunSetup } from './run-setup.ts';
import { type SeededChance, seededChance } from './seeded-chance.ts';

export const faultKinds = ['service', 'worker', 'pause', 'database', 'silent'] as const;

export interface Fault {
  readonly kind: (typeof faultKinds)[number];
  /** The name of a worker; empty for other processes. */
  readonly name: string;
  readonly atMs: number;
}

export interface Trouble {
  readonly setup: RunSetup;
  readonly workers: NamedProcess[];
  readonly load: RunLoad;
  readonly seed: number;
  readonly faultCount: number;
  readonly kinds: readonly Fault['kind'][];
}

/** Longer than the lease of five seconds and the watchdog's interval, even on a busy machine. */
const longestPauseMs = 20_000;
/**
 * With more open runs, work would resume late only for lack of workers, which proves nothing about
 * faults.
 */
const openRunsAtMost = 12;

export async function makeTrouble(trouble: Trouble): Promise<Fault[]> {
  const { setup, workers, load, seed, faultCount, kinds } = trouble;
  const chance = seededChance(seed);
  const faults: Fault[] = [];
  const pauses: Promise<void>[] = [];
  const paused = new Set<NamedProcess>();
  let order: Fault['kind'][] = [];
  for (let count = 0; count < faultCount; count += 1) {
    if (order.length === 0) order = shuffled(kinds, chance.integer);
    const kind = order.pop() as Fault['kind'];
    // At least one worker that was already running must be left to take over; the replacement of a
    // killed worker does not count.
    const isTaken = kind === 'pause' || kind === 'silent';
    if (isTaken || (kind === 'worker' && workers.length < 3)) await Promise.all(pauses);
    await until(() => hasFreeSlot(load), 'runs end', 120_000);
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
      const victim = await stopHolder(trouble, awake, chance);
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
      const woken = wakeWhenOvertaken(setup.history, victim, kind, fault.atMs);
      pauses.push(woken.then(() => void paused.delete(victim)));
    }
  }
  await Promise.all(pauses);
  return faults;
}

async function hasFreeSlot(load: RunLoad): Promise<boolean> {
  const open = await load.open().catch(() => undefined);
  if (open !== undefined && open.length < openRunsAtMost) return true;
  await after(200);
  return false;
}

/**
 * Stops a worker while it holds a slice (leased work of a run), so that the fault that follows hits
 * running work.
 */
async function stopHolder(
  { setup, load }: Trouble,
  awake: readonly NamedProcess[],
  chance: SeededChance,
): Promise<NamedProcess> {
  for (let tries = 0; tries < 30; tries += 1) {
    const holders = await holdersNow(setup.history);
    const busy = awake.filter(({ name }) => holders.includes(name));
    if (busy.length === 0) {
      if (tries % 5 === 4) await load.launch();
      await after(50);
      continue;
    }
    const victim = chance.oneOf(busy);
    process.kill(victim.pid, 'SIGSTOP');
    // Statements that were sent before the stop are still executed. After a pause, the test
    // therefore checks again that the worker holds a slice.
    await after(50);
    if ((await holdersNow(setup.history)).includes(victim.name)) return victim;
    process.kill(victim.pid, 'SIGCONT');
  }
  throw new Error('No worker ever holds a slice.');
}

function holdersNow(history: RunHistory): Promise<readonly string[]> {
  return history.holders().catch(() => []);
}

/**
 * Wakes the worker at the worst time: another worker has just taken over its work and is about to
 * write the same items.
 */
async function wakeWhenOvertaken(
  history: RunHistory,
  { name, pid, proxy }: NamedProcess,
  kind: 'pause' | 'silent',
  pausedAtMs: number,
): Promise<void> {
  const isOvertaken = async () => {
    const { waitsMs } = await history.takenOver(name, pausedAtMs).catch(() => ({ waitsMs: [] }));
    return waitsMs.length > 0;
  };
  await until(isOvertaken, 'another takes over', longestPauseMs).catch(() => undefined);
  if (kind === 'silent') proxy.speakAgain();
  else process.kill(pid, 'SIGCONT');
}

export function countsOf(faults: readonly Fault[]): Record<string, number> {
  return Object.fromEntries(
    faultKinds.map((kind) => [kind, faults.filter((fault) => fault.kind === kind).length]),
  );
}

export async function slicesOf(faults: readonly Fault[], history: RunHistory) {
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
  return {
    slicesOfThePaused,
    slicesOfTheSilent,
    slicesOfTheKilled: killed.held,
    slicesTakenOver: killed.waitsMs.length,
    secondsToResume: quantiles(killed.waitsMs),
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
