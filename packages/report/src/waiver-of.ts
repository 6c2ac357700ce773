/**
 * The waiver that lets a run pass its gate, in words. An expired or revoked waiver does not count.
 */
import type { WaiverInForce } from './render-summary.ts';

export function waiverOf(run: {
  readonly gateWaiver: {
    readonly active: boolean;
    readonly expiresAt: number;
    readonly createdByEmail: string;
    readonly reason: string;
  } | null;
}): WaiverInForce | undefined {
  const { gateWaiver } = run;
  if (gateWaiver === null || !gateWaiver.active) return undefined;
  const { expiresAt, createdByEmail, reason } = gateWaiver;
  return { until: minuteOf(expiresAt), by: createdByEmail, reason };
}

/** Returns the time in UTC, independent of the reader's time zone. */
function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
