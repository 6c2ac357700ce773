/**
 * Returns the differences between two objects of named parts, part by part, in the order of the
 * names. Two spellings of one value are equal; a part on only one side has no value on the other.
 */
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './json.ts';

export interface PartChange {
  readonly part: string;
  /** Absent if there was no value; likewise `after`. */
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

/** Returns the canonical text; the empty text, which no JSON has, means no value. */
function spelled(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}
