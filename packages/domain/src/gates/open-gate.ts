/**
 * A run's gate is open if the run passed, or if it failed and a waiver is in force. A run that did
 * not complete, or that measured too little for a verdict, leaves its gate undecided: a waiver
 * excuses a measured failure, never a missing measurement.
 */
import type { DecisionSummary } from '../verdict/decision-summary.ts';
import type { RunGate } from './run-gate.ts';

export type GateState = 'open' | 'closed' | 'undecided';

/** Returns the state of the gate that the run's verdict decides. */
export function gateOfVerdict(
  status: string,
  verdict: DecisionSummary['verdict'],
  isWaived: boolean,
): GateState {
  if (status !== 'completed') return 'undecided';
  if (verdict === 'passed') return 'open';
  if (verdict === 'failed') return isWaived ? 'open' : 'closed';
  return 'undecided';
}

/** Returns the state of the gate if the caller set bounds, which replace the verdict. */
export function gateOfBounds(outcome: RunGate['outcome'], isWaived: boolean): GateState {
  if (outcome === 'incomplete') return 'undecided';
  return outcome === 'passed' || isWaived ? 'open' : 'closed';
}
