/**
 * Selects the next slice as a claim in the service does. Among the runs below their limit, it takes
 * the run with the fewest leases.
 */
import { cutSlices } from '../../packages/domain/src/suites/cut-slices.ts';

export interface ClaimedSlice {
  readonly run: number;
  readonly trials: number;
}

export class WorkToClaim {
  readonly #atOnce: number;
  readonly #leases: number[];
  /** Sizes of the unclaimed slices of each run; undefined if the work never ends. */
  readonly #left: number[][] | undefined;
  readonly #slice: number;
  #leased = 0;

  constructor(runs: number, atOnce: number, trialsOfRun: number | undefined, slice: number) {
    this.#atOnce = atOnce;
    this.#leases = Array.from({ length: runs }, () => 0);
    this.#slice = slice;
    if (trialsOfRun === undefined) return;
    const sizes = cutSlices(trialsOfRun, atOnce).map(
      ({ firstOrdinal, lastOrdinal }) => lastOrdinal - firstOrdinal + 1,
    );
    this.#left = this.#leases.map(() => [...sizes].reverse());
  }

  get openGroups(): number {
    if (this.#left === undefined) return this.#leases.length;
    return this.#left.filter((left, run) => left.length > 0 || (this.#leases[run] ?? 0) > 0).length;
  }

  claim(): ClaimedSlice | undefined {
    // Every worker with a free slot calls this, mostly without finding work, so the common case
    // returns early.
    if (this.#left === undefined && this.#leased === this.#leases.length * this.#atOnce)
      return undefined;
    let chosen: number | undefined;
    for (const [run, leases] of this.#leases.entries()) {
      if (leases >= this.#atOnce || this.#left?.[run]?.length === 0) continue;
      if (chosen === undefined || leases < (this.#leases[chosen] ?? 0)) chosen = run;
    }
    if (chosen === undefined) return undefined;
    this.#leases[chosen] = (this.#leases[chosen] ?? 0) + 1;
    this.#leased += 1;
    return { run: chosen, trials: this.#left?.[chosen]?.pop() ?? this.#slice };
  }

  /** Returns whether the run was at its limit before the lease was given back. */
  giveBack(run: number): boolean {
    const leases = this.#leases[run] ?? 0;
    this.#leases[run] = leases - 1;
    this.#leased -= 1;
    return leases === this.#atOnce;
  }
}
