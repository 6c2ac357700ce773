/** The JSON beside a form. Both change the same value. */
import { draftText, type JsonDraft, jsonProblemName, withJson } from '../../changes/json-draft.ts';
import { Field } from '../field.tsx';

export function JsonPane(props: {
  label: string;
  draft: JsonDraft;
  problem?: string | undefined;
  onChange: (draft: JsonDraft) => void;
}) {
  const { draft } = props;
  return (
    <div className="json-pane">
      <Field
        label={props.label}
        hint="Form and JSON are one: what you change in one changes in the other."
        problem={draft.problems[jsonProblemName] ?? props.problem}
      >
        {(control) => (
          <textarea
            {...control}
            className="code"
            rows={24}
            spellCheck={false}
            value={draftText(draft)}
            onChange={(event) => props.onChange(withJson(draft, event.target.value))}
          />
        )}
      </Field>
    </div>
  );
}
