/**
 * The task result of one trial. It passes when the tool calls match, every gating assertion holds and no widget or
 * interaction step failed. Unless the case sets `failOnToolError` to false, there must also be no error of the trial,
 * no tool error in the trace and none in a pinned call, but those that the case states. A failed assertion counts whatever `failOnToolError` says. One
 * that nobody could answer decides nothing: what failed beside it stands, and where nothing did the trial has no
 * verdict.
 */
import { isAdvisory } from './assertion.ts';
import type { AssertionResult } from './evaluate-assertion.ts';
import { brokenRuleSentence } from './tool-error-rule.ts';
import type { ToolError } from './transcript.ts';

export interface GradedTrial {
  readonly toolCallsMatch: boolean;
  /** Why nobody can tell whether they match, where that is so of some; the others do or do not. */
  readonly openMatch?: string | undefined;
  readonly caseAssertions: readonly AssertionResult[];
  readonly turnAssertions: readonly AssertionResult[];
  /** Absent means true. */
  readonly failOnToolError?: boolean;
  readonly hasTrialError: boolean;
  readonly hasToolError: boolean;
  /** The errors themselves, where they are known. */
  readonly toolErrors?: readonly ToolError[] | undefined;
  /** Why nobody can tell whether an error of a tool counts. */
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
  /** Why nobody can say whether it passed: a gating assertion has no answer, or an error may be stated; else nothing failed. */
  readonly unanswered?: string;
  /** What made it fail, in the order above. */
  readonly failures: readonly TrialFailure[];
  /** Of an error of a tool that counts: which rule it breaks, and by which tool. */
  readonly brokenRule?: string;
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

/** No assertion at all is a pass. */
function gatingAssertionsPassed(results: readonly AssertionResult[]): boolean {
  return results.every(
    (result) => result.passed || isAdvisory(result.predicate) || isUnanswered(result),
  );
}

function isUnanswered({ evaluatorError, predicate }: AssertionResult): boolean {
  return evaluatorError === true && !isAdvisory(predicate);
}
