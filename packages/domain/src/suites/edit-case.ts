/** What an edit makes of a case: what is left out stays, null takes a field away. */
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
