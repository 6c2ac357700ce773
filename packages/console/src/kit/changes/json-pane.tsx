import type { Json } from '@proofmark/domain';
import { Field } from '../field.tsx';
import {
  draftText,
  type JsonDraft,
  jsonProblemName,
  type ReadText,
  withJson,
} from './json-draft.ts';

export function JsonPane(props: {
  label: string;
  language?: {
    readonly name: string;
    readonly write: (value: Json) => string;
    readonly read: (text: string) => ReadText;
  };
  draft: JsonDraft;
  problem?: string | undefined;
  onChange: (draft: JsonDraft) => void;
}) {
  const { draft, language } = props;
  return (
    <div className="json-pane">
      <Field
        label={props.label}
        hint={`Form and ${language?.name ?? 'JSON'} are one: what you change in one changes in the other.`}
        problem={draft.problems[jsonProblemName] ?? props.problem}
      >
        {(control) => (
          <textarea
            {...control}
            className="code"
            rows={24}
            spellCheck={false}
            value={draftText(draft, language?.write)}
            onChange={(event) =>
              props.onChange(withJson(draft, event.target.value, language?.read))
            }
          />
        )}
      </Field>
    </div>
  );
}
