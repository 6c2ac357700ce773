import type { EvalRun } from '../../storage/eval-runs/eval-runs.ts';
import { presentOutcome } from '../eval-runs/present-run.ts';

export function presentReportedRun(run: EvalRun) {
  return {
    ok: true,
    suiteId: run.suiteId,
    runId: run.id,
    projectId: run.projectId,
    status: run.status,
    ...presentOutcome(run),
  } as const;
}
