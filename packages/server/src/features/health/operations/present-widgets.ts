import type { WidgetsTestable } from '@proofmark/contract';

/** Whether widgets can be tested here, by why they cannot. */
export function presentWidgets(noWidgets: string | null): WidgetsTestable {
  return { testable: noWidgets === null, reason: noWidgets };
}
