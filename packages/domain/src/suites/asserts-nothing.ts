/**
 * Returns whether a case asserts nothing, so that every trial without a failed tool passes. Each of
 * these asserts something:
 *
 * - a gating assertion that can fail
 * - a ban on all tool calls, or a limit on unexpected calls, if a model could call a tool
 * - a call, prompt or resource that the case itself requests, if failing tools count
 * - an action in a widget
 * - an expected output, if a judge grades it
 */
import { gatingAssertions } from './asserted-tools.ts';
import { canFail } from './can-fail.ts';
import type { ListedServers } from './listed-tools.ts';
import type { PlannedCase } from './planned-case.ts';
import { asksServer } from './step.ts';
import { whyNoCall } from './why-no-call.ts';

export type MeasuredCase = Pick<
  PlannedCase,
  | 'steps'
  | 'assertions'
  | 'isNegative'
  | 'expectedOutput'
  | 'matchOptions'
  | 'failOnToolError'
  | 'toolChoice'
>;

export interface MeasuringContext {
  /** Whether a judge grades at the end of the run. */
  readonly isJudged: boolean;
  readonly servers: ListedServers;
}

export function assertsNothing(one: MeasuredCase, context: MeasuringContext): boolean {
  const { steps, isNegative, matchOptions, failOnToolError } = one;
  const countsCalls = isNegative || matchOptions.maxExtraToolCalls !== null;
  return !(
    gatingAssertions(one).some(({ assertion }) => canFail(assertion, one, context.servers)) ||
    (countsCalls && whyNoCall(one, context.servers) === undefined) ||
    (failOnToolError && steps.some(asksServer)) ||
    steps.some(({ kind }) => kind === 'interact') ||
    (context.isJudged && hasExpectedOutput(one))
  );
}

export function hasExpectedOutput({ expectedOutput }: Pick<MeasuredCase, 'expectedOutput'>) {
  return expectedOutput !== undefined && expectedOutput.trim() !== '';
}

export interface AssertsNothing {
  readonly caseVariants: number;
  /** The titles of the first five cases that assert nothing. */
  readonly titles: readonly string[];
}

export function countAssertsNothing(
  cases: readonly Pick<PlannedCase, 'title' | 'variants' | keyof MeasuredCase>[],
  context: MeasuringContext,
): AssertsNothing {
  const found = cases.filter((one) => assertsNothing(one, context));
  return {
    caseVariants: found.reduce((sum, { variants }) => sum + variants.length, 0),
    titles: found.slice(0, shownTitles).map(({ title }) => title),
  };
}

const shownTitles = 5;
