import { useEffect, useRef } from 'react';
import { Field } from '../field.tsx';
import type { ArgumentField } from './argument-fields.ts';
import { ArgumentInput } from './argument-input.tsx';
import { type ArgumentProblems, pathKey } from './argument-problems.ts';
import { type ArgumentPath, type Arguments, valueAt } from './argument-values.ts';
import { limitWords } from './argument-words.ts';

interface FieldsProps {
  readonly value: Arguments;
  readonly problems: ArgumentProblems;
  /** Warnings about values that look wrong but may be intended. */
  readonly warnings?: ArgumentProblems;
  readonly onChange: (path: ArgumentPath, next: unknown) => void;
}

export function ArgumentFields(
  props: FieldsProps & { fields: readonly ArgumentField[]; path?: ArgumentPath },
) {
  return props.fields.map((field) => (
    <OneField
      key={field.name}
      {...props}
      field={field}
      path={[...(props.path ?? []), field.name]}
    />
  ));
}

type OneProps = FieldsProps & { readonly field: ArgumentField; readonly path: ArgumentPath };

function OneField(props: OneProps) {
  const { field, path, problems } = props;
  if (field.kind === 'object') return <ObjectField {...props} />;
  if (field.kind === 'list') return <ListField {...props} />;
  return (
    <Field
      label={labelOf(field)}
      hint={hintOf(field)}
      problem={problems.get(pathKey(path))}
      warning={props.warnings?.get(pathKey(path))}
    >
      {(control) => (
        <ArgumentInput
          control={control}
          field={field}
          value={valueAt(props.value, path)}
          onChange={(next) => props.onChange(path, next)}
        />
      )}
    </Field>
  );
}

function ObjectField(props: OneProps) {
  const { field, path } = props;
  return (
    <fieldset className="argument-group">
      <legend>{labelOf(field)}</legend>
      <GroupNotes {...props} />
      <ArgumentFields {...props} fields={field.fields} path={path} />
    </fieldset>
  );
}

function ListField(props: OneProps) {
  const { field, path, onChange } = props;
  const held = valueAt(props.value, path);
  const items: readonly unknown[] = Array.isArray(held) ? held : [];
  const box = useRef<HTMLDivElement>(null);
  const count = useRef(items.length);
  const added = useRef(false);
  // After an item is added to the list, its control gets the focus.
  useEffect(() => {
    if (added.current && items.length > count.current) {
      const controls = box.current?.querySelectorAll<HTMLElement>('input, select');
      controls?.[controls.length - 1]?.focus();
    }
    added.current = false;
    count.current = items.length;
  }, [items.length]);
  const add = () => {
    added.current = true;
    onChange([...path, items.length], field.item?.kind === 'choice' ? field.item.choices[0] : '');
  };
  const remove = (index: number) => {
    const left = items.filter((_, at) => at !== index);
    onChange(path, left.length === 0 && !field.required ? undefined : left);
  };
  const { item } = field;
  if (item === undefined) return null;
  return (
    <fieldset className="argument-group">
      <legend>{labelOf(field)}</legend>
      <GroupNotes {...props} />
      <div ref={box}>
        {items.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items are values without names.
          <div className="argument-item" key={index}>
            <Field
              label={`${field.name} ${index + 1}`}
              problem={props.problems.get(pathKey([...path, index]))}
              warning={props.warnings?.get(pathKey([...path, index]))}
            >
              {(control) => (
                <ArgumentInput
                  control={control}
                  field={item}
                  value={value}
                  onChange={(next) => onChange([...path, index], next)}
                />
              )}
            </Field>
            <button
              type="button"
              className="small"
              aria-label={`Remove ${field.name} ${index + 1}`}
              onClick={() => remove(index)}
            >
              Remove
            </button>
          </div>
        ))}
      </div>
      <button type="button" className="small" onClick={add}>
        Add item
      </button>
    </fieldset>
  );
}

function GroupNotes({ field, path, problems, warnings }: OneProps) {
  const problem = problems.get(pathKey(path));
  const warning = warnings?.get(pathKey(path));
  return (
    <>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {warning !== undefined && <p className="warning">{warning}</p>}
      <p className="hint">{hintOf(field)}</p>
    </>
  );
}

function labelOf(field: ArgumentField): string {
  const { label = field.name } = field;
  return field.required ? `${label} (required)` : label;
}

function hintOf(field: ArgumentField): string {
  const facts = [field.type, ...limitWords(field)].join(' · ');
  const description =
    field.description.length > 400 ? `${field.description.slice(0, 400)}…` : field.description;
  return description === '' ? facts : `${facts} · ${description}`;
}
