import { visitBounds } from '@proofmark/domain';

/** When a session of a visitor is over, and for how long it is kept. */
export interface VisitTimes {
  /** So long nobody may have said anything. */
  readonly settleMs: number;
  /** So long what is over waits for others, to be looked through together. */
  readonly miningDebounceMs: number;
  /** After so long a silence it has ended. */
  readonly idleMs: number;
  /** After the last activity. */
  readonly retentionDays: number;
}

export const defaultVisitTimes: VisitTimes = {
  settleMs: 600_000,
  miningDebounceMs: 60_000,
  idleMs: visitBounds.idleMs,
  retentionDays: 90,
};
