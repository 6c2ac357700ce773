/** The waiver that lets a run through its gate, in words. One that has ended or was revoked lets nothing through. */
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

/** The same everywhere, whatever the clock of the reader says. */
function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
