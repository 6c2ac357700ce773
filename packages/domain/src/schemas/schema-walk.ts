import type { Json } from '../kernel/json.ts';
import type { SchemaWork } from './schema-work.ts';

export type Schema = Json;

export type Draft = 6 | 7 | 2019 | 2020;

export type Fault = string | undefined;

export interface Walk {
  readonly draft: Draft;
  readonly work: SchemaWork;
  fault(schema: unknown, value: unknown, path: string): Fault;
}

/** Cuts the part to 60 characters for display. */
export function at(path: string, part: string | number): string {
  return `${path}/${String(part).slice(0, 60)}`;
}

export function describePath(path: string): string {
  return path === '' ? 'The value' : `The value at ${path.slice(0, 200)}`;
}
