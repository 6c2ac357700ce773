/**
 * Measures the costs of trials, reported results, open sessions, claims of work and idle workers
 * (default: all). Stores them in `bench/capacity/measured.json`, the input of
 * `bench/simulate-workers.ts`. `--check` instead starts 1, 2 and 4 real workers and compares them
 * with the simulation.
 */
import { cpus } from 'node:os';
import { checkedModelMs, checkWorkers } from './capacity/check-workers.ts';
import { type Costs, keepCosts, readCosts } from './capacity/costs.ts';
import { measureClaims } from './capacity/measure-claims.ts';
import { measureCommit, measureNotify } from './capacity/measure-notify.ts';
import { longMs, measureProcesses } from './capacity/measure-processes.ts';
import { measureRows } from './capacity/measure-rows.ts';
import { measureSessions } from './capacity/measure-sessions.ts';
import { measureTrials, slowMs } from './capacity/measure-trials.ts';
import { type Stage, startStage } from './capacity/stage.ts';
import { claimTable, costTable, processTable } from './capacity/tables.ts';

const parts: Record<string, (stage: Stage) => Promise<Partial<Costs>>> = {
  process: async (stage) => ({ process: await measureProcesses(stage) }),
  claims: async (stage) => ({
    claims: await measureClaims(stage),
    notify: await measureNotify(stage),
    commit: await measureCommit(stage),
  }),
  trial: async (stage) => ({ trial: await measureTrials(stage, readCosts().process) }),
  row: async (stage) => ({ row: await measureRows(stage) }),
  session: async (stage) => ({ session: await measureSessions(stage) }),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => name !== '--check' && parts[name] === undefined);
if (unknown !== undefined) {
  throw new Error(`There is no ${unknown}; parts are ${Object.keys(parts).join(', ')}.`);
}
const isCheck = asked.includes('--check');
const stage = await startStage(isCheck ? checkedModelMs : [slowMs, longMs]);
try {
  if (isCheck) console.log(await checkWorkers(stage, readCosts()));
  else {
    const machine = `${cpus().length} cores (${process.arch}), Node ${process.version}`;
    for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
      keepCosts({ machine, ...(await parts[name]?.(stage)) });
    }
    const costs = readCosts();
    console.log([costTable(costs), processTable(costs), claimTable(costs)].join('\n\n'));
  }
} finally {
  await stage.stop();
}
