/** The fields of a schema as the flat list a reader sees, with their limits in words. */
import type { SchemaField } from '../reference/schema-fields.ts';
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
    ...(field.choices.length > 0 ? [`one of ${short(field.choices.map(String).join(', '))}`] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(field.default === undefined ? [] : [`default ${short(JSON.stringify(field.default))}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const unlimited = most === undefined || most >= Number.MAX_SAFE_INTEGER;
  const boundless = least === undefined || least <= Number.MIN_SAFE_INTEGER;
  if (boundless) return unlimited ? [] : [`at most ${most}${unit}`];
  return [unlimited ? `at least ${least}${unit}` : `${least} to ${most}${unit}`];
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
