/**
 * The task result of one trial. It passes when the tool calls match, every gating assertion holds and no widget or
 * interaction step failed. Unless the case sets `failOnToolError` to false, there must also be no error of the trial,
 * no tool error in the trace and none in a pinned call. A failed assertion counts whatever `failOnToolError` says. One
 * that nobody could answer decides nothing: what failed beside it stands, and where nothing did the trial has no
 * verdict.
 */
import { isAdvisory } from './assertion.ts';
import type { AssertionResult } from './evaluate-assertion.ts';

export interface GradedTrial {
  readonly toolCallsMatch: boolean;
  readonly caseAssertions: readonly AssertionResult[];
  readonly turnAssertions: readonly AssertionResult[];
  /** Absent means true. */
  readonly failOnToolError?: boolean;
  readonly hasTrialError: boolean;
  readonly hasToolError: boolean;
  readonly hasPinnedToolError: boolean;
  readonly hasFailedStep: boolean;
}

const trialFailures = [
  'toolCallsDoNotMatch',
  'assertionFailed',
  'trialError',
  'toolError',
  'pinnedToolError',
  'stepFailed',
] as const;
export type TrialFailure = (typeof trialFailures)[number];

export interface TrialVerdict {
  readonly passed: boolean;
  /** Why nobody can say whether it passed: a gating assertion has no answer, and nothing else failed. */
  readonly unanswered?: string;
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
    trialError: countErrors && evidence.hasTrialError,
    toolError: countErrors && evidence.hasToolError,
    pinnedToolError: countErrors && evidence.hasPinnedToolError,
    stepFailed: evidence.hasFailedStep,
  };
  const failures = trialFailures.filter((failure) => failed[failure]);
  const open = failures.length > 0 ? undefined : assertions.find(isUnanswered);
  if (open !== undefined) return { passed: false, unanswered: open.reason, failures, assertions };
  return { passed: failures.length === 0, failures, assertions };
}

/** No assertion at all is a pass. */
function gatingAssertionsPassed(results: readonly AssertionResult[]): boolean {
  return results.every(
    (result) => result.passed || isAdvisory(result.predicate) || isUnanswered(result),
  );
}

function isUnanswered({ evaluatorError, predicate }: AssertionResult): boolean {
  return evaluatorError === true && !isAdvisory(predicate);
}
