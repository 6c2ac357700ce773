/** A waiver during editing: a reason, and a number of days. */
import { type WaiverProblem, waiverProblem } from '@proofmark/domain';

export interface WaiverDraft {
  readonly reason: string;
  readonly days: string;
}

export const waiverDays = ['1', '3', '7', '14', '30'] as const;
const dayMs = 24 * 60 * 60 * 1000;
/**
 * The clock of the service may be slightly behind the clock of the page, and 30 days is the
 * maximum.
 */
const clockSlackMs = 60_000;

export function waiverBody({ reason, days }: WaiverDraft, nowMs: number) {
  return { reason: reason.trim(), expiresAt: nowMs + Number(days) * dayMs - clockSlackMs };
}

export function draftProblem(draft: WaiverDraft, nowMs: number): WaiverProblem | undefined {
  return waiverProblem(waiverBody(draft, nowMs), nowMs);
}
