/**
 * Sentences about everything that a page of trials leaves out, so that it is not mistaken for the
 * whole run.
 */
import { count, type DecisionSummary, type Sentence, say } from '@proofmark/domain';
import { endedTrials } from './ended-trials.ts';
import type { PickedTrials } from './picked-trials.ts';

export function notShown(summary: DecisionSummary, picked?: PickedTrials): Sentence[] {
  const { complete, nextCursor } = summary.diagnostics;
  const items = endedTrials(summary);
  const unverified = items.filter(({ chain }) => chain.status === 'unverified').length;
  const absent = items.filter(({ chain }) => chain.status === 'absent').length;
  const lines: Sentence[] = [];
  if (nextCursor !== undefined) {
    lines.push(say`More trials follow on the next page.`);
  }
  if (picked === undefined && !complete && nextCursor === undefined) {
    lines.push(
      say`This page is not the whole run: trials before it, or not recorded yet, are missing.`,
    );
  }
  if (unverified > 0) {
    lines.push(
      say`The stages of ${count(unverified, 'trial')}: the stored chain does not hold together.`,
    );
  }
  if (absent > 0) lines.push(say`The stages of ${count(absent, 'trial')}: none were recorded.`);
  return lines;
}
