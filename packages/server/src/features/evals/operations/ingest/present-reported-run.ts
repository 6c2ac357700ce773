import { whyNoVerdict } from '@proofmark/report';
import { asRunRecord, type StoredRun } from '../../store/eval-runs.ts';
import { presentOutcome } from '../runs/present-run.ts';

export function presentReportedRun(run: StoredRun) {
  const why = whyNoVerdict(asRunRecord(run), run.caseTitles);
  return {
    ok: true,
    suiteId: run.suiteId,
    runId: run.id,
    projectId: run.projectId,
    status: run.status,
    ...presentOutcome(run),
    ...(why !== undefined && { why }),
  } as const;
}
