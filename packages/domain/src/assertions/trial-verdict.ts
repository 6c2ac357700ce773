/**
 * Decides the verdict of one trial. The trial passes if the tool calls match, every gating
 * assertion holds, and no step, tool call or trial error occurred. A tool error does not count if
 * the case expects it, or if the case sets `failOnToolError` to false.
 *
 * If nothing failed but an assertion has no answer, the trial has no verdict.
 */
import { isAdvisory } from './assertion.ts';
import type { AssertionResult } from './evaluate-assertion.ts';
import { brokenRuleSentence } from './tool-error-rule.ts';
import type { ToolError } from './transcript.ts';

export interface GradedTrial {
  readonly toolCallsMatch: boolean;
  /**
   * The reason why some calls could not be compared. `toolCallsMatch` then covers only the calls
   * that were compared.
   */
  readonly openMatch?: string | undefined;
  readonly caseAssertions: readonly AssertionResult[];
  readonly turnAssertions: readonly AssertionResult[];
  /** (default: true) */
  readonly failOnToolError?: boolean;
  readonly hasTrialError: boolean;
  readonly hasToolError: boolean;
  /** Undefined if the tool errors are not known individually. */
  readonly toolErrors?: readonly ToolError[] | undefined;
  /** The reason why it is unknown whether a tool error counts. */
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
   * The reason why the trial has no verdict: nothing failed, but a gating assertion could not be
   * evaluated, or the case may expect a tool error.
   */
  readonly unanswered?: string;
  /** The causes of the failure, in the order of `trialFailures`. */
  readonly failures: readonly TrialFailure[];
  /** A sentence that names the tool and the rule; set only if a tool error broke the rule. */
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

function gatingAssertionsPassed(results: readonly AssertionResult[]): boolean {
  return results.every(
    (result) => result.passed || isAdvisory(result.predicate) || isUnanswered(result),
  );
}

function isUnanswered({ evaluatorError, predicate }: AssertionResult): boolean {
  return evaluatorError === true && !isAdvisory(predicate);
}
