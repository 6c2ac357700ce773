/**
 * Derives the outcome of a mutant (a changed tool listing or answer) from its trials. Only trials
 * that encountered the change count.
 *
 * - Killed: one case variant fails.
 * - Equivalent: no trial encountered the change, or a listing changed but all calls stayed the same
 *   and no assertion is about the listing.
 * - Undecided: a trial has no result and none fails, or a failing variant also fails without the
 *   change.
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
  readonly wasMet: boolean;
  /** Whether the trial made the same calls as the trial without the change. */
  readonly madeSameCalls: boolean;
}

export interface MutantVariant {
  /** True if a trial without the change also did not pass. The failure then has another cause. */
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
 * Returns the verdict that most counted trials have; `unmet` if no trial counts. A trial counts if
 * it encountered the change, or if it ended without a verdict.
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

/**
 * The number of trials without the change for each case variant. A mutant gets only one trial if
 * the model is deterministic.
 */
export const trialsOfBase = 3;
export function trialsOfMutant(isDeterministic: boolean): number {
  return isDeterministic ? 1 : 3;
}

/**
 * Returns the maximum number of trials for a mutant in one case variant. It includes the trial that
 * confirms a kill, and a trial without the change for each failing trial.
 */
export function mostTrialsOfMutant(isDeterministic: boolean, servers: 'live' | 'recorded'): number {
  return 2 * (isDeterministic && servers === 'live' ? 2 : trialsOfMutant(isDeterministic));
}

/**
 * A failure kills the mutant only if the case passes without the change, so a trial without the
 * change must follow.
 */
export function asksForUnchanged({ verdict, wasMet }: MutantTrial): boolean {
  return verdict === 'failed' && wasMet;
}

/**
 * Returns whether a failed trial must be repeated before it counts, because live servers may fail
 * on their own. If the second trial passes, the variant is undecided.
 */
export function isToConfirm(trials: readonly MutantTrial[], servers: 'live' | 'recorded'): boolean {
  const [only, ...others] = trials;
  return servers === 'live' && others.length === 0 && only?.verdict === 'failed' && only.wasMet;
}

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

export function madeSameCalls(base: readonly ToolCall[], other: readonly ToolCall[]): boolean {
  const callsToCompare = (calls: readonly ToolCall[]) =>
    calls.map(({ serverName = '', toolName, arguments: args, notMade = '' }) => [
      ...[serverName, toolName, notMade],
      args,
    ]);
  return isSameJson(
    describeRedactionMarks(callsToCompare(base)),
    describeRedactionMarks(callsToCompare(other)),
  );
}
