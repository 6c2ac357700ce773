/**
 * What differs between two things that are made of named parts: part by part, in the order of the names. Two spellings of
 * one value are one value; a part that is only on one side has nothing on the other.
 */
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './json.ts';

export interface PartChange {
  readonly part: string;
  /** Absent where there was nothing; the same holds for `after`. */
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

/** No JSON is empty, so nothing is told from everything. */
function spelled(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}
