/**
 * Compares two runs of the same cases by pairs and by pooled rates. Reports how often each method
 * finds a change where none exists, and how often it finds a real drop.
 */
import {
  comparePaired,
  compareRates,
  isPairedDrop,
  pairedLevel,
} from '../../packages/domain/src/index.ts';
import type { Chance } from '../capacity/chance.ts';
import { passedOf, type Scene } from './simulated-row.ts';

interface PairedSetup {
  readonly name: string;
  /** True pass rate of each case in the base run. */
  readonly rates: readonly number[];
  readonly trials: number;
  readonly drop: number;
  readonly clusterSize?: number;
}

const spread = (cases: number) =>
  Array.from({ length: cases }, (_, at) => 0.5 + (0.5 * at) / (cases - 1));
const equal = (cases: number, rate: number) => Array.from({ length: cases }, () => rate);
/** Most cases nearly always pass, and some often fail. */
const mixed = [...equal(28, 0.98), ...equal(12, 0.4)];

export function pairedScenes(): Scene[] {
  const unchanged = [6, 10, 15, 19, 20, 40, 100].map((cases) => ({
    name: `no change in ${cases} cases of 5 trials, rates from 0.5 to 1`,
    rates: spread(cases),
    trials: 5,
    drop: 0,
  }));
  const ofOneTrial = [19, 40, 100].map((cases) => ({
    name: `no change in ${cases} cases of one trial, rates from 0.5 to 1`,
    rates: spread(cases),
    trials: 1,
    drop: 0,
  }));
  const clustered = [20, 40].map((clusters) => ({
    name: `no change in ${clusters} clusters of 3 cases of 5 trials`,
    rates: spread(3 * clusters),
    trials: 5,
    drop: 0,
    clusterSize: 3,
  }));
  const dropped = [
    { name: 'a drop of 0.1 in 40 cases of 5 trials, rates from 0.5 to 1', rates: spread(40) },
    { name: 'a drop of 0.1 in 40 cases of 5 trials, all rates 0.75', rates: equal(40, 0.75) },
    { name: 'a drop of 0.1 in 40 cases of 5 trials, rates 0.98 and 0.4', rates: mixed },
  ].map((setup) => ({ ...setup, trials: 5, drop: 0.1 }));
  return [...unchanged, ...ofOneTrial, ...clustered, ...dropped].map(sceneOf);
}

function sceneOf(setup: PairedSetup): Scene {
  return {
    part: 'paired',
    name: setup.name,
    exact: null,
    play(chance) {
      const base = playRun(setup, 0, chance);
      const compare = playRun(setup, setup.drop, chance);
      const paired = comparePaired(base, compare);
      const drops = {
        drop: isPairedDrop(paired) === true ? 1 : 0,
        pooledDrop: compareRates(pool(base), pool(compare)).outcome === 'regression' ? 1 : 0,
      };
      if (setup.drop > 0) return drops;
      return { change: (paired.p ?? 1) <= pairedLevel ? 1 : 0, ...drops };
    },
  };
}

function playRun({ rates, trials, clusterSize = 1 }: PairedSetup, drop: number, chance: Chance) {
  return rates.map((rate, at) => ({
    key: String(at),
    cluster: String(Math.floor(at / clusterSize)),
    passed: passedOf(trials, Math.max(0, rate - drop), chance),
    trials,
  }));
}

function pool(cases: readonly { readonly passed: number; readonly trials: number }[]) {
  return {
    passed: cases.reduce((sum, { passed }) => sum + passed, 0),
    trials: cases.reduce((sum, { trials }) => sum + trials, 0),
  };
}
