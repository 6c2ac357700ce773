import type { SchemaField } from '../schemas/schema-fields.ts';
import type { ArgumentField } from './argument-fields.ts';

export function argumentList(
  fields: readonly ArgumentField[],
  depth = 0,
  before = '',
): SchemaField[] {
  return fields.flatMap((field) => {
    const path = before === '' ? field.name : `${before}.${field.name}`;
    return [
      {
        path,
        depth,
        type: field.type,
        required: field.required,
        description: field.description,
        limits: limitWords(field),
      },
      ...argumentList(field.fields, depth + 1, path),
    ];
  });
}

export function limitWords(field: ArgumentField): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = field.limits;
  return [
    ...(field.choices.length > 1 ? [`one of ${short(field.choices.map(String).join(', '))}`] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, 'character'),
    ...range(minItems, maxItems, 'item'),
    ...(field.default === undefined ? [] : [`default ${defaultWords(field)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const unlimited = most === undefined || most >= Number.MAX_SAFE_INTEGER;
  const boundless = least === undefined || least <= Number.MIN_SAFE_INTEGER;
  const all = (last: number) => (unit === '' ? '' : ` ${unit}${last === 1 ? '' : 's'}`);
  if (boundless) return unlimited ? [] : [`at most ${most}${all(most)}`];
  return [unlimited ? `at least ${least}${all(least)}` : `${least} to ${most}${all(most)}`];
}

function defaultWords(field: ArgumentField): string {
  return field.kind === 'boolean' || field.kind === 'choice'
    ? short(choiceWords(field.default))
    : short(JSON.stringify(field.default));
}

export function choiceWords(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

export function unchosenWords(field: ArgumentField): string {
  if (field.required) return 'Choose…';
  return field.default === undefined
    ? 'Left out'
    : `Left out: ${defaultWords(field)} holds by default`;
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
