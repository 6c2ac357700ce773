/** The criteria a form can write: kinds that need at most one value. All others are written as JSON. */
import type { AssertionType, Json } from '@proofmark/domain';

export interface CriterionKind {
  readonly type: AssertionType;
  readonly words: string;
  /** The one value it needs. */
  readonly value?: { readonly field: string; readonly label: string; readonly isNumber?: true };
}

const tool = { field: 'toolName', label: 'Tool' } as const;

export const criterionKinds: readonly CriterionKind[] = [
  { type: 'noToolErrors', words: 'No tool fails' },
  { type: 'toolCalledAtLeastOnce', words: 'A tool is called', value: tool },
  { type: 'toolNeverCalled', words: 'A tool is never called', value: tool },
  { type: 'firstToolWas', words: 'The first call is of a tool', value: tool },
  {
    type: 'responseContains',
    words: 'The last answer contains a text',
    value: { field: 'needle', label: 'Text' },
  },
  {
    type: 'responseMatches',
    words: 'The last answer matches a pattern',
    value: { field: 'pattern', label: 'Pattern' },
  },
  { type: 'finalAssistantMessageNonEmpty', words: 'The last answer is not empty' },
  {
    type: 'turnCountUnder',
    words: 'Fewer turns than a number',
    value: { field: 'turns', label: 'Turns', isNumber: true },
  },
  {
    type: 'tokenBudgetUnder',
    words: 'Fewer tokens than a number',
    value: { field: 'tokens', label: 'Tokens', isNumber: true },
  },
];

/** The kind of a criterion where the form can show all of it. */
export function kindOf(predicate: Json): CriterionKind | undefined {
  const kind = criterionKinds.find(({ type }) => type === predicate['type']);
  if (kind === undefined) return undefined;
  const known = ['type', ...(kind.value === undefined ? [] : [kind.value.field])];
  return Object.keys(predicate).every((name) => known.includes(name)) ? kind : undefined;
}
