export interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** `place` is the trial's position, from 1, among the `read` loaded trials. */
  readonly place: number;
  readonly read: number;
  /** Whether the trial is the last loaded one and more can be loaded. */
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
