import type { DecisionDiagnostic, DecisionSummary } from '@proofmark/domain';

export function hasRunEnded(summary: DecisionSummary): boolean {
  return summary.verdictSource !== 'none' || summary.undecided.reason !== 'runNotTerminal';
}

export function endedTrials(summary: DecisionSummary): readonly DecisionDiagnostic[] {
  const { items } = summary.diagnostics;
  if (hasRunEnded(summary)) return items;
  return items.filter(({ status }) => status !== 'pending' && status !== 'running');
}

export function trialsToCome(summary: DecisionSummary): number {
  return summary.diagnostics.items.length - endedTrials(summary).length;
}
