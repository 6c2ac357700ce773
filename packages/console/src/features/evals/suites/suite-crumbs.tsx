import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../kit/data/operations.ts';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';

export function SuiteCrumbs({ ids }: { ids: SuiteIds }) {
  const { projectId, suiteId } = ids;
  const suite = useOperation('getEvalSuite', { projectId, suiteId });
  return (
    <>
      <ProjectCrumbs projectId={projectId} section="evals" />
      {' / '}
      <Link to="/projects/$projectId/suites/$suiteId" params={{ projectId, suiteId }}>
        {suite.data?.name ?? 'Suite'}
      </Link>
    </>
  );
}

export function BackToSuite({ ids }: { ids: SuiteIds }) {
  const { projectId, suiteId } = ids;
  return (
    <Link
      to="/projects/$projectId/suites/$suiteId"
      params={{ projectId, suiteId }}
      className="button"
    >
      Cancel
    </Link>
  );
}
