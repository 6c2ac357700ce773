import type { PairedComparison } from '../statistics/paired-comparison.ts';

const gateOutcomes = ['passed', 'failed', 'non_gateable', 'usage_error'] as const;
export type GateOutcome = (typeof gateOutcomes)[number];

/** One gate: its bound, the measured value and the answer. */
export interface GateResult {
  readonly gate: string;
  readonly scorerId?: string;
  readonly outcome: GateOutcome;
  readonly bound?: number;
  readonly measured?: number;
  readonly reason: string;
  /** Of a gate that compares two runs. */
  readonly paired?: PairedComparison;
}

export interface GateQuestion {
  readonly gate: string;
  readonly scorerId?: string;
  readonly bound: number;
  readonly measured: number | undefined;
  readonly holds: (measured: number, bound: number) => boolean;
  /** The message if the value was not measured. */
  readonly unmeasured: string;
}

export function answerGate(question: GateQuestion): GateResult {
  const { gate, scorerId, bound, measured, holds, unmeasured } = question;
  const asked = { gate, ...(scorerId === undefined ? {} : { scorerId }), bound };
  if (measured === undefined) return { ...asked, outcome: 'non_gateable', reason: unmeasured };
  const passed = holds(measured, bound);
  return {
    ...asked,
    outcome: passed ? 'passed' : 'failed',
    measured,
    reason: `Measured ${measured}, ${passed ? 'within' : 'outside'} the bound of ${bound}.`,
  };
}

/** Fails if a gating score has an error. Without any gating score, the gate has no answer. */
export function answerNoGatingScoreErrors(
  scores: readonly (readonly { role: string; status: string }[])[] | undefined,
): GateResult {
  const gating = scores?.flat().filter((score) => score.role === 'gating');
  return answerGate({
    gate: 'noGatingScoreErrors',
    bound: 0,
    measured:
      gating === undefined || gating.length === 0
        ? undefined
        : gating.filter((score) => score.status === 'error').length,
    holds: (errors) => errors === 0,
    unmeasured: 'The run has no valid gating scores.',
  });
}
