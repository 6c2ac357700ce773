import type { EvalRun } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { mayHaveRunBefore } from '../compare/comparable-runs.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { runBefore } from '../data/run-comparison.ts';
import { ExportRun } from './export-run.tsx';
import { isRunEnded } from './follow-run.ts';
import { CancelEvalRun } from './live-progress.tsx';
import { RerunEvalRun } from './rerun.tsx';
import { TryButtons } from './try-buttons.tsx';
import { WaiveRun } from './waive-run.tsx';

export function RunActions(props: { ids: RunIds; run: EvalRun; suiteName: string | undefined }) {
  const { ids, run } = props;
  if (!isRunEnded(run.status)) return <CancelEvalRun ids={ids} />;
  return (
    <>
      <RerunEvalRun ids={ids} run={run} />
      <TryButtons ids={ids} run={run} />
      <WaiveRun ids={ids} run={run} />
      {mayHaveRunBefore(run) && (
        <Link
          to="/projects/$projectId/runs/$runId/compare/$baseRunId"
          params={{ ...ids, baseRunId: runBefore }}
          className="button"
        >
          Compare with…
        </Link>
      )}
      <ExportRun ids={ids} run={run} suiteName={props.suiteName} />
    </>
  );
}
