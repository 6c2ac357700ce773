/**
 * Whether a case asserts nothing: whatever happens in a trial that comes to its end, and whose tools do not fail, it
 * passes. What asserts something is
 *
 * - an assertion that gates and can fail. That a tool is never called cannot fail where no server lists the tool;
 * - that no tool is called at all, where a model is asked and has one to call;
 * - a bound on calls nobody expects, where a model is asked;
 * - a call that the case itself makes, where failing tools count: it has to succeed;
 * - an action in a widget;
 * - an expected output, where a judge is asked about it.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { gatingAssertions } from './asserted-tools.ts';
import { isNotListed, type ListedServers, listNoTools } from './listed-tools.ts';
import type { PlannedCase } from './run-plan.ts';
import type { WidgetAssertion } from './widget.ts';

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

export interface MeasuringGround {
  /** Whether a judge is asked at the end of the run. */
  readonly isJudged: boolean;
  readonly servers: ListedServers;
}

export function assertsNothing(one: MeasuredCase, ground: MeasuringGround): boolean {
  const { steps, isNegative, matchOptions, failOnToolError } = one;
  const hasPrompt = steps.some(({ kind }) => kind === 'prompt');
  return !(
    gatingAssertions(one).some(({ assertion }) => canFail(assertion, ground.servers)) ||
    (isNegative && whyNegativeCannotFail(one, ground.servers) === undefined) ||
    (hasPrompt && matchOptions.maxExtraToolCalls !== null) ||
    (failOnToolError && steps.some(({ kind }) => kind === 'toolCall')) ||
    steps.some(({ kind }) => kind === 'interact') ||
    (ground.isJudged && hasExpectedOutput(one))
  );
}

export function hasExpectedOutput({ expectedOutput }: Pick<MeasuredCase, 'expectedOutput'>) {
  return expectedOutput !== undefined && expectedOutput.trim() !== '';
}

/** Why a case that is to call no tool could not do otherwise. */
export function whyNegativeCannotFail(
  { steps, toolChoice }: Pick<MeasuredCase, 'steps' | 'toolChoice'>,
  servers: ListedServers,
): 'noPrompt' | 'noToolChoice' | 'noTools' | undefined {
  if (!steps.some(({ kind }) => kind === 'prompt')) return 'noPrompt';
  if (toolChoice === 'none') return 'noToolChoice';
  return listNoTools(servers) ? 'noTools' : undefined;
}

export function canFail(assertion: Assertion | WidgetAssertion, servers: ListedServers): boolean {
  const neverCalled = 'type' in assertion && assertion.type === 'toolNeverCalled';
  return !(neverCalled && isNotListed(assertion, servers));
}

export interface AssertsNothing {
  /** Case variants that assert nothing. */
  readonly caseVariants: number;
  /** What the first five of their cases are called. */
  readonly titles: readonly string[];
}

export function countAssertsNothing(
  cases: readonly Pick<PlannedCase, 'title' | 'variants' | keyof MeasuredCase>[],
  ground: MeasuringGround,
): AssertsNothing {
  const found = cases.filter((one) => assertsNothing(one, ground));
  return {
    caseVariants: found.reduce((sum, { variants }) => sum + variants.length, 0),
    titles: found.slice(0, shownTitles).map(({ title }) => title),
  };
}

const shownTitles = 5;
