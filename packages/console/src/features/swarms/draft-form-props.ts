import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

export interface DraftFormProps {
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly onChange: (draft: JsonDraft) => void;
}
