/** Returns all results, or throws one failure, but only after all have settled. */
export async function settleAll<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
