/** The decision of a run as the terminal shows it, in the words every other reader uses. */
import { type RenderOptions, renderSummary, type WaiverInForce } from '@proofmark/domain';
import type { ReadDecision } from './read-decision.ts';

export function decisionText(
  { run, summary }: ReadDecision,
  options: Pick<RenderOptions, 'format' | 'ascii' | 'width' | 'brief'>,
): string {
  return renderSummary(summary, { ...options, waiver: waiverOf(run), caseTitles: run.caseTitles });
}

export function waiverOf(run: Pick<ReadDecision['run'], 'gateWaiver'>): WaiverInForce | undefined {
  const waiver = run.gateWaiver;
  if (waiver === null || !waiver.active) return undefined;
  const { expiresAt, createdByEmail, reason } = waiver;
  return { until: minuteOf(expiresAt), by: createdByEmail, reason };
}

function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
