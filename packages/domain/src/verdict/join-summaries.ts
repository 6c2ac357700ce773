/**
 * Several pages of one run's summary read one after the other, as one. Everything but the diagnostics is what the
 * newest answer says. Together they are complete when they begin at the beginning, nothing follows the last and the run
 * has ended, because then no trial is still to come.
 */
import type { DecisionSummary } from './decision-summary.ts';
import type { DecisionDiagnostics } from './diagnostics.ts';
import { terminalRunStatuses } from './verdict-source.ts';

export function joinSummaries(
  first: DecisionSummary,
  following: readonly DecisionSummary[],
): DecisionSummary {
  const last = following.at(-1);
  if (last === undefined) return first;
  const pages = [first, ...following].map(({ diagnostics }) => diagnostics);
  const { nextCursor } = last.diagnostics;
  const hasEnded = (terminalRunStatuses as readonly string[]).includes(last.runStatus);
  const diagnostics: DecisionDiagnostics = {
    items: pages.flatMap(({ items }) => items),
    complete: nextCursor === undefined && hasEnded,
    ...(nextCursor !== undefined && { nextCursor }),
    scannedIterations: pages.reduce((sum, page) => sum + page.scannedIterations, 0),
  };
  return { ...last, diagnostics };
}
