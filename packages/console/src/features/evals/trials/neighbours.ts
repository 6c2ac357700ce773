/** The trials before and after one, in the order in which a list has them. */
export interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Its place, from 1, and how many were read. */
  readonly place: number;
  readonly read: number;
  /** Whether it is the last that was read, and there are more. */
  readonly mayFollow: boolean;
  readonly isAll: boolean;
}

export function neighboursOf(
  trials: readonly { readonly id: string }[],
  trialId: string,
  hasMore: boolean,
): Neighbours | undefined {
  const at = trials.findIndex(({ id }) => id === trialId);
  if (at === -1) return undefined;
  return {
    before: trials[at - 1]?.id,
    after: trials[at + 1]?.id,
    place: at + 1,
    read: trials.length,
    mayFollow: hasMore && at === trials.length - 1,
    isAll: !hasMore,
  };
}
