/** Random numbers that repeat with the same seed, so that a failed series can be repeated. */
export interface SeededChance {
  /** Returns an integer from 0 up to, but not including, `below`. */
  integer(below: number): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

export function seededChance(seed: number): SeededChance {
  let state = seed >>> 0;
  const integer = (below: number) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  return {
    integer,
    oneOf(items) {
      if (items.length === 0) throw new Error('There is nothing to choose from.');
      return items[integer(items.length)] as (typeof items)[number];
    },
  };
}
