/**
 * The answer of a run's gate: its first word and its exit code. Without bounds, the verdict of the
 * run decides; bounds of the caller replace it. A failed run passes if all that failed is in
 * quarantine, or if a waiver is in force. A quarantine opens no bound, since a bound speaks of all
 * trials together. A stale entry fails the gate, unless a person waived the whole run.
 *
 * A run that did not complete, or that measured too little for a verdict, leaves its gate
 * undecided: neither a waiver nor a quarantine replaces a missing measurement. So does a strict
 * gate that passed and could not have seen the drop that matters.
 */
import type { DecisionSummary } from '../verdict/decision-summary.ts';
import type { RunGate } from './run-gate.ts';

export const gateWords = ['PASSED', 'FAILED', 'QUARANTINED', 'WAIVED', 'INCONCLUSIVE'] as const;
export type GateWord = (typeof gateWords)[number];

export const exitCodeOfGate: Readonly<Record<GateWord, 0 | 1 | 3>> = {
  PASSED: 0,
  QUARANTINED: 0,
  WAIVED: 0,
  FAILED: 1,
  INCONCLUSIVE: 3,
};

export interface RunToOpen {
  readonly status: string;
  readonly verdict: DecisionSummary['verdict'];
  /** False for a replay that diverged or lacked recordings. */
  readonly wentAsRecorded?: boolean;
  /** The outcome of the bounds that the caller gave. */
  readonly bounds?: RunGate['outcome'] | undefined;
  readonly isWaived: boolean;
  readonly quarantine?: { readonly excusesAll: boolean; readonly stale: readonly unknown[] };
  /** Whether the gate is strict and could not have seen the drop. */
  readonly isBlind?: boolean;
}

const notStated = { excusesAll: false, stale: [] };

export function wordOfGate(run: RunToOpen): GateWord {
  const { bounds, isWaived, isBlind = false, quarantine = notStated } = run;
  const outcome = run.wentAsRecorded === false ? 'incomplete' : (bounds ?? outcomeOfVerdict(run));
  const isStale = quarantine.stale.length > 0;
  switch (outcome) {
    case 'incomplete':
      return 'INCONCLUSIVE';
    case 'passed':
      if (isStale) return 'FAILED';
      return isBlind ? 'INCONCLUSIVE' : 'PASSED';
    case 'failed':
      if (bounds === undefined && quarantine.excusesAll && !isStale) {
        return isBlind ? 'INCONCLUSIVE' : 'QUARANTINED';
      }
      return isWaived ? 'WAIVED' : 'FAILED';
  }
}

function outcomeOfVerdict({ status, verdict }: RunToOpen): RunGate['outcome'] {
  if (status !== 'completed') return 'incomplete';
  return verdict === 'passed' || verdict === 'failed' ? verdict : 'incomplete';
}
