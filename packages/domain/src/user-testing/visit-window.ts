/**
 * A window: what was found in the sessions of visitors that were over by its end, and not older than a week then. It never
 * changes; whatever comes later stands in the next one.
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

/** The same text for the same sessions with the same ratings; such a window is not written twice. */
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
  /** With a message in the time of the window, over or not. */
  readonly total: number;
  /** Of them those that are over. */
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
