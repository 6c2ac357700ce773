/**
 * The input of gates. Evidence that was not recorded is absent, and a gate that needs it can
 * neither pass nor fail.
 */
import type { ScoreStatus } from '../assertions/score.ts';

export interface RunEvidence {
  readonly status: string;
  /** False if a page of the run's trials was not read. */
  readonly allTrialsRead: boolean;
  readonly trials: readonly TrialGateEvidence[];
  /** Null if the run has none; two runs without a hash do not differ. */
  readonly scenarioConfigHash: string | null;
  readonly evaluationConfigHash: string | null;
}

export interface TrialGateEvidence {
  readonly caseKey: string;
  readonly result?: 'passed' | 'failed';
  readonly totalTokens?: number;
  readonly latencyMs?: number;
  /** Only `valid` counts as valid; null and absent do not. */
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
 * is still running has no verdict to measure.
 */
export function ungateable(run: RunEvidence): string | undefined {
  if (run.status !== 'completed') return 'The run is not completed.';
  if (!run.allTrialsRead) return 'Not all trials of the run were read.';
  if (run.trials.length === 0) return 'The run has no trials.';
  return undefined;
}
