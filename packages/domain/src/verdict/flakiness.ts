/**
 * The stability of one case variant over the latest runs with the same tools. Since the tools are
 * the same, differences between trials come from the model, the server's answers or the case. Runs
 * without graded trials are left out.
 */
import { type StabilityLabel, stabilityLabel } from './stability-label.ts';

/**
 * The largest number of runs that are read; the newest are used. That is enough to show a pattern
 * and few enough to read at once.
 */
export const mostRunsOfFlakiness = 20;

export interface GradedInRun {
  readonly passed: number;
  readonly failed: number;
}

export interface Flakiness {
  readonly runs: number;
  readonly eligibleTrials: number;
  readonly passedTrials: number;
  readonly mixedRuns: number;
  /**
   * The number of changes from all passed to all failed, or back, between successive runs. Runs
   * with both passed and failed trials are skipped.
   */
  readonly flips: number;
  readonly stability: StabilityLabel;
}

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
