export interface Places {
  run<Result>(
    target: string,
    bound: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
  isUsedByOthers?(target: string): boolean;
}
