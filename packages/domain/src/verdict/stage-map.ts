/**
 * The stage map of a run: its case variants by the six stages. A cell counts the trials that first
 * failed at its stage, by their recorded chains. Without one, it shows the state of the stage in
 * the variant's furthest trial: one that passed, else one that failed at the last stage of all.
 * Variants with a failed trial come first, then those with an ungraded one, each in the order of
 * the run.
 */
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import { type Stage, type StageState, stages } from '../chain/vocabulary.ts';

export const mostStageMapRows = 200;

export const trialOutcomes = ['passed', 'failed', 'notGraded', 'toCome'] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

/** Trials of one variant with the same outcome. */
export interface OutcomeGroup {
  readonly outcome: TrialOutcome;
  /** As recorded; null if no stage is known to have failed. */
  readonly stage: string | null;
  readonly trials: number;
  /** The position of the first of them in the run. */
  readonly first: number;
}

export interface StageCell {
  readonly stage: Stage;
  readonly state: StageState;
  readonly failedTrials: number;
}

/** Returns the position of the furthest trial. */
export function furthestTrial(groups: readonly OutcomeGroup[]): number | undefined {
  const reached = ({ outcome, stage }: OutcomeGroup) =>
    outcome === 'passed' ? stages.length : stages.indexOf(stage as Stage);
  const ended = groups.filter(({ outcome }) => outcome !== 'toCome');
  return ended.toSorted((one, other) => reached(other) - reached(one))[0]?.first;
}

export function stageCells(
  groups: readonly OutcomeGroup[],
  furthest: StoredChain | undefined,
): StageCell[] {
  const chain = readChain(furthest);
  const shown = chain.status === 'verified' ? chain.stages : [];
  return stages.map((stage) => {
    const failedTrials = groups
      .filter((group) => group.stage === stage && group.outcome !== 'passed')
      .reduce((sum, { trials }) => sum + trials, 0);
    const known = shown.find((row) => row.stage === stage)?.state ?? 'notMeasured';
    return { stage, state: failedTrials > 0 ? 'failed' : known, failedTrials };
  });
}

export function outcomeCounts(groups: readonly OutcomeGroup[]): Record<TrialOutcome, number> {
  const amount = (wanted: TrialOutcome) =>
    groups.filter(({ outcome }) => outcome === wanted).reduce((sum, { trials }) => sum + trials, 0);
  return {
    passed: amount('passed'),
    failed: amount('failed'),
    notGraded: amount('notGraded'),
    toCome: amount('toCome'),
  };
}
