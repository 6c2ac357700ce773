/**
 * Evaluates assertions; nothing is thrown. An unknown type, a malformed field, a missing
 * measurement or an exception keeps only that one assertion from passing. An assertion that the
 * grader cannot evaluate is marked with `evaluatorError`, and graders must not count it as a
 * failure.
 */
import type * as z from 'zod';
import { Assertion, type AssertionType, assertionKinds, caseLevelOnly } from './assertion.ts';
import type { AssertionContext, AssertionKind, Finding } from './assertion-kind.ts';
import type { MeasuredScore } from './measured-score.ts';
import { capReason, redactValue, showError, showValue } from './redact.ts';
import type { Transcript } from './transcript.ts';

export interface AssertionScope {
  readonly kind: 'turn';
  readonly promptIndex: number;
}

export interface AssertionSubject extends AssertionContext {
  readonly transcript: Transcript;
  /** The evaluated turn; absent for the whole case. */
  readonly scope?: AssertionScope;
}

export interface AssertionResult {
  /** The assertion as its author wrote it, with secrets in argument values redacted. */
  readonly predicate: unknown;
  readonly passed: boolean;
  readonly reason: string;
  /** Set if the grader could not evaluate the assertion. `passed` is then false without meaning. */
  readonly evaluatorError?: true;
  readonly measured?: MeasuredScore;
  /** How far the trial missed the goal, if a judge answered and the assertion does not hold. */
  readonly judgedAs?: 'judgePartial' | 'judgeFailed';
  readonly scope?: AssertionScope;
}

export function evaluateAssertion(assertion: unknown, subject: AssertionSubject): AssertionResult {
  const parsed = parse(assertion);
  if ('assertion' in parsed) return evaluateKnownAssertion(parsed.assertion, subject);
  return toResult(redactValue(assertion), refuse(parsed.problem), subject);
}

/** Skips the check of the assertion's shape, which was made when the assertion was written. */
export function evaluateKnownAssertion(
  assertion: Assertion,
  subject: AssertionSubject,
): AssertionResult {
  return toResult(echo(assertion), find(assertion, subject), subject);
}

/** Builds the result of an assertion that another evaluator, such as a judge, answered. */
export function answeredAssertion(
  assertion: Assertion,
  finding: Finding,
  subject: Pick<AssertionSubject, 'scope'>,
): AssertionResult {
  return toResult(echo(assertion), finding, subject);
}

/** Evaluates in the given order. For a turn, assertions that need the whole case are skipped. */
export function evaluateAssertions(
  assertions: readonly unknown[],
  subject: AssertionSubject,
): AssertionResult[] {
  const answerable =
    subject.scope === undefined
      ? assertions
      : assertions.filter((assertion) => !isCaseLevelOnly(assertion));
  return answerable.map((assertion) => evaluateAssertion(assertion, subject));
}

function isCaseLevelOnly(assertion: unknown): boolean {
  const parsed = parse(assertion);
  return 'assertion' in parsed && caseLevelOnly.includes(parsed.assertion.type);
}

function parse(assertion: unknown): { assertion: Assertion } | { problem: string } {
  try {
    const parsed = Assertion.safeParse(assertion);
    if (parsed.success) return { assertion: parsed.data };
    return { problem: malformed(parsed.error) };
  } catch (error) {
    return { problem: `The assertion cannot be read: ${showError(error)}` };
  }
}

function malformed(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The assertion is malformed.';
  if (issue.code === 'invalid_union') return 'The assertion has no known type.';
  const field = issue.path.length === 0 ? '' : ` at ${showValue(issue.path.join('.'))}`;
  return `The assertion is malformed${field}: ${showError(issue.message)}`;
}

function toResult(
  predicate: unknown,
  { passed, reason, evaluatorError, measured, judgedAs }: Finding,
  { scope }: Pick<AssertionSubject, 'scope'>,
): AssertionResult {
  const result: { -readonly [Name in keyof AssertionResult]: AssertionResult[Name] } = {
    predicate,
    passed,
    reason: capReason(reason),
  };
  if (evaluatorError === true) result.evaluatorError = true;
  if (measured !== undefined) result.measured = measured;
  if (judgedAs !== undefined) result.judgedAs = judgedAs;
  if (scope !== undefined) result.scope = scope;
  return result;
}

function refuse(reason: string): Finding {
  return { passed: false, reason };
}

function find(assertion: Assertion, subject: AssertionSubject): Finding {
  try {
    // The cast is safe, because the schema of this kind has just accepted the assertion. TypeScript
    // cannot infer that.
    const kinds: Record<AssertionType, AssertionKind<z.ZodType<never>>> = assertionKinds as never;
    const kind = kinds[assertion.type];
    const finding = kind.evaluate(assertion as never, subject.transcript, subject);
    return { ...finding, passed: finding.passed === true };
  } catch (error) {
    return refuse(`The check could not be evaluated: ${showError(error)}`);
  }
}

/** Removes secrets and long schemas from the assertion. */
function echo(assertion: Assertion): unknown {
  switch (assertion.type) {
    case 'toolCalledWith':
      return { ...assertion, args: { ...assertion.args, args: redactValue(assertion.args.args) } };
    case 'toolResultMatchesSchema':
      return { ...assertion, schema: redactValue(assertion.schema) };
    case 'toolResultPath':
      return {
        ...assertion,
        ...('equals' in assertion && { equals: redactValue(assertion.equals) }),
        ...('contains' in assertion && { contains: redactValue(assertion.contains) }),
      };
    case 'scorer':
      return { ...assertion, url: redactValue(assertion.url) };
    default:
      return assertion;
  }
}
