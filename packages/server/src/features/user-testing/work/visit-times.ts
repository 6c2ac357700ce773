import { visitBounds } from '@proofmark/domain';

/** The times at which a session of a visitor is settled, mined, ended and deleted. */
export interface VisitTimes {
  /** Milliseconds without a message after which a session is settled. */
  readonly settleMs: number;
  /** Milliseconds for which settled sessions wait, so that several are mined together. */
  readonly miningDebounceMs: number;
  /** Milliseconds of silence after which a session has ended. */
  readonly idleMs: number;
  /** Days after the last activity until a session is deleted. */
  readonly retentionDays: number;
}

export const defaultVisitTimes: VisitTimes = {
  settleMs: 600_000,
  miningDebounceMs: 60_000,
  idleMs: visitBounds.idleMs,
  retentionDays: 90,
};
