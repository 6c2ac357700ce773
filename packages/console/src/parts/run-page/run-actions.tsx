/** What can be done about a run, by how far it came. */
import type { EvalRun } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import type { RunIds } from '../../data/eval-runs.ts';
import { isRunEnded } from '../../evals/follow-run.ts';
import type { RunSearch } from '../../evals/run-search.ts';
import { ExportRun } from './export-run.tsx';
import { CancelEvalRun } from './live-progress.tsx';
import { RerunEvalRun } from './rerun.tsx';
import { WaiveRun } from './waive-run.tsx';

export function RunActions(props: {
  ids: RunIds;
  run: EvalRun;
  suiteName: string | undefined;
  search: RunSearch;
}) {
  const { ids, run, search } = props;
  const navigate = useNavigate();
  if (!isRunEnded(run.status)) return <CancelEvalRun ids={ids} />;
  const compare = () => {
    void navigate({
      to: '/projects/$projectId/runs/$runId',
      params: ids,
      search: { ...search, base: search.base ?? 'before' },
      replace: true,
      resetScroll: false,
    });
    const heading = document.getElementById('compared');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <RerunEvalRun ids={ids} run={run} />
      <WaiveRun ids={ids} run={run} />
      <button type="button" onClick={compare}>
        Compare with…
      </button>
      <ExportRun ids={ids} run={run} suiteName={props.suiteName} />
    </>
  );
}
