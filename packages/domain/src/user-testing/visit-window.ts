/**
 * A window: the findings in the ended visitor sessions of one week. A stored window never changes;
 * later sessions belong to the next window.
 */
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { mostCountedSessions } from './scenario-session.ts';

export const windowMs = 7 * 24 * 60 * 60 * 1000;

export interface SessionOfWindow {
  readonly id: string;
  readonly lastActivityAt: number;
  readonly feedback: readonly { readonly rating: number; readonly updatedAt: number }[];
}

/**
 * Returns a text that is equal for equal sessions with equal ratings, so that no window is written
 * twice.
 */
export function inputOfWindow(sessions: readonly SessionOfWindow[]): string {
  const sorted = [...sessions].sort((one, other) => (one.id < other.id ? -1 : 1));
  return canonicalJson(
    sorted.map(({ id, lastActivityAt, feedback }) => [
      ...[id, lastActivityAt],
      feedback
        .map(({ rating, updatedAt }) => [updatedAt, rating])
        .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0)),
    ]),
  );
}

export interface WindowCounts {
  /** The number of sessions with a message in the window's time, ended or not. */
  readonly total: number;
  /** The number of sessions in `total` that have ended. */
  readonly settled: number;
  readonly feedback: number;
}

export function coverageOfWindow({ total, settled, feedback }: WindowCounts): InsightCoverage {
  return {
    unit: 'sessions',
    analyzed: Math.min(settled, mostCountedSessions),
    total,
    feedbackCount: feedback,
    truncated: settled > mostCountedSessions,
    lowConfidence: settled * 2 < total,
  };
}
