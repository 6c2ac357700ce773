import type { PairedComparison } from '../statistics/paired-comparison.ts';

const gateOutcomes = ['passed', 'failed', 'non_gateable'] as const;
export type GateOutcome = (typeof gateOutcomes)[number];

export interface GateResult {
  readonly gate: string;
  readonly outcome: GateOutcome;
  readonly bound?: number;
  readonly measured?: number;
  readonly reason: string;
  readonly paired?: PairedComparison;
}
