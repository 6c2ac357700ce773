/**
 * Measures the cost of a worker process: without work, and while its leased trials wait for the
 * model.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Costs, ProcessCost } from './costs.ts';
import { countStatements } from './count-statements.ts';
import { privateBytesOf } from './cpu.ts';
import { between, type Reading } from './reading.ts';
import type { Stage } from './stage.ts';

const workers = 4;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
/**
 * Delay of the model. It is longer than any measurement, so that all trials are still waiting at
 * its end.
 */
export const longMs = 60_000;

export async function measureProcesses(stage: Stage): Promise<Costs['process']> {
  await after(1000);
  const without = await between(stage, () => after(seconds * 500));
  await stage.startWorkers(workers);
  await after(4000);
  const idle = await lookOn(stage, without);
  const connectionsIdle = await connectionsEach(stage);
  const launch = () => stage.launch(`bench-${longMs}`, 100);
  const runs = await Promise.all(Array.from({ length: workers }, launch));
  await after(5000);
  const holding = await lookOn(stage, without);
  for (const run of runs) await stage.cancel(run);
  let connectionsBusy = 0;
  let isOver = false;
  const busy = stage.runTrials('bench', 400, workers).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await after(100);
    connectionsBusy = Math.max(connectionsBusy, await connectionsEach(stage));
  }
  await busy;
  const residentBytes = mean(stage.workers.map(({ pid }) => privateBytesOf(pid)));
  const connectionBytes = await bytesOfConnections(stage);
  await stage.stopWorkers();
  return { idle, holding, connectionsIdle, connectionsBusy, connectionBytes, residentBytes };
}

async function lookOn(stage: Stage, without: Reading): Promise<ProcessCost> {
  const used = await between(stage, () => after(seconds * 1000));
  const asked = await countStatements(stage, () => after(seconds * 500));
  const more = (name: keyof Reading) =>
    (used[name] / used.seconds - without[name] / without.seconds) / workers;
  return {
    workerCpu: more('workers'),
    postgresCpu: more('postgres'),
    statements: asked.statements / (seconds / 2) / workers,
    transactions: asked.transactions / (seconds / 2) / workers,
  };
}

async function connectionsEach(stage: Stage): Promise<number> {
  const [row] = await stage.owner.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity where application_name like 'worker %'`;
  return (row?.count ?? 0) / workers;
}

async function bytesOfConnections(stage: Stage): Promise<number> {
  const rows = await stage.owner.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'worker work'`;
  return mean(rows.map(({ pid }) => privateBytesOf(pid)));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
