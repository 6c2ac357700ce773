/**
 * Waits until all promises have settled. Then returns all results, or throws the first failure in
 * the order of the list.
 */
export async function settleAll<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
