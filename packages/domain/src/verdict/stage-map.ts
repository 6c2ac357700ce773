/**
 * The stage map of a run: a table of its case variants by the six stages. A cell counts the trials
 * that first failed at its stage, by their recorded chains. If none failed there, the cell shows
 * the state of the stage in the variant's furthest trial: a passed one, else the one that failed at
 * the latest stage. Variants with a failed trial come first, then those with an ungraded one, each
 * group in the order of the run.
 */
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import { type Stage, type StageState, stages } from '../chain/vocabulary.ts';

export const mostStageMapRows = 200;

export const trialOutcomes = ['passed', 'failed', 'notGraded', 'toCome'] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

/** Trials of one variant with the same outcome and the same failed stage. */
export interface OutcomeGroup {
  readonly outcome: TrialOutcome;
  /** The first failed stage as recorded; null if none is known. */
  readonly stage: string | null;
  readonly trials: number;
  /** The position in the run of the first trial of the group. */
  readonly first: number;
}

export interface StageCell {
  readonly stage: Stage;
  readonly state: StageState;
  readonly failedTrials: number;
}

/**
 * Returns the position of a trial that got furthest: a passed one, else one that failed at the
 * latest stage.
 */
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

/**
 * Returns how many rows are shown at first: each one with a failed trial up to eight, and two if
 * none or one failed.
 */
export function rowsShownFirst(variants: Readonly<Record<TrialOutcome, number>>): number {
  return Math.min(Math.max(variants.failed, fewestRowsShown), mostRowsShown);
}

const fewestRowsShown = 2;
const mostRowsShown = 8;
