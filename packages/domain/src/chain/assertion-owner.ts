/**
 * Assigns each kind of assertion to a stage. If no model chooses the tools, selection assertions
 * belong to the user value stage. `toolCalledWith` and advisory assertions belong to no stage; the
 * tool call matcher decides `toolCalledWith`.
 */
import { statedStageOf } from '../assertions/assertion.ts';
import { conformanceCheckType } from '../conformance/conformance-check-type.ts';
import type { AssertionEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

/**
 * Selection kinds that fail because a call is missing. The other selection kinds fail because of an
 * unwanted call.
 */
const missingWhereBroken: readonly string[] = ['toolCalledAtLeastOnce', 'toolCalledBefore'];

const callWanting: readonly string[] = ['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas'];

export function wantsToolCall(assertionType: string): boolean {
  return callWanting.includes(assertionType);
}

/**
 * Returns the stage of an assertion; undefined for an expected call, which the tool call matcher
 * decides.
 */
export function stageOfAssertion(type: string, hasPrompt: boolean): Stage | undefined {
  if (type === conformanceCheckType) return 'response';
  const stage = statedStageOf(type) ?? 'userValue';
  if (stage === 'ofMatcher') return undefined;
  return stage === 'selection' && !hasPrompt ? 'userValue' : stage;
}

export function stagesAsserted(
  assertions: readonly { readonly type: string }[],
  hasPrompt: boolean,
): readonly Stage[] {
  const found = assertions.flatMap(({ type }) => stageOfAssertion(type, hasPrompt) ?? []);
  return [...new Set(found)];
}

export interface StageAssertions {
  readonly held: readonly AssertionEvidence[];
  readonly broken: readonly AssertionEvidence[];
  /**
   * Whether an assertion of the stage has no answer. Other evidence then cannot make the stage
   * pass.
   */
  readonly hasUnanswered: boolean;
}

export function assertionsOf(
  stage: Stage,
  {
    assertions,
    authored: { hasPrompt },
  }: {
    readonly assertions: readonly AssertionEvidence[];
    readonly authored: { readonly hasPrompt: boolean };
  },
): StageAssertions {
  const own = assertions.filter(
    ({ type, advisory, wasAskedFor }) =>
      !advisory && (wasAskedFor ? 'call' : stageOfAssertion(type, hasPrompt)) === stage,
  );
  const answered = own.filter(({ unanswered }) => !unanswered);
  return {
    held: answered.filter(({ passed }) => passed),
    broken: answered.filter(({ passed }) => !passed),
    hasUnanswered: answered.length < own.length,
  };
}

/** A tool that clients must hide is always missing, even where another tool was to come first. */
export function isReportedAs(
  reason: 'missingToolCall' | 'unexpectedToolCall',
  { type, exclusion }: AssertionEvidence,
): boolean {
  if (statedStageOf(type) !== 'selection') return false;
  const isMissing = missingWhereBroken.includes(type) || exclusion !== undefined;
  return isMissing === (reason === 'missingToolCall');
}

export function isAboutChoice(assertionType: string): boolean {
  const stage = statedStageOf(assertionType);
  return stage === 'ofMatcher' || stage === 'selection';
}
