import { isRecord } from '@proofmark/domain';
import type { ReactNode } from 'react';
import { type ArgumentPath, valueAt } from '../../../kit/arguments/argument-values.ts';
import { TypedField } from '../../../kit/changes/typed-field.tsx';
import { Field } from '../../../kit/field.tsx';
import type { CaseForm } from './case-form.ts';

export type ValueForm = Pick<CaseForm, 'draft' | 'problems' | 'change' | 'set'>;

interface ValueProps {
  readonly form: ValueForm;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly warning?: string | undefined;
  readonly path: ArgumentPath;
}

export function ValueText(
  props: ValueProps & {
    rows?: number;
    list?: readonly string[];
    /** Replaces the default handler. Needed if a change of this field affects other fields. */
    onText?: (text: string) => void;
  },
) {
  const { form, path, rows, list } = props;
  const held = valueAt(form.draft.value, path);
  const text = typeof held === 'string' ? held : '';
  const set = (next: string) => form.change(path, next === '' ? undefined : next);
  const change = props.onText ?? set;
  return (
    <Field
      label={props.label}
      hint={props.hint}
      problem={form.problems[path.join('.')]}
      warning={props.warning}
    >
      {(control) =>
        rows === undefined ? (
          <>
            <input
              {...control}
              autoComplete="off"
              list={list === undefined ? undefined : `${control.id}-list`}
              value={text}
              onChange={({ target }) => change(target.value)}
            />
            {list !== undefined && (
              <datalist id={`${control.id}-list`}>
                {list.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <textarea
            {...control}
            rows={rows}
            value={text}
            onChange={({ target }) => change(target.value)}
          />
        )
      }
    </Field>
  );
}

export function ValueChoice(
  props: ValueProps & {
    /** The label of the empty choice. Absent if the field always has a value. */
    none?: string;
    options: readonly (readonly [value: string, label: string])[];
  },
) {
  const { form, path } = props;
  const held = valueAt(form.draft.value, path);
  const chosen = held === undefined || held === null ? '' : String(held);
  const isOther = chosen !== '' && !props.options.some(([value]) => value === chosen);
  const pick = (value: string) =>
    form.change(
      path,
      value === 'true' || value === 'false' ? value === 'true' : value || undefined,
    );
  return (
    <Field label={props.label} hint={props.hint} problem={form.problems[path.join('.')]}>
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => pick(target.value)}>
          {(props.none !== undefined || chosen === '') && (
            <option value="">{props.none ?? 'Choose…'}</option>
          )}
          {props.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {isOther && <option value={chosen}>{chosen}</option>}
        </select>
      )}
    </Field>
  );
}

export function ValueNumber(props: ValueProps & { hint?: string }) {
  const { form, path } = props;
  return (
    <TypedField
      label={props.label}
      path={path}
      draft={form.draft}
      read={readNumber}
      {...(props.hint !== undefined && { hint: props.hint })}
      problem={form.problems[path.join('.')]}
      onChange={(draft) => form.set(draft, path)}
    />
  );
}

export function ValueJson(props: ValueProps & { hint?: string; rows?: number }) {
  const { form, path } = props;
  return (
    <TypedField
      label={props.label}
      path={path}
      draft={form.draft}
      read={readJson}
      rows={props.rows ?? 4}
      {...(props.hint !== undefined && { hint: props.hint })}
      problem={problemAt(form, path)}
      onChange={(draft) => form.set(draft, path)}
    />
  );
}

function problemAt({ problems }: ValueForm, path: ArgumentPath): string | undefined {
  const name = path.join('.');
  const found = Object.entries(problems).find(
    ([one]) => one === name || one.startsWith(`${name}.`),
  );
  if (found === undefined) return undefined;
  const inside = found[0].slice(name.length + 1);
  return inside === '' ? found[1] : `${inside}: ${found[1]}`;
}

function readNumber(text: string): { value: number } | { problem: string } {
  const number = Number(text.trim());
  return Number.isFinite(number) ? { value: number } : { problem: 'Enter a number.' };
}

function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'This is not valid JSON yet.' };
  }
}

export function listAt(form: Pick<CaseForm, 'draft'>, path: ArgumentPath): readonly unknown[] {
  const held = valueAt(form.draft.value, path);
  return Array.isArray(held) ? held : [];
}

export function textAt(form: Pick<CaseForm, 'draft'>, path: ArgumentPath): string {
  const held = valueAt(form.draft.value, path);
  return typeof held === 'string' ? held : '';
}

export function recordAt(form: Pick<CaseForm, 'draft'>, path: ArgumentPath) {
  const held = valueAt(form.draft.value, path);
  return isRecord(held) ? held : {};
}
