import type { Json } from '@proofmark/domain';

/** Returns a list of a stored trace, or an empty one if it is missing. */
export function listAt(trace: Json, name: string): readonly unknown[] {
  const list = trace[name];
  return Array.isArray(list) ? list : [];
}
