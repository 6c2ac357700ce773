/**
 * Cuts a run into slices, which workers claim one after another. Slices are small, so that all
 * lanes of a run end at about the same time and little work waits if a worker dies. They are large
 * enough that claiming costs little.
 */
export interface Slice {
  readonly firstOrdinal: number;
  readonly lastOrdinal: number;
}

const largestSlice = 20;
const slicesPerLane = 4;

export function cutSlices(trials: number, lanes: number): Slice[] {
  const size = Math.min(largestSlice, Math.max(1, Math.ceil(trials / (lanes * slicesPerLane))));
  const slices: Slice[] = [];
  for (let first = 1; first <= trials; first += size) {
    slices.push({ firstOrdinal: first, lastOrdinal: Math.min(trials, first + size - 1) });
  }
  return slices;
}
