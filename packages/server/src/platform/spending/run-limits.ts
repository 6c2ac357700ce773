import { noQuotas, type Quotas } from '@proofmark/domain';

export interface RunLimits {
  readonly concurrentRuns: number;
  readonly trialsAtOncePerRun: number;
  readonly trialTimeoutMs: number;
  readonly maxModelSteps: number;
  readonly runTimeoutMs: number;
  /**
   * A reported run is executed elsewhere and uploaded. If it is not finalized, it counts as
   * abandoned after this many milliseconds without an upload.
   */
  readonly reportTimeoutMs: number;
  readonly sessionsPerRun: number;
  readonly sessionTimeoutMs: number;
  /**
   * Milliseconds for one turn of the assistant in a session; `userTimeoutMs` limits one message of
   * its simulated user.
   */
  readonly turnTimeoutMs: number;
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  readonly quotas: Quotas;
  /** The credits that each organization may spend per day; null for no limit. */
  readonly creditsPerDay: number | null;
  /** The reason why workers cannot render widgets, and how to fix it; null if they can. */
  readonly noWidgets: string | null;
  /** The model that judges if neither an assertion nor the suite names one. */
  readonly judgeModel?: string | undefined;
}

export const defaultRunLimits: RunLimits = {
  concurrentRuns: 2,
  trialsAtOncePerRun: 8,
  trialTimeoutMs: 300_000,
  maxModelSteps: 20,
  runTimeoutMs: 24 * 60 * 60 * 1000,
  reportTimeoutMs: 24 * 60 * 60 * 1000,
  sessionsPerRun: 8,
  sessionTimeoutMs: 30 * 60 * 1000,
  turnTimeoutMs: 120_000,
  userTimeoutMs: 60_000,
  journeyRunTimeoutMs: 24 * 60 * 60 * 1000,
  quotas: noQuotas,
  creditsPerDay: null,
  noWidgets: 'This process has no browser to show widgets.',
};
