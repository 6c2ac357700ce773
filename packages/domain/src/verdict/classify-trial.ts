/**
 * Classifies one trial. Only a completed trial without an evaluator error is graded, by its
 * verdict; every other trial is excluded with the reason of its status. An unknown status or
 * verdict, or a completed trial with neither verdict nor evaluator error, is rejected, since
 * guessing could falsify the decision.
 */
import type { ExclusionReason, TaskVerdict, TrialStatus } from './decision.ts';

export interface Trial {
  readonly status: TrialStatus;
  readonly taskVerdict?: TaskVerdict | undefined;
  readonly evaluatorError?: boolean | undefined;
}

export type TrialClass =
  | { readonly graded: TaskVerdict }
  | { readonly excluded: ExclusionReason }
  | { readonly problem: string };

const excludedStatuses = new Map<TrialStatus, ExclusionReason>([
  ['pending', 'notTerminal'],
  ['running', 'notTerminal'],
  ['skipped', 'skipped'],
  ['setup_failed', 'setupFailed'],
  ['cancelled', 'cancelled'],
  ['timed_out', 'timedOut'],
  ['failed', 'executionFailed'],
]);

export function classifyTrial(trial: Trial): TrialClass {
  const excluded = excludedStatuses.get(trial.status);
  if (excluded !== undefined) return { excluded };
  if (trial.status !== 'completed') return { problem: 'a trial has an unknown status' };
  if (trial.evaluatorError === true) return { excluded: 'evaluatorError' };
  if (trial.taskVerdict === 'passed' || trial.taskVerdict === 'failed') {
    return { graded: trial.taskVerdict };
  }
  return { problem: 'a completed trial has neither a verdict nor an evaluator error' };
}
