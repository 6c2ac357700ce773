/**
 * The input for one argument. If the JSON contains a value that the choices lack, that value is
 * shown as an additional choice.
 */
import { useState } from 'react';
import type { ControlProps } from '../field.tsx';
import type { ArgumentField } from './argument-fields.ts';
import { argumentText, linesShown, typedValue } from './argument-values.ts';
import { choiceWords, unchosenWords } from './argument-words.ts';

interface InputProps {
  readonly control: ControlProps;
  readonly field: ArgumentField;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
}

export function ArgumentInput(props: InputProps) {
  const { kind } = props.field;
  if (kind === 'boolean' || kind === 'choice') return <Select {...props} />;
  return <Typed {...props} />;
}

function Select({ control, field, value, onChange }: InputProps) {
  const choices = field.kind === 'boolean' ? [true, false] : field.choices;
  const index = choices.indexOf(value);
  const chosen = value === undefined ? '' : index >= 0 ? String(index) : 'other';
  return (
    <select
      {...control}
      value={chosen}
      onChange={(event) =>
        onChange(event.target.value === '' ? undefined : choices[Number(event.target.value)])
      }
    >
      <option value="">{unchosenWords(field)}</option>
      {chosen === 'other' && (
        <option value="other" disabled>
          {JSON.stringify(value).slice(0, 80)}
        </option>
      )}
      {choices.map((choice, at) => (
        <option key={String(choice)} value={at}>
          {choiceWords(choice)}
        </option>
      ))}
    </select>
  );
}

/** Keeps the text as typed while it means the same value: `1.50` stays, although 1.5 is sent. */
function Typed({ control, field, value, onChange }: InputProps) {
  const { kind } = field;
  const [typed, setTyped] = useState<string>();
  const stands =
    typed !== undefined && JSON.stringify(typedValue(kind, typed)) === JSON.stringify(value);
  const text = stands ? typed : argumentText(kind, value);
  const change = (next: string) => {
    setTyped(next);
    onChange(typedValue(kind, next));
  };
  if (kind === 'json' || (kind === 'text' && text.includes('\n'))) {
    return (
      <textarea
        {...control}
        rows={linesShown(text, kind === 'json' ? 2 : 4)}
        spellCheck={false}
        className="code"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    );
  }
  return (
    <input
      {...control}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'number' ? 'decimal' : kind === 'integer' ? 'numeric' : undefined}
      className={kind === 'text' ? undefined : 'short'}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}
