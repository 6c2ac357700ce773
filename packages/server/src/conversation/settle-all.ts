/**
 * Waits until all promises have settled, then returns all results or throws the first failure in
 * the list's order.
 */
export async function settleAll<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
