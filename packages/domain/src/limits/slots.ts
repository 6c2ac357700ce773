/** Work with a limited number of places that other processes may share. */
export interface Places {
  /** Waits for a place of the target, up to the bound, and holds it while the work runs. */
  run<Result>(
    target: string,
    bound: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Whether other processes hold or want places of the target. */
  isUsedByOthers?(target: string): boolean;
}
