/** Work for which there are only so many places, whoever else has some of them. */
export interface Places {
  /** Waits for a place of the target, of which there are as many as the bound says, and holds it for as long as the work lasts. */
  run<Result>(
    target: string,
    bound: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Whether others, of whom this process knows nothing else, have or want places of the target. */
  isUsedByOthers?(target: string): boolean;
}
