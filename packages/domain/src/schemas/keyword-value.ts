import { isRecord } from '../kernel/json.ts';
import type { Schema } from './schema-walk.ts';
import { NotChecked } from './schema-work.ts';

export function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value !== 'number') throw invalidKeyword(keyword);
  return value;
}

export function listUnder(schema: Schema, keyword: string): readonly unknown[] | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidKeyword(keyword);
  return value;
}

export function objectAt(schema: Schema, keyword: string): Schema | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw invalidKeyword(keyword);
  return value;
}

export function namesOf(value: unknown, keyword: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw invalidKeyword(keyword);
  return value;
}

export function invalidKeyword(keyword: string): NotChecked {
  return new NotChecked(`The schema has an invalid ${keyword}.`);
}
