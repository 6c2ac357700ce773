import type { WidgetsTestable } from '@proofmark/contract';

/** Returns whether widgets can be tested here, with the reason if not. */
export function presentWidgets(noWidgets: string | null): WidgetsTestable {
  return { testable: noWidgets === null, reason: noWidgets };
}
