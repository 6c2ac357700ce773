import type { PairedComparison } from '../statistics/paired-comparison.ts';

const gateOutcomes = ['passed', 'failed', 'non_gateable'] as const;
export type GateOutcome = (typeof gateOutcomes)[number];

/** One gate: its bound, the measured value and the answer. */
export interface GateResult {
  readonly gate: string;
  readonly outcome: GateOutcome;
  readonly bound?: number;
  readonly measured?: number;
  readonly reason: string;
  /** Of a gate that compares two runs. */
  readonly paired?: PairedComparison;
}
