/**
 * Simulates a test of the pass rate that is repeated after each of 100 trials. Reports how often it
 * ever rejects the stated rate, and after how many trials.
 */
import { logEvidenceBelow } from '../../packages/domain/src/index.ts';
import { type Figures, passedOf, type Scene } from './simulated-row.ts';

const mostTrials = 100;
const logRejected = Math.log(20);

export function anyTimeScenes(): Scene[] {
  return [
    sceneOf(0.9, 0.9),
    sceneOf(0.8, 0.8),
    sceneOf(0.9, 0.7),
    sceneOf(0.9, 0.5),
    sceneOf(0.8, 0.6),
  ];
}

function sceneOf(stated: number, trueRate: number): Scene {
  const rejects = rejectedCounts(stated);
  return {
    part: 'anyTime',
    name: `at least ${stated}, at a true rate of ${trueRate}`,
    exact: exactFigures(rejects, trueRate),
    play(chance) {
      let passed = 0;
      for (let trials = 1; trials <= mostTrials; trials += 1) {
        passed += passedOf(1, trueRate, chance);
        if (passed <= (rejects[trials] ?? -1)) return { rejected: 1, trials };
      }
      return { rejected: 0, trials: mostTrials };
    },
  };
}

/**
 * For each number of trials, returns the largest number of passed trials at which the stated rate
 * is rejected, or −1.
 */
function rejectedCounts(stated: number): number[] {
  return Array.from({ length: mostTrials + 1 }, (_, trials) => {
    let most = -1;
    while (most < trials && rejectsAt(most + 1, trials, stated)) most += 1;
    return most;
  });
}

function rejectsAt(passed: number, trials: number, stated: number): boolean {
  return logEvidenceBelow({ passed, trials }, stated) >= logRejected;
}

function exactFigures(rejects: readonly number[], rate: number): Figures {
  let going = [1];
  let rejected = 0;
  let mean = 0;
  for (let trials = 1; trials <= mostTrials; trials += 1) {
    const before = going;
    going = Array.from({ length: trials + 1 }, (_, passed) => {
      return (before[passed] ?? 0) * (1 - rate) + (before[passed - 1] ?? 0) * rate;
    });
    for (let passed = 0; passed <= (rejects[trials] ?? -1); passed += 1) {
      rejected += going[passed] ?? 0;
      mean += (going[passed] ?? 0) * trials;
      going[passed] = 0;
    }
  }
  return { rejected, trials: mean + (1 - rejected) * mostTrials };
}
