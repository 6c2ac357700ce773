/**
 * Which stage reads an assertion. Four kinds say whether the right tool was chosen and are read by selection alone; where
 * no model chooses, selection does not apply and user value reads them. `toolCalledWith` is read by none: it is an
 * expected call, and the matcher judged it. All others belong to user value. An advisory assertion belongs to no stage.
 * Three kinds want a call to be made, so that the stages of the call and of its response apply.
 */
import type { AssertionEvidence } from './trial-evidence.ts';

const selectionReasons = {
  toolCalledAtLeastOnce: 'missingToolCall',
  firstToolWas: 'unexpectedToolCall',
  toolNeverCalled: 'unexpectedToolCall',
  onlyToolsCalled: 'unexpectedToolCall',
} as const;

const callWanting: readonly string[] = ['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas'];

export function wantsToolCall(assertionType: string): boolean {
  return callWanting.includes(assertionType);
}

export type SelectionAssertionType = keyof typeof selectionReasons;

export function failedSelectionAssertions(
  assertions: readonly AssertionEvidence[],
  reason: (typeof selectionReasons)[SelectionAssertionType],
): readonly AssertionEvidence[] {
  return assertions.filter(
    ({ type, passed, advisory }) =>
      !passed && !advisory && isSelectionType(type) && selectionReasons[type] === reason,
  );
}

export function userValueAssertions(
  assertions: readonly AssertionEvidence[],
  hasPrompt: boolean,
): readonly AssertionEvidence[] {
  return assertions.filter(
    ({ type, advisory }) =>
      !advisory && !(hasPrompt && isSelectionType(type)) && type !== 'toolCalledWith',
  );
}

/** Whether it says anything about which tools are to be chosen. */
export function isAboutChoice(assertionType: string): boolean {
  return assertionType === 'toolCalledWith' || isSelectionType(assertionType);
}

function isSelectionType(type: string): type is SelectionAssertionType {
  return Object.hasOwn(selectionReasons, type);
}
