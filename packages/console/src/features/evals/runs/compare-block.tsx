/** Renders nothing if the suite has no other run to compare with. */
import type { EvalRun } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { usePages } from '../../../kit/data/operations.ts';
import { PagePart } from '../../../kit/page-part.tsx';
import { ChooseBase } from '../compare/choose-base.tsx';
import { comparableRuns, mayHaveRunBefore } from '../compare/comparable-runs.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { runBefore } from '../data/run-comparison.ts';

export function CompareBlock({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const runs = usePages('listEvalSuiteRuns', { projectId: ids.projectId, suiteId: run.suiteId });
  const isAfterOthers = mayHaveRunBefore(run);
  if (!isAfterOthers && comparableRuns(runs.data ?? [], run.id).length === 0) return null;
  return (
    <PagePart id="compared" title="Beside another run">
      <p className="hint">
        Which cases moved, whether that is more than chance, and what servers offered otherwise.
      </p>
      {isAfterOthers && (
        <p>
          <Link
            to="/projects/$projectId/runs/$runId/compare/$baseRunId"
            params={{ ...ids, baseRunId: runBefore }}
          >
            Compare with the run before
          </Link>
        </p>
      )}
      <ChooseBase ids={ids} suiteId={run.suiteId} base={undefined} />
    </PagePart>
  );
}
