import { noQuotas, type Quotas } from '@proofmark/domain';

/**
 * The limits on concurrent and total work of an organization, and on the duration of runs and their
 * parts.
 */
export interface RunLimits {
  /** The most open runs of an organization. */
  readonly concurrentRuns: number;
  readonly trialsAtOncePerRun: number;
  readonly trialTimeoutMs: number;
  /** The most answers of the model in one turn. */
  readonly maxModelSteps: number;
  readonly runTimeoutMs: number;
  /** Longest silence of a reported run that is not finalized. */
  readonly reportTimeoutMs: number;
  /** The most concurrent sessions of a journey run. */
  readonly sessionsPerRun: number;
  readonly sessionTimeoutMs: number;
  /** Limits of one turn of the assistant in a session, and of one message of its simulated user. */
  readonly turnTimeoutMs: number;
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  /** The quotas of organizations without separate ones. */
  readonly quotas: Quotas;
  /** Credits per organization and day; null means no limit. */
  readonly creditsPerDay: number | null;
  /** The reason why workers cannot render widgets, and its remedy; null if they can. */
  readonly noWidgets: string | null;
  /** The judge model if neither an assertion nor its suite names one. */
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
