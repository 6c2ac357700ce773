import type { StoredRun } from '../../storage/eval-runs/eval-runs.ts';
import { presentOutcome } from '../eval-runs/present-run.ts';

export function presentReportedRun(run: StoredRun) {
  return {
    ok: true,
    suiteId: run.suiteId,
    runId: run.id,
    projectId: run.projectId,
    status: run.status,
    ...presentOutcome(run),
  } as const;
}
