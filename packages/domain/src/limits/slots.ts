/** A limited number of places for work, which other processes may share. */
export interface Places {
  /** Waits for one of the target's `bound` places, and holds the place while the work runs. */
  run<Result>(
    target: string,
    bound: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Whether other processes hold or want some of the target's places. */
  isUsedByOthers?(target: string): boolean;
}
