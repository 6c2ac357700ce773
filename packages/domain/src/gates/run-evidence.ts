/**
 * The input of gates. Data that was not recorded is absent, and a gate that needs it neither passes
 * nor fails.
 */
import type { ScoreStatus } from '../assertions/score.ts';

export interface RunEvidence {
  readonly status: string;
  /** Whether every page of the run's trials was read. */
  readonly allTrialsRead: boolean;
  readonly trials: readonly TrialGateEvidence[];
  /** Null if the run has no scenario. Two runs without a hash count as equal. */
  readonly scenarioConfigHash: string | null;
  readonly evaluationConfigHash: string | null;
  /** The o200k_base tokens of the tools that models were shown. */
  readonly surfaceTokens?: number;
}

export interface TrialGateEvidence {
  readonly caseKey: string;
  readonly result?: 'passed' | 'failed';
  readonly totalTokens?: number;
  readonly latencyMs?: number;
  /** The o200k_base tokens of the largest result; 0 if no tool was called. */
  readonly largestResultTokens?: number;
  /** Only `valid` means valid; null and an absent field do not. */
  readonly scoreIntegrity?: string | null;
  readonly scores?: readonly GateScore[];
}

export interface GateScore {
  readonly scorerId: string;
  readonly role: 'gating' | 'advisory';
  readonly status: ScoreStatus;
  readonly value?: number;
  readonly passThreshold: number;
}

/**
 * Returns the reason why no gate can judge this run. A run that was cancelled, timed out, broke or
 * is still running has no verdict that a gate could judge.
 */
export function ungateable(run: RunEvidence): string | undefined {
  if (run.status !== 'completed') return 'The run is not completed.';
  if (!run.allTrialsRead) return 'Not all trials of the run were read.';
  if (run.trials.length === 0) return 'The run has no trials.';
  return undefined;
}
