import type { Json } from '@proofmark/domain';

/** Of a trace as it is stored; nothing where there is none. */
export function listAt(trace: Json, name: string): readonly unknown[] {
  const list = trace[name];
  return Array.isArray(list) ? list : [];
}
