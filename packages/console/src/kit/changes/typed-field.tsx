/**
 * A field whose text is parsed as a number or JSON. Invalid text stays in the field; the value is
 * updated as soon as the text is valid. A new `generation` of the draft resets the text.
 */
import { useState } from 'react';
import { type ArgumentPath, linesShown, valueAt } from '../arguments/argument-values.ts';
import { Field } from '../field.tsx';
import { type JsonDraft, withField, withProblem } from './json-draft.ts';

export interface TypedFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly path: ArgumentPath;
  readonly draft: JsonDraft;
  readonly problem: string | undefined;
  readonly rows?: number;
  readonly read: (text: string) => { value: unknown } | { problem: string };
  readonly onChange: (draft: JsonDraft) => void;
}

export function TypedField(props: TypedFieldProps) {
  return <KeyedField key={props.draft.generation} {...props} />;
}

function KeyedField(props: TypedFieldProps) {
  const { path, draft } = props;
  const [text, setText] = useState(() => textOf(valueAt(draft.value, path)));
  const change = (next: string) => {
    setText(next);
    const read = next.trim() === '' ? { value: undefined } : props.read(next);
    props.onChange(
      'problem' in read
        ? withProblem(draft, path, read.problem)
        : withField(draft, path, read.value),
    );
  };
  return (
    <Field
      label={props.label}
      hint={props.hint}
      problem={draft.problems[path.join('.')] ?? props.problem}
    >
      {(control) =>
        props.rows === undefined ? (
          <input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            className="short"
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <textarea
            {...control}
            rows={linesShown(text, props.rows)}
            spellCheck={false}
            className="code"
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </Field>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
