/** Derives the duration of one operation of each kind from the measurements, in seconds. */
import type { ClaimCost, Costs, ProcessCost } from './costs.ts';

export interface ServiceTimes {
  /** CPU of the worker for one trial, including its calls and its share of writing results. */
  readonly workerCpu: number;
  readonly modelCpu: number;
  readonly serverCpu: number;
  /**
   * CPU of PostgreSQL for one transaction. Each trial written in the transaction adds `trialCpu`.
   */
  readonly transactionCpu: number;
  readonly trialCpu: number;
  readonly commit: number;
  readonly idle: ProcessCost;
  readonly holding: ProcessCost;
  readonly notify: Costs['notify'];
  claim(groups: number): Omit<ClaimCost, 'groups'>;
}

/**
 * Derives the costs of a transaction and of a trial. `together` measured several results per
 * transaction, `alone` one result per transaction.
 */
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

/**
 * Interpolates linearly between two measured numbers of groups, and extrapolates beyond the
 * largest.
 */
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
