import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

/** The props that a form passes to its fields. */
export interface DraftFormProps {
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly onChange: (draft: JsonDraft) => void;
}
