/**
 * The exact distribution of a trial plan at a true pass rate. For each look (interim check) it
 * contains the probability of every count of passed trials and of an earlier stop. Nothing is
 * simulated or approximated.
 */
import { type Bounds, lineReached } from './plan-bounds.ts';

export interface PlanWalk {
  readonly trials: number;
  readonly going: Float64Array;
  readonly passedEarly: number;
  readonly failedEarly: number;
  /**
   * The number of trials in trial sequences that have stopped, weighted by the sequences'
   * probabilities.
   */
  readonly spent: number;
}

export interface PlanOutcome {
  readonly passes: number;
  readonly fails: number;
  readonly meanTrials: number;
}

export function startWalk(): PlanWalk {
  return { trials: 0, going: Float64Array.of(1), passedEarly: 0, failedEarly: 0, spent: 0 };
}

export function playLook(walk: PlanWalk, look: number, rate: number): PlanWalk {
  const going = new Float64Array(walk.going.length + look);
  going.set(walk.going);
  for (let trial = 0; trial < look; trial += 1) {
    // Counts down, so that each chance is read before it is replaced.
    for (let passed = walk.going.length + trial; passed > 0; passed -= 1) {
      going[passed] = (going[passed] ?? 0) * (1 - rate) + (going[passed - 1] ?? 0) * rate;
    }
    going[0] = (going[0] ?? 0) * (1 - rate);
  }
  return { ...walk, trials: walk.trials + look, going };
}

export function stopAtLook(walk: PlanWalk, bounds: Bounds): PlanWalk {
  const going = walk.going.slice();
  let { passedEarly, failedEarly } = walk;
  for (let passed = 0; passed < going.length; passed += 1) {
    const chance = going[passed] ?? 0;
    if (chance === 0) continue;
    const reached = lineReached(bounds, passed, walk.trials);
    if (reached === undefined) continue;
    if (reached === 'passed') passedEarly += chance;
    else failedEarly += chance;
    going[passed] = 0;
  }
  const stopped = passedEarly + failedEarly - walk.passedEarly - walk.failedEarly;
  const spent = walk.spent + stopped * walk.trials;
  return { trials: walk.trials, going, passedEarly, failedEarly, spent };
}

/** Ends all trial sequences. A sequence with at least `passes` passed trials passes. */
export function stopAtCap(walk: PlanWalk, passes: number): PlanOutcome {
  let passing = 0;
  let failing = 0;
  for (let passed = 0; passed < walk.going.length; passed += 1) {
    const chance = walk.going[passed] ?? 0;
    if (passed >= passes) passing += chance;
    else failing += chance;
  }
  return {
    passes: walk.passedEarly + passing,
    fails: walk.failedEarly + failing,
    meanTrials: walk.spent + (passing + failing) * walk.trials,
  };
}
