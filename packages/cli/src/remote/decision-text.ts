import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, knownOfRun } from '@proofmark/domain';
import { quarantineToRender, type RenderOptions, renderSummary, waiverOf } from '@proofmark/report';
import type { Connection } from './connection.ts';
import type { QuarantineOfRun } from './read-quarantine-of-run.ts';

type Run = OutputOf<'getEvalRun'>;

export interface KnownDecision {
  readonly run: Run;
  readonly summary: DecisionSummary;
  /** Whether the list of trials that did not pass is complete. */
  readonly isAll?: boolean;
  readonly calls?: RenderOptions['calls'];
  readonly surface?: RenderOptions['surface'];
  readonly quarantine?: QuarantineOfRun;
}

export function decisionText(
  { url }: Pick<Connection, 'url'>,
  { run, summary, calls, surface, quarantine, isAll = false }: KnownDecision,
  options: Pick<RenderOptions, 'format' | 'ascii' | 'width' | 'brief' | 'listsPassed'>,
): string {
  return renderSummary(summary, {
    ...options,
    ...knownOfRun(run, isAll),
    calls,
    surface,
    waiver: waiverOf(run),
    quarantine: quarantine && quarantineToRender({ run, summary, quarantine }),
    caseTitles: run.caseTitles,
    judges: run.judges,
    console: { baseUrl: url, projectId: run.projectId },
  });
}
