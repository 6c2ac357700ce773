/**
 * The stage that reads an assertion, by its kind, and the word for its failure there. Where no
 * model chooses, selection does not apply, and user value reads assertions about the choice. No
 * stage reads `toolCalledWith`: it is an expected call, and the matcher judged it. An advisory
 * assertion belongs to no stage. Three kinds require a call, so that the stages of the call and of
 * its response apply.
 */
import { statedStageOf } from '../assertions/assertion.ts';
import type { AssertionEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

/**
 * Kinds at selection that fail because a call is missing; all others there fail because of an
 * unwanted call.
 */
const missingWhereBroken: readonly string[] = ['toolCalledAtLeastOnce', 'toolCalledBefore'];

const callWanting: readonly string[] = ['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas'];

export function wantsToolCall(assertionType: string): boolean {
  return callWanting.includes(assertionType);
}

/** Returns undefined for an expected call: the matcher judges it. */
export function stageOfAssertion(type: string, hasPrompt: boolean): Stage | undefined {
  const stage = statedStageOf(type) ?? 'userValue';
  if (stage === 'ofMatcher') return undefined;
  return stage === 'selection' && !hasPrompt ? 'userValue' : stage;
}

/** Returns each stage once, in no particular order. */
export function stagesAsserted(
  assertions: readonly { readonly type: string }[],
  hasPrompt: boolean,
): readonly Stage[] {
  const found = assertions.flatMap(({ type }) => stageOfAssertion(type, hasPrompt) ?? []);
  return [...new Set(found)];
}

/** The results of the assertions of one stage. */
export interface StageAssertions {
  readonly held: readonly AssertionEvidence[];
  readonly broken: readonly AssertionEvidence[];
  /** One of them has no answer, so other evidence does not make the stage pass. */
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

export function isToldAs(
  reason: 'missingToolCall' | 'unexpectedToolCall',
  { type }: AssertionEvidence,
): boolean {
  if (statedStageOf(type) !== 'selection') return false;
  return missingWhereBroken.includes(type) === (reason === 'missingToolCall');
}

/** Whether an assertion is about the choice of tools. */
export function isAboutChoice(assertionType: string): boolean {
  const stage = statedStageOf(assertionType);
  return stage === 'ofMatcher' || stage === 'selection';
}
