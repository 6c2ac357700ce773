import type { FieldProblems } from '../data/field-problems.ts';
import { Field } from '../field.tsx';
import { type JsonDraft, withField } from './json-draft.ts';
import { TypedField } from './typed-field.tsx';

export interface DraftFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly field: string;
  readonly draft: JsonDraft;
  readonly problems: FieldProblems;
  readonly onChange: (draft: JsonDraft) => void;
}

export function DraftText(props: DraftFieldProps & { rows?: number }) {
  const { field, draft, rows } = props;
  const change = (text: string) =>
    props.onChange(withField(draft, [field], text === '' ? undefined : text));
  return (
    <Field label={props.label} hint={props.hint} problem={props.problems[field]}>
      {(control) =>
        rows === undefined ? (
          <input
            {...control}
            autoComplete="off"
            value={textIn(draft, field)}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <textarea
            {...control}
            rows={rows}
            value={textIn(draft, field)}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </Field>
  );
}

export function DraftNumber(props: DraftFieldProps) {
  return (
    <TypedField
      label={props.label}
      {...(props.hint !== undefined && { hint: props.hint })}
      path={[props.field]}
      draft={props.draft}
      problem={props.problems[props.field]}
      read={readWholeNumber}
      onChange={props.onChange}
    />
  );
}

export function DraftSelect(
  props: DraftFieldProps & {
    none: string;
    options: readonly { readonly id: string; readonly name: string }[];
  },
) {
  const { field, draft, options } = props;
  const chosen = textIn(draft, field);
  const isGone = chosen !== '' && !options.some(({ id }) => id === chosen);
  return (
    <Field label={props.label} hint={props.hint} problem={props.problems[field]}>
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={(event) =>
            props.onChange(withField(draft, [field], event.target.value || undefined))
          }
        >
          <option value="">{props.none}</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {isGone && <option value={chosen}>{`${chosen} (no longer there)`}</option>}
        </select>
      )}
    </Field>
  );
}

export function textIn(draft: JsonDraft, field: string): string {
  const value = draft.value[field];
  return typeof value === 'string' ? value : '';
}

export function listIn(draft: JsonDraft, field: string): string[] {
  const value = draft.value[field];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function readWholeNumber(text: string): { value: number } | { problem: string } {
  const number = Number(text.trim());
  return Number.isInteger(number) ? { value: number } : { problem: 'Enter a whole number.' };
}
