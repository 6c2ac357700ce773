import type { Json } from '@proofmark/domain';

/** Returns a list from a stored trace; empty if it is missing. */
export function listAt(trace: Json, name: string): readonly unknown[] {
  const list = trace[name];
  return Array.isArray(list) ? list : [];
}
