import type { WidgetsTestable } from '@proofmark/contract';

export function presentWidgets(noWidgets: string | null): WidgetsTestable {
  return { testable: noWidgets === null, reason: noWidgets };
}
