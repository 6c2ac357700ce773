/**
 * The task result of one trial. It passes when the tool calls match, every gating assertion holds, no
 * widget or interaction step failed and, unless the case sets `failOnToolError` to false, nothing
 * went wrong on the way: no error of the iteration, no tool error in the trace, none in a pinned
 * call. A failed assertion counts whatever `failOnToolError` says.
 */
import { isAdvisory } from './assertion.ts';
import type { AssertionResult } from './evaluate-assertion.ts';

export interface GradedTrial {
  readonly toolCallsMatch: boolean;
  readonly caseAssertions: readonly AssertionResult[];
  readonly turnAssertions: readonly AssertionResult[];
  /** Absent means true. */
  readonly failOnToolError?: boolean;
  readonly hasIterationError: boolean;
  readonly hasToolError: boolean;
  readonly hasPinnedToolError: boolean;
  readonly hasFailedStep: boolean;
}

export const trialFailures = [
  'toolCallsDoNotMatch',
  'assertionFailed',
  'iterationError',
  'toolError',
  'pinnedToolError',
  'stepFailed',
] as const;
export type TrialFailure = (typeof trialFailures)[number];

export interface TrialVerdict {
  readonly passed: boolean;
  /** What made it fail, in the order above. */
  readonly failures: readonly TrialFailure[];
  /** Case level first, then turn by turn: the order they are stored in. */
  readonly assertions: readonly AssertionResult[];
}

export function trialVerdict(evidence: GradedTrial): TrialVerdict {
  const assertions = [...evidence.caseAssertions, ...evidence.turnAssertions];
  const countErrors = evidence.failOnToolError !== false;
  const failed: Readonly<Record<TrialFailure, boolean>> = {
    toolCallsDoNotMatch: !evidence.toolCallsMatch,
    assertionFailed: !gatingAssertionsPassed(assertions),
    iterationError: countErrors && evidence.hasIterationError,
    toolError: countErrors && evidence.hasToolError,
    pinnedToolError: countErrors && evidence.hasPinnedToolError,
    stepFailed: evidence.hasFailedStep,
  };
  const failures = trialFailures.filter((failure) => failed[failure]);
  return { passed: failures.length === 0, failures, assertions };
}

/** No assertion at all is a pass. */
export function gatingAssertionsPassed(results: readonly AssertionResult[]): boolean {
  return results.every((result) => result.passed || isAdvisory(result.predicate));
}
