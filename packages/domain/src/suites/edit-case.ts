/** Applies an edit to a case: missing fields stay, and null removes a field. */
import type { Refusal } from '../kernel/refusal.ts';
import type { EvalCaseDefinition } from './eval-case.ts';

type Editable = Omit<EvalCaseDefinition, 'declaredId' | 'import'>;

export type CaseEdit = {
  readonly [Field in keyof Editable]?: Editable[Field] | null | undefined;
} & { readonly title?: string | undefined; readonly steps?: Editable['steps'] | undefined };

export function editCase(current: EvalCaseDefinition, edit: CaseEdit): EvalCaseDefinition {
  const changed: Record<string, unknown> = { ...current };
  for (const [field, value] of Object.entries(edit)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed as EvalCaseDefinition;
}

/**
 * Refuses an edit if the case was changed since the caller read it (`expected`), so that no other
 * change is overwritten.
 */
export function staleCase(updatedAt: number, expected: number | undefined): Refusal | undefined {
  if (expected === undefined || expected === updatedAt) return undefined;
  return {
    code: 'CONFLICT',
    message: 'This case was changed by another request; read it again.',
    details: { currentUpdatedAt: updatedAt },
  };
}
