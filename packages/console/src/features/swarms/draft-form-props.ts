import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

/** What the fields of a form get from it. */
export interface DraftFormProps {
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly onChange: (draft: JsonDraft) => void;
}
