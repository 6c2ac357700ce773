/**
 * Finds problems in arguments before they are sent. Only types and simple limits are checked.
 * Patterns are left to the server, because a hostile pattern could block the page.
 */
import { count, isRecord } from '@proofmark/domain';
import type { ArgumentField } from './argument-fields.ts';
import { type ArgumentPath, type Arguments, valueAt } from './argument-values.ts';

/** Problems by path, as formatted by `pathKey`. */
export type ArgumentProblems = ReadonlyMap<string, string>;

export function argumentProblems(
  fields: readonly ArgumentField[],
  value: Arguments,
): ArgumentProblems {
  return new Map(fields.flatMap((field) => inField(field, value, [field.name])));
}

export function pathKey(path: ArgumentPath): string {
  return JSON.stringify(path);
}

/** Missing arguments are reported only if at least one argument is given. */
export function argumentWarnings(
  fields: readonly ArgumentField[],
  value: Arguments,
  at: ArgumentPath,
  isFilledIn: (text: string) => boolean,
): ArgumentProblems {
  if (Object.keys(value).length === 0) return new Map();
  const found = fields.flatMap((field) => inField(field, value, [field.name]));
  return new Map(
    found.flatMap(([key, message]): Found => {
      const path = JSON.parse(key) as ArgumentPath;
      const held = valueAt(value, path);
      if (typeof held === 'string' && isFilledIn(held)) return [];
      return [[pathKey([...at, ...path]), message]];
    }),
  );
}

type Found = [string, string][];

function inField(field: ArgumentField, value: Arguments, path: ArgumentPath): Found {
  const held = valueAt(value, path);
  if (held === undefined) {
    return field.required ? [[pathKey(path), missingWords[field.kind]]] : [];
  }
  const problem = valueProblem(field, held);
  if (problem !== undefined) return [[pathKey(path), problem]];
  if (field.kind === 'object') {
    return field.fields.flatMap((inner) => inField(inner, value, [...path, inner.name]));
  }
  if (field.kind === 'list' && field.item !== undefined) {
    const { item } = field;
    return (held as unknown[]).flatMap((_, index) => inField(item, value, [...path, index]));
  }
  return [];
}

const missingWords: Readonly<Record<ArgumentField['kind'], string>> = {
  text: 'Enter a text; an empty one can be sent by the JSON.',
  number: 'Enter a number.',
  integer: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  choice: 'Choose one.',
  object: 'Fill in its fields.',
  list: 'Add an item.',
  json: 'Enter a value as JSON.',
};

function valueProblem(field: ArgumentField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? lengthProblem(field, value) : 'This must be a text.';
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : 'This must be yes or no: true or false in the JSON.';
    case 'choice':
      return field.choices.includes(value) ? undefined : 'This is not one of the choices.';
    case 'object':
      return isRecord(value) ? undefined : 'This must be an object.';
    case 'list':
      return Array.isArray(value) ? countProblem(field, value) : 'This must be a list.';
    case 'json':
      return typeof value === 'string' && /^\s*[{["]/.test(value)
        ? 'This starts like JSON but is not complete; as it stands it is sent as a text.'
        : undefined;
  }
}

function numberProblem(field: ArgumentField, value: unknown): string | undefined {
  if (typeof value !== 'number') return 'This must be a number, for example 3.';
  if (field.kind === 'integer' && !Number.isInteger(value)) return 'This must be a whole number.';
  const { minimum, maximum } = field.limits;
  if (minimum !== undefined && value < minimum) return `This must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `This must be at most ${maximum}.`;
  return undefined;
}

function lengthProblem(field: ArgumentField, value: string): string | undefined {
  const { minLength, maxLength } = field.limits;
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) {
    return `This must have at least ${count(minLength, 'character')}; it has ${length}.`;
  }
  if (maxLength !== undefined && length > maxLength) {
    return `This must have at most ${count(maxLength, 'character')}; it has ${length}.`;
  }
  return undefined;
}

function countProblem(field: ArgumentField, value: readonly unknown[]): string | undefined {
  const { minItems, maxItems } = field.limits;
  if (minItems !== undefined && value.length < minItems) {
    return `This must have at least ${count(minItems, 'item')}; it has ${value.length}.`;
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return `This must have at most ${count(maxItems, 'item')}; it has ${value.length}.`;
  }
  return undefined;
}
