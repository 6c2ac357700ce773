/**
 * Parses the end of a waiver: hours or days from now, or a date and time. The service enforces the
 * maximum duration.
 */
import { UsageProblem } from './exit-codes.ts';

const hourMs = 3_600_000;

export function readExpiry(text: string, nowMs: number): number {
  const [, amount, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (amount !== undefined) return nowMs + Number(amount) * hourMs * (unit === 'd' ? 24 : 1);
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const atMs = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return atMs;
  throw new UsageProblem(
    `${JSON.stringify(text)} is not a valid end of a waiver; give for example 12h, 7d, the day 2026-12-01 (UTC), or the time 2026-12-01T08:00:00Z.`,
  );
}
