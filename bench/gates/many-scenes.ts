/**
 * Many cases. Unchanged ones: how often any of them is called changed or worse, with Holm's
 * correction, listed by Benjamini and Hochberg's, and without any, as comparisons did before. Some
 * dropped: the share of the named cases that are chance, and the share of the drops that are found.
 */
import { compareMany, correctionLevel, fisherExact } from '../../packages/domain/src/index.ts';
import type { Chance } from '../capacity/chance.ts';
import { type Figures, passedOf, type Scene } from './simulated-row.ts';

const trials = 20;

export function manyScenes(): Scene[] {
  return [
    ...[20, 100, 500].map((cases) => sceneOf(cases, 0.75)),
    ...[0.5, 0.95].map((rate) => sceneOf(100, rate)),
    ...[20, 100, 500].map((cases) => droppedScene(cases, 0.8, 0.5)),
  ];
}

interface PlayedCase {
  readonly base: { readonly passed: number };
  readonly compare: { readonly passed: number };
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
      const listed = played.filter((_, at) => isListed(compared[at]));
      const alone = played.filter((_, at) => (compared[at]?.p ?? 1) <= correctionLevel);
      return {
        anyChanged: outside.length > 0 ? 1 : 0,
        anyWorse: outside.some(isWorse) ? 1 : 0,
        anyListed: listed.length > 0 ? 1 : 0,
        anyWorseUncorrected: alone.some(isWorse) ? 1 : 0,
      };
    },
  };
}

/** Every fourth case drops. */
function droppedScene(cases: number, rate: number, drop: number): Scene {
  const dropped = cases / 4;
  return {
    part: 'many',
    name: `${cases} cases of ${trials} trials at ${rate}, ${dropped} of them dropped by ${drop}`,
    exact: null,
    play(chance) {
      const played = Array.from({ length: cases }, (_, at) => ({
        base: playCase(rate, chance),
        compare: playCase(at < dropped ? rate - drop : rate, chance),
      }));
      const compared = compareMany(played).cases;
      const places = [...played.keys()];
      const worse = places.filter((at) => compared[at]?.significance === 'outside_noise');
      const listed = places.filter((at) => isListed(compared[at]));
      const right = (named: readonly number[]) => named.filter((at) => at < dropped).length;
      return {
        anyFalse: right(worse) < worse.length ? 1 : 0,
        falseShareOfListed: listed.length === 0 ? 0 : 1 - right(listed) / listed.length,
        foundByHolm: right(worse) / dropped,
        foundInList: right(listed) / dropped,
      };
    },
  };
}

function isListed(chances: { readonly bh: number | null } | undefined): boolean {
  return (chances?.bh ?? 1) <= correctionLevel;
}

function isWorse({ base, compare }: PlayedCase): boolean {
  return compare.passed < base.passed;
}

function playCase(rate: number, chance: Chance) {
  return { passed: passedOf(trials, rate, chance), trials };
}

/**
 * With Holm's correction, at least one case counts as changed exactly if the smallest p-value is at
 * most the level divided by the number of cases.
 */
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
