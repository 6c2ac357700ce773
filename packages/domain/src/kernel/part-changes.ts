/**
 * Compares two objects part by part and returns the differences, sorted by part name. Different
 * spellings of one value are equal.
 */
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './json.ts';

export interface PartChange {
  readonly part: string;
  /** Absent if there was no earlier value. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export function partChanges(before: Json, after: Json): PartChange[] {
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return parts.flatMap((part): PartChange[] => {
    const was = held(before, part);
    const is = held(after, part);
    if (spelled(was) === spelled(is)) return [];
    return [
      {
        part,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      },
    ];
  });
}

function held(from: Json, part: string): unknown {
  return Object.hasOwn(from, part) ? from[part] : undefined;
}

/**
 * Returns the canonical text of a value. No value gives the empty text, which is never valid JSON.
 */
function spelled(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}
