/** What one thing of each kind takes, out of what was measured. Seconds. */
import type { ClaimCost, Costs, ProcessCost } from './costs.ts';

export interface ServiceTimes {
  /** CPU of the worker for one trial, its calls and its share of the writing included. */
  readonly workerCpu: number;
  readonly modelCpu: number;
  readonly serverCpu: number;
  /** CPU of PostgreSQL for a transaction, and for each trial that is written in it. */
  readonly transactionCpu: number;
  readonly trialCpu: number;
  /** How long a transaction waits for its commit. */
  readonly commit: number;
  readonly idle: ProcessCost;
  readonly holding: ProcessCost;
  readonly notify: Costs['notify'];
  claim(groups: number): Omit<ClaimCost, 'groups'>;
}

/** Two ways of writing the same trials tell what a transaction costs and what a trial in it. */
export function serviceTimes(costs: Costs): ServiceTimes {
  const { together, alone } = costs.trial;
  const moreCpu = alone.postgresCpu - together.postgresCpu;
  const moreTransactions = alone.transactions - together.transactions;
  const most = alone.postgresCpu / alone.transactions;
  const slope = moreTransactions > 0 ? moreCpu / moreTransactions : 0;
  const transactionCpu = Math.min(most, Math.max(0, slope));
  return {
    workerCpu: alone.workerCpu,
    modelCpu: alone.modelCpu,
    serverCpu: alone.serverCpu,
    transactionCpu,
    trialCpu: alone.postgresCpu - transactionCpu * alone.transactions,
    commit: costs.commit,
    idle: costs.process.idle,
    holding: costs.process.holding,
    notify: costs.notify,
    claim: (groups) => claimWith(costs.claims, groups),
  };
}

/** Between two numbers of groups that were measured, and beyond the last, along a straight line. */
export function claimWith(
  measured: readonly ClaimCost[],
  groups: number,
): Omit<ClaimCost, 'groups'> {
  const next = measured.findIndex((one) => one.groups >= groups);
  const at = next === -1 ? measured.length - 1 : Math.max(1, next);
  const [low, high] = [measured[at - 1] as ClaimCost, measured[at] as ClaimCost];
  const part = Math.max(0, (groups - low.groups) / (high.groups - low.groups));
  const between = (one: number, other: number) => one + part * (other - one);
  return {
    cpu: between(low.cpu, high.cpu),
    held: between(low.held, high.held),
    emptyCpu: between(low.emptyCpu, high.emptyCpu),
    emptyHeld: between(low.emptyHeld, high.emptyHeld),
  };
}
