/**
 * What the trials of a mutant come to. Only trials in which the change was met count. One case variant that fails kills it.
 * A mutant that nobody met changes nothing that the suite looks at, and so does one of the surface after which the same
 * calls were made, where no assertion is about the surface. Where a trial came to no result and none fails, nobody knows;
 * nor where a case variant fails and a trial of it beside that one, without the change, does not pass either.
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
  /** Whether the change was met. */
  readonly wasMet: boolean;
  /** Whether the calls were those of the base. */
  readonly madeSameCalls: boolean;
}

export interface MutantVariant {
  /** A trial without the change was played beside one that failed, and did not pass: whatever fails, fails by itself. */
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

/** By most of the trials that met the change, or ended before anybody knew; `unmet` where none did either. */
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

/** Trials of one mutant in one case variant: a model that answers the same every time is asked once. */
export const trialsOfBase = 3;
export function trialsOfMutant(isDeterministic: boolean): number {
  return isDeterministic ? 1 : 3;
}

/** With the one that confirms a kill, and those without the change beside all that fail. */
export function mostTrialsOfMutant(isDeterministic: boolean, servers: 'live' | 'recorded'): number {
  return 2 * (isDeterministic && servers === 'live' ? 2 : trialsOfMutant(isDeterministic));
}

/** Whether a trial without the change is played beside this one: a kill counts only where the case passes without it. */
export function asksForUnchanged({ verdict, wasMet }: MutantTrial): boolean {
  return verdict === 'failed' && wasMet;
}

/**
 * Whether a trial that failed is played once more before it counts: servers that are asked for real may fail by themselves.
 * Where the second one passes, nobody knows.
 */
export function isToConfirm(trials: readonly MutantTrial[], servers: 'live' | 'recorded'): boolean {
  const [only, ...others] = trials;
  return servers === 'live' && others.length === 0 && only?.verdict === 'failed' && only.wasMet;
}

/** Whether an assertion of the case is about what servers list. */
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

/** Whether the case has to do with the tool: it was called in the base, is called by a step, or is named by an assertion. */
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

/** The same tools with the same arguments, in the same order. */
export function madeSameCalls(base: readonly ToolCall[], other: readonly ToolCall[]): boolean {
  const told = (calls: readonly ToolCall[]) =>
    calls.map(({ serverName = '', toolName, arguments: args, notMade = '' }) => [
      ...[serverName, toolName, notMade],
      args,
    ]);
  return isSameJson(describeRedactionMarks(told(base)), describeRedactionMarks(told(other)));
}
