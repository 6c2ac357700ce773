import type { JsonDraft } from '../../changes/json-draft.ts';
import type { FieldProblems } from '../../data/field-problems.ts';

/** What the fields of a form get from it. */
export interface DraftFormProps {
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly onChange: (draft: JsonDraft) => void;
}
