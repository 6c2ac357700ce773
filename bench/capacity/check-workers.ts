/**
 * Executes the same runs with real and with simulated workers and compares the two. All real
 * processes share the cores of this machine.
 */
import { availableParallelism, cpus } from 'node:os';
import type { Costs } from './costs.ts';
import { read } from './reading.ts';
import { serviceTimes } from './service-times.ts';
import { type Setup, simulate } from './simulate.ts';
import { type Stage, slotsEach } from './stage.ts';
import { heading, line } from './tables.ts';

/** Latency of the model. With 0 ms all cores are busy; with 150 ms enough cores are free. */
const latenciesMs = [0, 150] as const;
export const checkedModelMs = latenciesMs.filter((ms) => ms > 0);
const warmUp = 200;
const runs = 6;
const trialsOfRun = 100;

/**
 * Measures how many cores programs outside the benchmark use. The simulation assumes that those
 * cores are free.
 */
function coresOfOthers(stage: Stage): () => Promise<number> {
  const whole = () => {
    const all = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
    return all.reduce((sum, one) => sum + one, 0) / 1000;
  };
  const [wholeBefore, before] = [whole(), read(stage)];
  return async () => {
    const used = whole() - wholeBefore;
    const [one, other] = [await before, await read(stage)];
    const names = ['workers', 'postgres', 'service', 'model', 'server'] as const;
    const ours = names.reduce((sum, name) => sum + other[name] - one[name], 0);
    return Math.max(0, used - ours) / (other.seconds - one.seconds);
  };
}

export async function checkWorkers(stage: Stage, costs: Costs): Promise<string> {
  const times = serviceTimes(costs);
  const lines: string[] = [];
  for (const workers of [1, 2, 4]) {
    await stage.startWorkers(workers);
    await stage.runTrials('bench', warmUp, workers);
    for (const ms of latenciesMs) {
      const others = coresOfOthers(stage);
      const seconds = await stage.runTrials(ms === 0 ? 'bench' : `bench-${ms}`, trialsOfRun, runs);
      const otherCores = await others();
      const measured = (trialsOfRun * runs) / seconds;
      const setup: Setup = {
        workers,
        slotsEach,
        runs,
        atOncePerRun: slotsEach,
        trialsOfRun,
        modelSeconds: ms / 1000,
        toolSeconds: 0,
        spread: 0,
        seconds: 3600,
        seed: 1,
        postgresCores: availableParallelism(),
        isOneMachine: true,
      };
      const { trialsPerSecond } = simulate(times, setup);
      const off = (trialsPerSecond / measured - 1) * 100;
      lines.push(
        line(String(workers), [
          `${ms} ms`,
          measured.toFixed(1),
          trialsPerSecond.toFixed(1),
          otherCores.toFixed(2),
          `${off >= 0 ? '+' : '−'}${Math.abs(off).toFixed(0)} %`,
        ]),
      );
    }
  }
  await stage.stopWorkers();
  const names = [
    'Workers',
    'Each answer of the model',
    'Trials a second',
    'Simulated',
    'Cores in use by others',
    'Off by',
  ];
  return [...heading(names), ...lines].join('\n');
}
