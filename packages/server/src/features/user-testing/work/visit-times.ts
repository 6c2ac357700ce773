import { visitBounds } from '@proofmark/domain';

export interface VisitTimes {
  /** Milliseconds without a message after which the outcome of a session is determined. */
  readonly settleMs: number;
  /** Milliseconds that a requested mining waits, so that several sessions are mined together. */
  readonly miningDebounceMs: number;
  /** Milliseconds without a message after which a session has ended. */
  readonly idleMs: number;
  /** Sessions are deleted this number of days after their last activity. */
  readonly retentionDays: number;
}

export const defaultVisitTimes: VisitTimes = {
  settleMs: 600_000,
  miningDebounceMs: 60_000,
  idleMs: visitBounds.idleMs,
  retentionDays: 90,
};
