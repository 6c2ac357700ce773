/**
 * Which stage reads an assertion, as its kind says, and by which word its failure is told there. Where no model chooses, selection does not
 * apply, and user value reads what is said about choosing. `toolCalledWith` is read by none: it is an expected call, and
 * the matcher judged it. An advisory assertion belongs to no stage. Three kinds want a call to be made, so that the stages
 * of the call and of its response apply.
 */
import { statedStageOf } from '../assertions/assertion.ts';
import type { AssertionEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

/** Of those that selection reads; all others there tell of a call that was not to be made. */
const missingWhereBroken: readonly string[] = ['toolCalledAtLeastOnce', 'toolCalledBefore'];

const callWanting: readonly string[] = ['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas'];

export function wantsToolCall(assertionType: string): boolean {
  return callWanting.includes(assertionType);
}

/** Nothing for a call that is expected: the matcher judges that. */
export function stageOfAssertion(type: string, hasPrompt: boolean): Stage | undefined {
  const stage = statedStageOf(type) ?? 'userValue';
  if (stage === 'ofMatcher') return undefined;
  return stage === 'selection' && !hasPrompt ? 'userValue' : stage;
}

/** Each once, in no order that means anything. */
export function stagesAsserted(
  assertions: readonly { readonly type: string }[],
  hasPrompt: boolean,
): readonly Stage[] {
  const found = assertions.flatMap(({ type }) => stageOfAssertion(type, hasPrompt) ?? []);
  return [...new Set(found)];
}

/** What the assertions of one stage came to. */
export interface StageAssertions {
  readonly held: readonly AssertionEvidence[];
  readonly broken: readonly AssertionEvidence[];
  /** One of them has no answer, so what else was seen does not make the stage a good one. */
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

/** Whether it says anything about which tools are to be chosen. */
export function isAboutChoice(assertionType: string): boolean {
  const stage = statedStageOf(assertionType);
  return stage === 'ofMatcher' || stage === 'selection';
}
