/** The measured costs that the simulation takes as input. Times are in seconds, sizes in bytes. */
import { readFileSync, writeFileSync } from 'node:fs';

/** The costs of one trial, beyond what an idle worker process costs. */
export interface TrialCost {
  readonly workerCpu: number;
  readonly postgresCpu: number;
  /** CPU of the service that launched the run and answered requests about it. */
  readonly serviceCpu: number;
  /** CPU of the model and the MCP server, which are separate processes. */
  readonly modelCpu: number;
  readonly serverCpu: number;
  readonly statements: number;
  readonly transactions: number;
  readonly storedBytes: number;
  readonly walBytes: number;
}

export interface ProcessCost {
  /** CPU per second; the other values are per second too. */
  readonly workerCpu: number;
  readonly postgresCpu: number;
  readonly statements: number;
  readonly transactions: number;
}

export interface ClaimCost {
  readonly groups: number;
  /**
   * A claim that finds work: its CPU, and the time for which it holds the lock, to the end of its
   * commit.
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
    /** The cost if the model answers immediately: the trials of a run are then written together. */
    readonly together: TrialCost;
    /** The cost if the model is slow: almost every trial is then written alone. */
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
    /** The costs while the worker holds a lease for each of its slots and the trials wait. */
    readonly holding: ProcessCost;
    readonly connectionsIdle: number;
    readonly connectionsBusy: number;
    readonly connectionBytes: number;
    readonly residentBytes: number;
  };
  readonly claims: readonly ClaimCost[];
  /** The cost of one notification of new work for each process that listens. */
  readonly notify: { readonly postgresCpu: number; readonly workerCpu: number };
  /** The time that a small transaction waits for its commit. */
  readonly commit: number;
}

const file = new URL('./measured.json', import.meta.url);

export function readCosts(): Costs {
  return JSON.parse(readFileSync(file, 'utf8')) as Costs;
}

/** Stores the measured costs; costs that are not given stay unchanged. */
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
