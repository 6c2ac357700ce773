/** The measured costs that the simulation takes as input. Times are in seconds, sizes in bytes. */
import { readFileSync, writeFileSync } from 'node:fs';

/** CPU seconds of one trial, without the CPU that an idle worker process uses. */
export interface TrialCost {
  readonly workerCpu: number;
  readonly postgresCpu: number;
  /** CPU of the service that launched the run and answered requests about it. */
  readonly serviceCpu: number;
  readonly modelCpu: number;
  readonly serverCpu: number;
  readonly statements: number;
  readonly transactions: number;
  readonly storedBytes: number;
  readonly walBytes: number;
}

export interface ProcessCost {
  /** All fields are per second of elapsed time. The two CPU fields are in seconds. */
  readonly workerCpu: number;
  readonly postgresCpu: number;
  readonly statements: number;
  readonly transactions: number;
}

export interface ClaimCost {
  readonly groups: number;
  /**
   * CPU of a claim that finds work. `held` is the time in seconds from taking the claim lock to the
   * end of the commit.
   */
  readonly cpu: number;
  readonly held: number;
  /** CPU of a claim that finds no work because every group is at its limit of concurrent work. */
  readonly emptyCpu: number;
  readonly emptyHeld: number;
}

export interface Costs {
  readonly machine: string;
  readonly trial: {
    /**
     * Cost with a model that answers immediately. Results of a run are then written together in one
     * transaction.
     */
    readonly together: TrialCost;
    /** Cost with a slow model. Almost every result is then written in a transaction of its own. */
    readonly alone: TrialCost;
  };
  readonly row: {
    readonly serviceCpu: number;
    readonly postgresCpu: number;
    readonly statements: number;
    readonly storedBytes: number;
    readonly walBytes: number;
  };
  readonly session: {
    readonly heapBytes: number;
    readonly residentBytes: number;
    /** CPU per second of a session that is not used. */
    readonly idleCpu: number;
    readonly consoleSessionBytes: number;
  };
  readonly process: {
    readonly idle: ProcessCost;
    /** Costs while the worker holds a lease in every slot and all trials wait for the model. */
    readonly holding: ProcessCost;
    readonly connectionsIdle: number;
    readonly connectionsBusy: number;
    readonly connectionBytes: number;
    readonly residentBytes: number;
  };
  readonly claims: readonly ClaimCost[];
  /** Cost of one notification of new work, per listening process. */
  readonly notify: { readonly postgresCpu: number; readonly workerCpu: number };
  /** Duration of the commit of a small transaction, in seconds. */
  readonly commit: number;
}

const file = new URL('./measured.json', import.meta.url);

export function readCosts(): Costs {
  return JSON.parse(readFileSync(file, 'utf8')) as Costs;
}

/** Stores the measured costs. Costs absent from `measured` keep their stored values. */
export function keepCosts(measured: Partial<Costs>): Costs {
  let before: Partial<Costs> = {};
  try {
    before = readCosts();
  } catch {
    // Before the first measurement there is no file.
  }
  const costs = { ...before, ...measured };
  writeFileSync(file, `${JSON.stringify(costs, rounded, 2)}\n`);
  return costs as Costs;
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
