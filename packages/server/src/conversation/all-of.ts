/** All of them, or the failure of one: but only once none is under way any more. */
export async function allOf<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
