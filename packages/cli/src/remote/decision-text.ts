/** The decision of a run as the terminal shows it, in the words every other reader uses. */
import type { OutputOf } from '@proofmark/contract';
import {
  type DecisionSummary,
  knownOfRun,
  type RenderOptions,
  renderSummary,
  type WaiverInForce,
} from '@proofmark/domain';
import type { Connection } from './connection.ts';

type Run = OutputOf<'getEvalRun'>;

export interface KnownDecision {
  readonly run: Run;
  readonly summary: DecisionSummary;
  /** Whether the summary lists all trials that did not pass. */
  readonly isAll?: boolean;
  readonly calls?: RenderOptions['calls'];
}

export function decisionText(
  { url }: Pick<Connection, 'url'>,
  { run, summary, calls, isAll = false }: KnownDecision,
  options: Pick<RenderOptions, 'format' | 'ascii' | 'width' | 'brief'>,
): string {
  return renderSummary(summary, {
    ...options,
    ...knownOfRun(run, isAll),
    calls,
    waiver: waiverOf(run),
    caseTitles: run.caseTitles,
    judges: run.judges,
    console: { baseUrl: url, projectId: run.projectId },
  });
}

export function waiverOf(run: Pick<Run, 'gateWaiver'>): WaiverInForce | undefined {
  const waiver = run.gateWaiver;
  if (waiver === null || !waiver.active) return undefined;
  const { expiresAt, createdByEmail, reason } = waiver;
  return { until: minuteOf(expiresAt), by: createdByEmail, reason };
}

function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
