/**
 * The state of a call's arguments. Form and JSON edit the same object, so they cannot differ. Text
 * that is no valid number yet is kept as text and reported before sending.
 */
import { isRecord, type Json } from '@proofmark/domain';
import type { ArgumentField } from './argument-fields.ts';

export type ArgumentPath = readonly (string | number)[];
export type Arguments = Json;

export function firstArguments(fields: readonly ArgumentField[]): Arguments {
  const known = fields.flatMap((field): [string, unknown][] => {
    if (!field.required) return [];
    if (field.default !== undefined) return [[field.name, field.default]];
    if (field.kind === 'object') return [[field.name, firstArguments(field.fields)]];
    return [];
  });
  return Object.fromEntries(known);
}

export function valueAt(value: unknown, path: ArgumentPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    if (!Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

/**
 * Changes one value. `undefined` removes the value, and then every object that has become empty.
 */
export function withValue(value: Arguments, path: ArgumentPath, next: unknown): Arguments {
  return (changed(value, path, next) ?? {}) as Arguments;
}

/** Adds objects that are required, even if none of their fields has a value. */
export function withRequiredObjects(fields: readonly ArgumentField[], value: Arguments): Arguments {
  return fields.reduce((all, field) => {
    const held = valueAt(all, [field.name]);
    if (field.kind !== 'object' || (held === undefined && !field.required)) return all;
    if (held !== undefined && (typeof held !== 'object' || held === null)) return all;
    const inner = withRequiredObjects(field.fields, (held ?? {}) as Arguments);
    return inner === held ? all : withValue(all, [field.name], inner);
  }, value);
}

function changed(value: unknown, path: ArgumentPath, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') return changedList(value, step, rest, next);
  const before = isRecord(value) ? value : {};
  const inner = changed(valueAt(before, [step]), rest, next);
  const others = Object.entries(before).filter(([name]) => name !== step);
  if (inner === undefined) {
    return others.length === 0 ? undefined : Object.fromEntries(others);
  }
  return Object.hasOwn(before, step)
    ? Object.fromEntries(
        Object.entries(before).map(([name, held]) => [name, name === step ? inner : held]),
      )
    : Object.fromEntries([...others, [step, inner]]);
}

function changedList(value: unknown, index: number, rest: ArgumentPath, next: unknown): unknown {
  const items = Array.isArray(value) ? [...value] : [];
  const inner = changed(items[index], rest, next);
  // Clearing the text of a list item leaves an empty text. Only the button of the item removes the
  // item.
  items[index] = inner === undefined ? '' : inner;
  return items;
}

export function typedValue(kind: ArgumentField['kind'], text: string): unknown {
  if (text === '') return undefined;
  if (kind === 'number' || kind === 'integer') {
    return /^\s*-?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(text) && Number.isFinite(Number(text))
      ? Number(text)
      : text;
  }
  if (kind === 'json') {
    if (text.trim() === '') return undefined;
    const parsed = parseJson(text);
    return parsed === undefined ? text : parsed.value;
  }
  return text;
}

export function argumentText(kind: ArgumentField['kind'], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const mostRows = 16;

/**
 * Returns the rows of a text box: the number of lines in the text, between `least` and a maximum.
 */
export function linesShown(text: string, least: number): number {
  return Math.max(least, Math.min(mostRows, text.split('\n').length));
}

export type ReadArguments =
  | { readonly arguments: Arguments }
  | { readonly problem: string; readonly arguments?: undefined };

export function readArguments(text: string): ReadArguments {
  if (text.trim() === '') return { arguments: {} };
  const parsed = parseJson(text);
  if (parsed === undefined) return { problem: 'This is not valid JSON yet.' };
  const { value } = parsed;
  if (!isRecord(value)) {
    return { problem: 'The arguments must be one JSON object, in braces.' };
  }
  return { arguments: value };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
