/**
 * The stage map of a run: a table with a row for each case variant and a column for each of the six
 * stages. A cell counts the trials that first failed at the column's stage. If there are none, it
 * shows the state of that stage in the trial that got furthest. Variants with a failed trial come
 * first, then those with an ungraded one.
 */
import { readChain, type StoredChain } from '../chain/read-chain.ts';
import { type Stage, type StageState, stages } from '../chain/vocabulary.ts';

export const mostStageMapRows = 200;

export const trialOutcomes = ['passed', 'failed', 'notGraded', 'toCome'] as const;
export type TrialOutcome = (typeof trialOutcomes)[number];

export interface OutcomeGroup {
  readonly outcome: TrialOutcome;
  /** The first failed stage; null if unknown. */
  readonly stage: string | null;
  readonly trials: number;
  /** The position in the run of the group's first trial. */
  readonly first: number;
}

export interface StageCell {
  readonly stage: Stage;
  readonly state: StageState;
  readonly failedTrials: number;
}

/**
 * Returns the position of the trial that got furthest: a passed one, else the one that failed at
 * the latest stage.
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
 * Returns how many rows are shown at first: as many as variants failed, but at least two and at
 * most eight.
 */
export function rowsShownFirst(variants: Readonly<Record<TrialOutcome, number>>): number {
  return Math.min(Math.max(variants.failed, fewestRowsShown), mostRowsShown);
}

const fewestRowsShown = 2;
const mostRowsShown = 8;
