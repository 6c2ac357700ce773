import type { WidgetsTestable } from '@proofmark/contract';

/** Returns whether widgets can be tested on this service, and the reason if they cannot. */
export function presentWidgets(noWidgets: string | null): WidgetsTestable {
  return { testable: noWidgets === null, reason: noWidgets };
}
