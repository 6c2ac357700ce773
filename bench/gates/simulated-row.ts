import type { Chance } from '../capacity/chance.ts';

export const simulatedParts = ['plans', 'anyTime', 'paired', 'many'] as const;
export type SimulatedPart = (typeof simulatedParts)[number];

export type Figures = Readonly<Record<string, number>>;

export interface SimulatedRow {
  readonly part: SimulatedPart;
  readonly name: string;
  /** Null if no exact figures are known. */
  readonly exact: Figures | null;
  readonly simulated: Figures;
  readonly standardError: Figures;
}

/** A row to simulate. `play` returns the figures of one repetition; the result is their mean. */
export interface Scene {
  readonly part: SimulatedPart;
  readonly name: string;
  readonly exact: Figures | null;
  readonly play: (chance: Chance) => Figures;
}

export function passedOf(trials: number, rate: number, chance: Chance): number {
  let passed = 0;
  for (let trial = 0; trial < trials; trial += 1) if (chance() < rate) passed += 1;
  return passed;
}

export function repeat({ play, ...row }: Scene, runs: number, chance: Chance): SimulatedRow {
  const sums = new Map<string, { sum: number; squares: number }>();
  for (let run = 0; run < runs; run += 1) {
    for (const [figure, value] of Object.entries(play(chance))) {
      const { sum, squares } = sums.get(figure) ?? { sum: 0, squares: 0 };
      sums.set(figure, { sum: sum + value, squares: squares + value * value });
    }
  }
  const means = [...sums].map(([figure, { sum }]) => [figure, sum / runs] as const);
  const errors = [...sums].map(([figure, { sum, squares }]) => {
    const variance = Math.max(0, squares / runs - (sum / runs) ** 2);
    return [figure, Math.sqrt(variance / runs)] as const;
  });
  return {
    ...row,
    simulated: Object.fromEntries(means),
    standardError: Object.fromEntries(errors),
  };
}
