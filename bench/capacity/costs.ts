/** The measurements as input of the simulation. Times are seconds, sizes bytes. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Costs beyond those of the worker's idle process. */
export interface TrialCost {
  readonly workerCpu: number;
  readonly postgresCpu: number;
  /** CPU of the service that launched the run and answered for it. */
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
  /** Per second. */
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
  /** A claim that finds no work, because every group is at its bound. */
  readonly emptyCpu: number;
  readonly emptyHeld: number;
}

export interface Costs {
  readonly machine: string;
  readonly trial: {
    /** The model answers at once: the trials of a run are written together. */
    readonly together: TrialCost;
    /** The model is slow: almost every trial is written alone. */
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
    /** Per second, while it is not used. */
    readonly idleCpu: number;
    readonly consoleSessionBytes: number;
  };
  readonly process: {
    readonly idle: ProcessCost;
    /** With a lease for each of its slots, while the trials wait. */
    readonly holding: ProcessCost;
    readonly connectionsIdle: number;
    readonly connectionsBusy: number;
    readonly connectionBytes: number;
    readonly residentBytes: number;
  };
  readonly claims: readonly ClaimCost[];
  /** For each listening process and each notification of work. */
  readonly notify: { readonly postgresCpu: number; readonly workerCpu: number };
  /** The time that a small transaction waits for its commit. */
  readonly commit: number;
}

const file = new URL('./measured.json', import.meta.url);

export function readCosts(): Costs {
  return JSON.parse(readFileSync(file, 'utf8')) as Costs;
}

/** Stores the measured costs; the others stay unchanged. */
export function keepCosts(measured: Partial<Costs>): Costs {
  let before: Partial<Costs> = {};
  try {
    before = readCosts();
  } catch {
    // At first there is no file.
  }
  const costs = { ...before, ...measured };
  writeFileSync(file, `${JSON.stringify(costs, rounded, 2)}\n`);
  return costs as Costs;
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
