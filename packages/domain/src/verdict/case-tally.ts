/**
 * The counts of one case under one execution variant, from which its row in the decision is
 * computed. A configured trial that was never reported counts as pending. More trials than
 * configured are rejected.
 */
import { classifyTrial, type Trial } from './classify-trial.ts';
import {
  type DecisionCase,
  type Exclusions,
  type ExecutionVariant,
  exclusionReasons,
} from './decision.ts';
import { sumExclusions } from './rate.ts';

export interface CaseTerms {
  readonly caseId: string;
  readonly executionVariant?: ExecutionVariant | undefined;
  readonly configuredTrials: number;
  readonly effectivePassThreshold: number;
}

export interface CaseTrials extends CaseTerms {
  readonly trials: readonly Trial[];
}

export interface CaseTally extends CaseTerms {
  readonly passedTrials: number;
  readonly failedTrials: number;
  /** The number of trials that have started but not ended. They count as attempted. */
  readonly runningTrials: number;
  /** The numbers of trials that are not graded, by reason. Running trials are included. */
  readonly exclusions: Exclusions;
}

export function tallyTrials(input: CaseTrials): { tally: CaseTally } | { problem: string } {
  const { trials, ...terms } = input;
  const unreported = terms.configuredTrials - trials.length;
  if (unreported < 0) return { problem: 'it has more trials than were configured' };
  const graded = { passed: 0, failed: 0 };
  const excluded: Required<Exclusions> = {
    notTerminal: unreported,
    skipped: 0,
    setupFailed: 0,
    cancelled: 0,
    timedOut: 0,
    executionFailed: 0,
    evaluatorError: 0,
  };
  for (const trial of trials) {
    const found = classifyTrial(trial);
    if ('problem' in found) return found;
    if ('graded' in found) graded[found.graded] += 1;
    else excluded[found.excluded] += 1;
  }
  const tally = {
    ...terms,
    passedTrials: graded.passed,
    failedTrials: graded.failed,
    runningTrials: trials.filter(({ status }) => status === 'running').length,
    exclusions: sumExclusions([excluded]),
  };
  return { tally };
}

/** Returns undefined if the stored counts contradict each other. */
export function tallyOfCase(row: DecisionCase): CaseTally | undefined {
  const { passedTrials, failedTrials, configuredTrials } = row;
  const exclusions = sumExclusions([row.passRate.exclusions]);
  const runningTrials =
    (exclusions.notTerminal ?? 0) - (row.completionRate.exclusions.notTerminal ?? 0);
  const excludedTrials = exclusionReasons.reduce((sum, name) => sum + (exclusions[name] ?? 0), 0);
  if (runningTrials < 0) return undefined;
  if (passedTrials + failedTrials + excludedTrials !== configuredTrials) return undefined;
  const { caseId, executionVariant, effectivePassThreshold } = row;
  return {
    caseId,
    executionVariant,
    configuredTrials,
    effectivePassThreshold,
    passedTrials,
    failedTrials,
    runningTrials,
    exclusions,
  };
}
