import { Link } from '@tanstack/react-router';
import { InstantText } from '../../kit/instant-text.tsx';
import type { Journey } from './data/swarms.ts';
import { RunVerdict } from './run-verdict.tsx';

export function LatestRun({ journey }: { journey: Journey }) {
  const { projectId, latestRun } = journey;
  if (!latestRun) return <span className="hint">never run</span>;
  return (
    <div>
      <RunVerdict run={latestRun} />
      <Link
        to="/projects/$projectId/journey-runs/$runId"
        params={{ projectId, runId: latestRun.id }}
      >
        <InstantText atMs={latestRun.createdAt} />
      </Link>
    </div>
  );
}
