/**
 * The outcome of a mutant from its trials. Only trials that met the change count. One failing case
 * variant kills the mutant. A mutant that no trial met is equivalent, and so is one of the surface
 * after which the same calls were made, if no assertion is about the surface. It is undecided if a
 * trial has no result and none fails, or if a failing case variant also does not pass in a trial
 * without the change.
 */
import { discoveryKinds } from '../assertions/assertion.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { describeRedactionMarks } from '../recordings/redaction-marks.ts';
import { type AssertingCase, locatedAssertions, namedTools } from '../suites/asserted-tools.ts';
import type { Step } from '../suites/step.ts';
import { isSameJson } from './mutate-answer.ts';
import { type MutationOperator, sideOfOperator } from './operators.ts';

export const mutantOutcomes = ['survived', 'undecided', 'killed', 'equivalent'] as const;
export type MutantOutcome = (typeof mutantOutcomes)[number];

export type MutantVerdict = 'passed' | 'failed' | 'inconclusive';

export interface MutantTrial {
  readonly verdict: MutantVerdict;
  /** Whether the trial met the change. */
  readonly wasMet: boolean;
  /** Whether it made the calls of the base. */
  readonly madeSameCalls: boolean;
}

export interface MutantVariant {
  /**
   * A trial without the change, played beside a failing one, did not pass either: the failure has
   * another cause.
   */
  readonly failsUnchanged: boolean;
  readonly trials: readonly MutantTrial[];
  readonly assertsSurface: boolean;
}

export function outcomeOfMutant(
  operator: MutationOperator,
  variants: readonly MutantVariant[],
): MutantOutcome {
  const verdicts = variants.map(verdictOfVariant);
  if (verdicts.includes('failed')) return 'killed';
  if (verdicts.includes('inconclusive')) return 'undecided';
  if (!verdicts.includes('passed')) return 'equivalent';
  const isUnnoticeable =
    sideOfOperator(operator) === 'surface' &&
    variants.every(
      ({ trials, assertsSurface }) =>
        !assertsSurface && trials.every(({ madeSameCalls }) => madeSameCalls),
    );
  return isUnnoticeable ? 'equivalent' : 'survived';
}

/**
 * Returns the majority of the trials that met the change or ended before that was known; `unmet` if
 * there are none.
 */
export function verdictOfVariant({
  trials,
  failsUnchanged,
}: Pick<MutantVariant, 'trials' | 'failsUnchanged'>): MutantVerdict | 'unmet' {
  if (failsUnchanged) return 'inconclusive';
  const met = trials.filter(({ wasMet }) => wasMet);
  const isOpen = trials.some(({ verdict }) => verdict === 'inconclusive');
  if (met.length === 0) return isOpen ? 'inconclusive' : 'unmet';
  const counted = trials.filter(({ wasMet, verdict }) => wasMet || verdict === 'inconclusive');
  const isMost = (wanted: MutantVerdict) =>
    met.filter(({ verdict }) => verdict === wanted).length * 2 > counted.length;
  if (isMost('failed')) return 'failed';
  return isMost('passed') ? 'passed' : 'inconclusive';
}

/** The trials of one mutant in one case variant. A deterministic model is asked once. */
export const trialsOfBase = 3;
export function trialsOfMutant(isDeterministic: boolean): number {
  return isDeterministic ? 1 : 3;
}

/**
 * Includes the trial that confirms a kill, and a trial without the change beside each failing one.
 */
export function mostTrialsOfMutant(isDeterministic: boolean, servers: 'live' | 'recorded'): number {
  return 2 * (isDeterministic && servers === 'live' ? 2 : trialsOfMutant(isDeterministic));
}

/**
 * Whether a trial without the change is needed: a kill counts only if the case passes without the
 * change.
 */
export function asksForUnchanged({ verdict, wasMet }: MutantTrial): boolean {
  return verdict === 'failed' && wasMet;
}

/**
 * Whether a failed trial is repeated before it counts, because live servers may fail on their own.
 * If the second one passes, the variant is undecided.
 */
export function isToConfirm(trials: readonly MutantTrial[], servers: 'live' | 'recorded'): boolean {
  const [only, ...others] = trials;
  return servers === 'live' && others.length === 0 && only?.verdict === 'failed' && only.wasMet;
}

/** Whether an assertion of the case is about listings of servers. */
export function assertsSurface(one: AssertingCase): boolean {
  return locatedAssertions(one).some(
    ({ assertion }) =>
      'type' in assertion && (discoveryKinds as readonly string[]).includes(assertion.type),
  );
}

interface ToolOfServer {
  readonly serverName: string;
  readonly toolName: string;
}

/**
 * Whether the case uses the tool: the base called it, a step calls it, or an assertion names it.
 */
export function touchesTool(
  one: AssertingCase,
  calls: readonly ToolCall[],
  { serverName, toolName }: ToolOfServer,
): boolean {
  const isIt = (named: { readonly toolName: string; readonly serverName?: string | undefined }) =>
    named.toolName === toolName && (named.serverName ?? serverName) === serverName;
  return (
    calls.some(isIt) ||
    one.steps.some((step: Step) => step.kind === 'toolCall' && isIt(step)) ||
    locatedAssertions(one).some(({ assertion }) => namedTools(assertion).some(isIt))
  );
}

/** Whether both made the same calls with the same arguments, in the same order. */
export function madeSameCalls(base: readonly ToolCall[], other: readonly ToolCall[]): boolean {
  const told = (calls: readonly ToolCall[]) =>
    calls.map(({ serverName = '', toolName, arguments: args, notMade = '' }) => [
      ...[serverName, toolName, notMade],
      args,
    ]);
  return isSameJson(describeRedactionMarks(told(base)), describeRedactionMarks(told(other)));
}
