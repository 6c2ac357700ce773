/**
 * Cuts a run into slices, which workers claim one after another. Small slices let the parallel
 * trials of a run end at about the same time, and little work waits if a worker dies. Slices are
 * large enough that claiming costs little.
 */
import { firstTrials, type RunPlan, variantOfTrial } from './run-plan.ts';

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

/**
 * Each trial of a variant with a trial plan is a separate slice. The trials before one look (an
 * interim check) run in parallel, and the last one to end begins the next look.
 */
export function slicesOfRun(plan: Pick<RunPlan, 'cases'>, lanes: number): Slice[] {
  const trials = firstTrials(plan);
  const slices: Slice[] = [];
  let fixed: number[] = [];
  const cutFixed = () => {
    const [first] = fixed;
    if (first !== undefined) {
      const before = first - 1;
      for (const { firstOrdinal, lastOrdinal } of cutSlices(fixed.length, lanes)) {
        slices.push({ firstOrdinal: firstOrdinal + before, lastOrdinal: lastOrdinal + before });
      }
    }
    fixed = [];
  };
  for (const trial of trials) {
    const { ordinal } = trial;
    if (variantOfTrial(plan, trial)?.trialPlan === undefined) {
      fixed.push(ordinal);
      continue;
    }
    cutFixed();
    slices.push({ firstOrdinal: ordinal, lastOrdinal: ordinal });
  }
  cutFixed();
  return slices;
}
