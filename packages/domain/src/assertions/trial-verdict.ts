/**
 * The verdict of one trial. The trial passes if the tool calls match, every gating assertion holds
 * and no widget or interaction step failed. There must also be no error of the trial and no tool
 * error, in the trace or in a pinned call. Two tool errors do not count: those that the case
 * expects, and all if the case sets `failOnToolError` to false. A failed assertion counts in any
 * case.
 *
 * An assertion without an answer decides nothing. If anything else failed, the trial fails;
 * otherwise it has no verdict.
 */
import { isAdvisory } from './assertion.ts';
import type { AssertionResult } from './evaluate-assertion.ts';
import { brokenRuleSentence } from './tool-error-rule.ts';
import type { ToolError } from './transcript.ts';

export interface GradedTrial {
  readonly toolCallsMatch: boolean;
  /**
   * Set if it is unknown whether some calls match, with the reason. `toolCallsMatch` is then about
   * the other calls.
   */
  readonly openMatch?: string | undefined;
  readonly caseAssertions: readonly AssertionResult[];
  readonly turnAssertions: readonly AssertionResult[];
  /** (default: true) */
  readonly failOnToolError?: boolean;
  readonly hasTrialError: boolean;
  readonly hasToolError: boolean;
  /** The tool errors, if they are known individually. */
  readonly toolErrors?: readonly ToolError[] | undefined;
  /** Set if it is unknown whether a tool error counts, with the reason. */
  readonly openToolError?: string | undefined;
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
  /**
   * Set if the trial has no verdict, with the reason: nothing failed, but a gating assertion has no
   * answer, or a tool error may be an expected one.
   */
  readonly unanswered?: string;
  /** The causes of the failure, in the order of `trialFailures`. */
  readonly failures: readonly TrialFailure[];
  /** The rule against tool errors as a sentence with the tool's name, if a tool error broke it. */
  readonly brokenRule?: string;
  /** The assertion results in stored order: first those of the case, then those of each turn. */
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
  if (failures.length > 0) {
    const { toolErrors = [] } = evidence;
    const isRule = failed.toolError && toolErrors.length > 0;
    const broken = isRule ? { brokenRule: brokenRuleSentence(toolErrors) } : {};
    return { passed: false, failures, ...broken, assertions };
  }
  const openError = countErrors ? evidence.openToolError : undefined;
  const unanswered = assertions.find(isUnanswered)?.reason ?? evidence.openMatch ?? openError;
  if (unanswered !== undefined) return { passed: false, unanswered, failures, assertions };
  return { passed: true, failures, assertions };
}

/** Returns whether all gating assertions hold; true if there are none. */
function gatingAssertionsPassed(results: readonly AssertionResult[]): boolean {
  return results.every(
    (result) => result.passed || isAdvisory(result.predicate) || isUnanswered(result),
  );
}

function isUnanswered({ evaluatorError, predicate }: AssertionResult): boolean {
  return evaluatorError === true && !isAdvisory(predicate);
}
