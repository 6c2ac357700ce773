/**
 * Simulates the statistical rules of gates. Each row has its own random numbers, so its result does
 * not depend on which other rows are simulated.
 */
import { chanceOf } from '../capacity/chance.ts';
import { anyTimeScenes } from './any-time-scenes.ts';
import { manyScenes } from './many-scenes.ts';
import { pairedScenes } from './paired-scenes.ts';
import { planScenes } from './plan-scenes.ts';
import { repeat, type Scene, type SimulatedPart, type SimulatedRow } from './simulated-row.ts';

export interface SimulationOptions {
  readonly only?: SimulatedPart | undefined;
  readonly runs: number;
  readonly seed: number;
}

const scenesOf: Readonly<Record<SimulatedPart, () => Scene[]>> = {
  plans: planScenes,
  anyTime: anyTimeScenes,
  paired: pairedScenes,
  many: manyScenes,
};

export function simulateGates({ only, runs, seed }: SimulationOptions): {
  readonly seed: number;
  readonly rows: SimulatedRow[];
} {
  const parts = Object.entries(scenesOf).filter(([part]) => only === undefined || part === only);
  const rows = parts.flatMap(([, scenes]) =>
    scenes().map((scene) => repeat(scene, runs, chanceOf(seedOf(seed, scene)))),
  );
  return { seed, rows };
}

function seedOf(seed: number, { part, name }: Scene): number {
  let mixed = seed ^ 0x811c9dc5;
  for (const character of `${part} ${name}`) {
    mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return mixed >>> 0;
}
