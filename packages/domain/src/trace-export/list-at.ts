import type { Json } from '../kernel/json.ts';

/** Of a trace as it is stored; nothing where there is none. */
export function listAt(trace: Json, name: string): readonly unknown[] {
  const list = trace[name];
  return Array.isArray(list) ? list : [];
}
