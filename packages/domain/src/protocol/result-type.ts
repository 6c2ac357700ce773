/**
 * The kind of a result by its `resultType`, which revision 2026-07-28 introduced. A result without
 * one is complete, since servers of earlier revisions send none. Any other value is `unknown`.
 */
import type { Json } from '../kernel/json.ts';

export type ResultType = 'complete' | 'input_required' | 'task' | 'unknown';

export function resultTypeOf({ resultType }: Json): ResultType {
  if (resultType === undefined) return 'complete';
  return known.find((one) => one === resultType) ?? 'unknown';
}

const known = ['complete', 'input_required', 'task'] as const;
