/**
 * Many unchanged cases: how often any of them is called changed or worse, with Holm's correction
 * and without any, as comparisons did before.
 */
import { compareMany, correctionLevel, fisherExact } from '../../packages/domain/src/index.ts';
import type { Chance } from '../capacity/chance.ts';
import { type Figures, passedOf, type Scene } from './simulated-row.ts';

const trials = 20;

export function manyScenes(): Scene[] {
  return [sceneOf(100, 0.5), sceneOf(100, 0.8), sceneOf(100, 0.95), sceneOf(500, 0.5)];
}

function sceneOf(cases: number, rate: number): Scene {
  return {
    part: 'many',
    name: `${cases} unchanged cases of ${trials} trials at ${rate}`,
    exact: exactFigures(cases, rate),
    play(chance) {
      const played = Array.from({ length: cases }, () => ({
        base: playCase(rate, chance),
        compare: playCase(rate, chance),
      }));
      const compared = compareMany(played).cases;
      const outside = played.filter((_, at) => compared[at]?.significance === 'outside_noise');
      const alone = played.filter((_, at) => (compared[at]?.p ?? 1) <= correctionLevel);
      const isWorse = ({ base, compare }: (typeof played)[number]) => compare.passed < base.passed;
      return {
        anyChanged: outside.length > 0 ? 1 : 0,
        anyWorse: outside.some(isWorse) ? 1 : 0,
        anyWorseUncorrected: alone.some(isWorse) ? 1 : 0,
      };
    },
  };
}

function playCase(rate: number, chance: Chance) {
  return { passed: passedOf(trials, rate, chance), trials };
}

/** Holm calls any case changed exactly if the smallest chance is at most the share of one case. */
function exactFigures(cases: number, rate: number): Figures {
  const chanceOfCount = binomial(rate);
  let changed = 0;
  let worse = 0;
  for (let before = 0; before <= trials; before += 1) {
    for (let now = 0; now <= trials; now += 1) {
      const p = fisherExact({ passed: before, trials }, { passed: now, trials }) ?? 1;
      const chance = (chanceOfCount[before] ?? 0) * (chanceOfCount[now] ?? 0);
      if (p <= (correctionLevel / cases) * (1 + 1e-9)) changed += chance;
      if (p <= correctionLevel && now < before) worse += chance;
    }
  }
  const ofAny = (chance: number) => 1 - (1 - chance) ** cases;
  return { anyChanged: ofAny(changed), anyWorseUncorrected: ofAny(worse) };
}

function binomial(rate: number): number[] {
  let chances = [1];
  for (let trial = 1; trial <= trials; trial += 1) {
    const before = chances;
    chances = Array.from({ length: trial + 1 }, (_, passed) => {
      return (before[passed] ?? 0) * (1 - rate) + (before[passed - 1] ?? 0) * rate;
    });
  }
  return chances;
}
