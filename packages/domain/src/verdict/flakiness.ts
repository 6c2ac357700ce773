/**
 * How alike the trials of one case variant were over the last runs that were offered the same tools. The tools being the
 * same, what changes from trial to trial is put down to the model, the server's answers or the case itself. Only trials
 * that were graded count; a run that graded none of them is none of the runs.
 */
import { type StabilityLabel, stabilityLabel } from './stability-label.ts';

/** Of the newest runs; enough for a habit to show, few enough to be read at once. */
export const mostRunsOfFlakiness = 20;

export interface GradedInRun {
  readonly passed: number;
  readonly failed: number;
}

export interface Flakiness {
  readonly runs: number;
  readonly eligibleTrials: number;
  readonly passedTrials: number;
  /** Runs in which some passed and some failed. */
  readonly mixedRuns: number;
  /** How often all trials of a run came out one way and all of the next such run the other. */
  readonly flips: number;
  readonly stability: StabilityLabel;
}

/** In the order of the runs. */
export function flakinessOver(inRuns: readonly GradedInRun[]): Flakiness {
  const graded = inRuns.filter(({ passed, failed }) => passed + failed > 0);
  const passedTrials = graded.reduce((sum, { passed }) => sum + passed, 0);
  const failedTrials = graded.reduce((sum, { failed }) => sum + failed, 0);
  const eligibleTrials = passedTrials + failedTrials;
  const steady = graded.filter(({ passed, failed }) => passed === 0 || failed === 0);
  return {
    runs: graded.length,
    eligibleTrials,
    passedTrials,
    mixedRuns: graded.length - steady.length,
    flips: steady.filter((run, at) => at > 0 && isPassed(run) !== isPassed(steady[at - 1])).length,
    stability: stabilityLabel({ eligibleTrials, passedTrials }),
  };
}

function isPassed(run: GradedInRun | undefined): boolean {
  return run !== undefined && run.failed === 0;
}
