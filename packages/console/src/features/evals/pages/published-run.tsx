/** Redirects the address that published reporters print to the page of the run. */
import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { useProjectOfRun } from '../data/eval-runs.ts';

const address = '/signed-in/evals/suite/$suiteId/runs/$runId';

export function PublishedRunPage() {
  const { runId } = useParams({ from: address });
  const { project } = useSearch({ from: address });
  const found = useProjectOfRun(runId, project);
  if (typeof found.data === 'string') {
    const params = { projectId: found.data, runId };
    return <Navigate to="/projects/$projectId/runs/$runId" params={params} replace />;
  }
  return (
    <PageFrame title="Run">
      <QueryView query={found}>{() => null}</QueryView>
    </PageFrame>
  );
}
