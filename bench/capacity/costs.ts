/** What was measured, as the simulation takes it. Times are seconds, sizes bytes. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Beyond what the process of its worker costs anyway. */
export interface TrialCost {
  readonly workerCpu: number;
  readonly postgresCpu: number;
  /** Of the service that launched the run and answered for it. */
  readonly serviceCpu: number;
  /** Of the model and the MCP server, which are processes of their own. */
  readonly modelCpu: number;
  readonly serverCpu: number;
  readonly statements: number;
  readonly transactions: number;
  readonly storedBytes: number;
  readonly walBytes: number;
}

export interface ProcessCost {
  /** Of each second. */
  readonly workerCpu: number;
  readonly postgresCpu: number;
  readonly statements: number;
  readonly transactions: number;
}

export interface ClaimCost {
  readonly groups: number;
  /** A claim that finds work: its CPU, and how long it holds the lock, to the end of its commit. */
  readonly cpu: number;
  readonly held: number;
  /** A claim that finds none, because every group is at its bound. */
  readonly emptyCpu: number;
  readonly emptyHeld: number;
}

export interface Costs {
  readonly machine: string;
  readonly trial: {
    /** The model answers at once: what the trials of a run have to write travels together. */
    readonly together: TrialCost;
    /** The model takes its time: almost every trial is written alone. */
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
    /** Of each second, while nobody uses it. */
    readonly idleCpu: number;
    readonly consoleSessionBytes: number;
  };
  readonly process: {
    readonly idle: ProcessCost;
    /** Holding a lease for each of its slots, while the trials wait. */
    readonly holding: ProcessCost;
    readonly connectionsIdle: number;
    readonly connectionsBusy: number;
    readonly connectionBytes: number;
    readonly residentBytes: number;
  };
  readonly claims: readonly ClaimCost[];
  /** For each process that listens, each time that work is told of. */
  readonly notify: { readonly postgresCpu: number; readonly workerCpu: number };
  /** How long a small transaction waits for its commit. */
  readonly commit: number;
}

const file = new URL('./measured.json', import.meta.url);

export function readCosts(): Costs {
  return JSON.parse(readFileSync(file, 'utf8')) as Costs;
}

/** What was not measured this time stays as it was. */
export function keepCosts(measured: Partial<Costs>): Costs {
  let before: Partial<Costs> = {};
  try {
    before = readCosts();
  } catch {
    // The first time there is none.
  }
  const costs = { ...before, ...measured };
  writeFileSync(file, `${JSON.stringify(costs, rounded, 2)}\n`);
  return costs as Costs;
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
