/** The decision of a run as the terminal shows it, in the words every other reader uses. */
import { type RenderOptions, renderSummary, type WaiverInForce } from '@proofmark/domain';
import type { Connection } from './connection.ts';
import { readCalls } from './read-calls.ts';
import type { ReadDecision } from './read-decision.ts';

export async function decisionText(
  connection: Connection,
  { run, summary }: ReadDecision,
  options: Pick<RenderOptions, 'format' | 'ascii' | 'width' | 'brief'>,
): Promise<string> {
  return renderSummary(summary, {
    ...options,
    waiver: waiverOf(run),
    caseTitles: run.caseTitles,
    judges: run.judges,
    sessions: run.sessions,
    console: { baseUrl: connection.url, projectId: run.projectId },
    calls: options.brief ? undefined : await readCalls(connection, summary),
  });
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
