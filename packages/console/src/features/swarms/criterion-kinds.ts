/**
 * Kinds of criteria that have a form, because they have at most one value. Other kinds are edited
 * as JSON.
 */
import { type AssertionType, assertionWords, type Json } from '@proofmark/domain';

export interface CriterionKind {
  readonly type: AssertionType;
  readonly words: string;
  /** The value that this kind of criterion needs; absent if it needs none. */
  readonly value?: { readonly field: string; readonly label: string; readonly isNumber?: true };
}

const tool = { field: 'toolName', label: 'Tool' } as const;

export const criterionKinds: readonly CriterionKind[] = [
  { type: 'noToolErrors', words: assertionWords.noToolErrors },
  { type: 'toolCalledAtLeastOnce', words: assertionWords.toolCalledAtLeastOnce, value: tool },
  { type: 'toolNeverCalled', words: assertionWords.toolNeverCalled, value: tool },
  { type: 'firstToolWas', words: assertionWords.firstToolWas, value: tool },
  {
    type: 'responseContains',
    words: assertionWords.responseContains,
    value: { field: 'needle', label: 'Text' },
  },
  {
    type: 'responseMatches',
    words: assertionWords.responseMatches,
    value: { field: 'pattern', label: 'Pattern' },
  },
  { type: 'finalAssistantMessageNonEmpty', words: assertionWords.finalAssistantMessageNonEmpty },
  {
    type: 'turnCountUnder',
    words: assertionWords.turnCountUnder,
    value: { field: 'turns', label: 'Turns', isNumber: true },
  },
  {
    type: 'tokenBudgetUnder',
    words: assertionWords.tokenBudgetUnder,
    value: { field: 'tokens', label: 'Tokens', isNumber: true },
  },
];

/** Undefined if the form cannot show all fields of the criterion. */
export function kindOf(predicate: Json): CriterionKind | undefined {
  const kind = criterionKinds.find(({ type }) => type === predicate['type']);
  if (kind === undefined) return undefined;
  const known = ['type', ...(kind.value === undefined ? [] : [kind.value.field])];
  return Object.keys(predicate).every((name) => known.includes(name)) ? kind : undefined;
}
