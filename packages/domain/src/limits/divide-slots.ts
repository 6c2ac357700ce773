/**
 * Divides a limited number of places between processes, such as concurrent calls of one server.
 * Every process gets one place before any gets a second. If more processes want a place than there
 * are places, they take turns: a process that has had a place for one turn gives it to the process
 * that has waited longest.
 */
export interface Sharer {
  readonly places: number;
  readonly wanted: number;
  /** The time since the process got its places, or the time that it has waited without any. */
  readonly sinceMs: number;
}

/**
 * Returns the share of each process, in the given order. Places that no process wants stay free.
 */
export function divideSlots(
  bound: number,
  sharers: readonly Sharer[],
  turnMs: number,
): readonly number[] {
  const shares = sharers.map(() => 0);
  const inTurn = [...sharers.keys()].sort((one, other) => {
    const [a, b] = [sharers[one] as Sharer, sharers[other] as Sharer];
    return rankOf(a, turnMs) - rankOf(b, turnMs) || waitOf(b) - waitOf(a) || one - other;
  });
  let left = bound;
  for (let round = 1; left > 0; round += 1) {
    const wanting = inTurn.filter((index) => (sharers[index]?.wanted ?? 0) >= round);
    if (wanting.length === 0) break;
    for (const index of wanting.slice(0, left)) shares[index] = round;
    left -= Math.min(left, wanting.length);
  }
  return shares;
}

/**
 * Returns the number of places that this process may hold. A process without competitors may hold
 * all places, so that it need not request each one.
 */
export function placesToHold(
  bound: number,
  sharers: readonly Sharer[],
  mine: number,
  turnMs: number,
): number {
  const isAlone = sharers.every(({ wanted }, index) => index === mine || wanted === 0);
  return isAlone ? bound : (divideSlots(bound, sharers, turnMs)[mine] ?? 0);
}

/**
 * Ranks processes for places: first those in the middle of a turn, then those that wait, then those
 * whose turn is over.
 */
function rankOf({ places, sinceMs }: Sharer, turnMs: number): number {
  if (places === 0) return 1;
  return sinceMs < turnMs ? 0 : 2;
}

/**
 * Orders processes of equal rank: the longest wait first, and among processes with places the
 * latest start first.
 */
function waitOf({ places, sinceMs }: Sharer): number {
  return places === 0 ? sinceMs : -sinceMs;
}
