/**
 * Decides the outcome of a run's gate and its exit code.
 *
 * - Bounds stated by the caller replace the run's verdict.
 * - A waiver, or a quarantine of all failed variants, lets a failed run pass. A quarantine does not
 *   change the result of a bound.
 * - A stale quarantine entry fails the gate, unless the run failed and is waived.
 * - A run that is incomplete or has too few measurements is inconclusive, even with a waiver or a
 *   quarantine.
 * - A strict gate that would pass is inconclusive if the run could not have shown a drop of the
 *   stated size.
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
  readonly bounds?: RunGate['outcome'] | undefined;
  readonly isWaived: boolean;
  readonly quarantine?: { readonly excusesAll: boolean; readonly stale: readonly unknown[] };
  /** True if the gate is strict and the run could not have shown a drop of the stated size. */
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
