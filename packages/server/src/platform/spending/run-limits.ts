import { noQuotas, type Quotas } from '@proofmark/domain';

/** How much an organization may run, at once and in all, and how long a run and its parts may take. */
export interface RunLimits {
  /** Open runs of an organization. */
  readonly concurrentRuns: number;
  readonly trialsAtOncePerRun: number;
  readonly trialTimeoutMs: number;
  /** Answers of the model in one turn. */
  readonly maxModelSteps: number;
  readonly runTimeoutMs: number;
  /** How long a reported run that is not finalized may be silent. */
  readonly reportTimeoutMs: number;
  /** Sessions of a journey run at a time. */
  readonly sessionsPerRun: number;
  readonly sessionTimeoutMs: number;
  /** One turn of the assistant in a session, and one message of its simulated user. */
  readonly turnTimeoutMs: number;
  readonly userTimeoutMs: number;
  readonly journeyRunTimeoutMs: number;
  /** Of an organization that has none of its own. */
  readonly quotas: Quotas;
  /** Credits of an organization and day; none is no limit. */
  readonly creditsPerDay: number | null;
  /** Why no widget can be shown where trials are run, and how that is changed; null where one can. */
  readonly noWidgets: string | null;
  /** Who judges where neither an assertion nor its suite names a model. */
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
  noWidgets: 'No browser shows widgets here.',
};
