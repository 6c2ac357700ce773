/**
 * How processes divide the places of something of which only so many may be used at once, such as calls of one server.
 * Everybody who wants a place gets one before anybody gets a second. Where there are more who want one than places,
 * they take turns: whoever has had a place for as long as a turn lasts gives it to who has waited longest.
 */
export interface Sharer {
  readonly places: number;
  /** How many it could use. */
  readonly wanted: number;
  /** For how long it has had places or, without any, waited for one. */
  readonly sinceMs: number;
}

/** In the order given. Places that nobody wants are left. */
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

/** Alone, one keeps all places, wanted or not: so nobody asks for each anew. */
export function placesToHold(
  bound: number,
  sharers: readonly Sharer[],
  mine: number,
  turnMs: number,
): number {
  const isAlone = sharers.every(({ wanted }, index) => index === mine || wanted === 0);
  return isAlone ? bound : (divideSlots(bound, sharers, turnMs)[mine] ?? 0);
}

/** Who is in the middle of a turn ends it; then come those who wait, and then those whose turn is over. */
function rankOf({ places, sinceMs }: Sharer, turnMs: number): number {
  if (places === 0) return 1;
  return sinceMs < turnMs ? 0 : 2;
}

/** Of those who wait, who waited longest; of those who have places, who got them last. */
function waitOf({ places, sinceMs }: Sharer): number {
  return places === 0 ? sinceMs : -sinceMs;
}
