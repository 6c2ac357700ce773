/** The waiver that lets a run pass its gate. Expired and revoked waivers do not count. */
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

function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
