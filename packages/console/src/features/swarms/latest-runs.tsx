import { count, criterionName, grouped, percent } from '@proofmark/domain';
import { waveName } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { InstantText } from '../../kit/instant-text.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { keepPercent } from '../evals/index.ts';
import { type SwarmOverview, useSwarmOverview } from './data/waves.ts';
import { RunVerdict } from './run-verdict.tsx';

const shownRuns = 10;

type OverviewRun = SwarmOverview['runs'][number];

export function LatestRuns({ projectId }: { projectId: string }) {
  const overview = useSwarmOverview(projectId);
  return (
    <QueryView query={overview}>
      {({ runs, goalCompletion }) =>
        runs.length > 0 && (
          <section aria-labelledby="latest-runs">
            <h2 id="latest-runs">Latest runs</h2>
            <p className="intro">{judgedWords(goalCompletion)}</p>
            <table>
              <thead>
                <tr>
                  <th scope="col">Launched</th>
                  <th scope="col">Journey</th>
                  <th scope="col">Verdict</th>
                  <th scope="col">Failed checks</th>
                  <th scope="col">Wave</th>
                </tr>
              </thead>
              <tbody>
                {runs.slice(0, shownRuns).map((run) => (
                  <RunRow key={run.runId} projectId={projectId} run={run} />
                ))}
              </tbody>
            </table>
          </section>
        )
      }
    </QueryView>
  );
}

function judgedWords({ gradedCount, passedCount, passRate }: SwarmOverview['goalCompletion']) {
  const about = 'Failed checks are listed for the newest run of each journey.';
  if (passRate === null) return about;
  return keepPercent(
    `${about} Judges found the goal met in ${grouped(passedCount)} of ${count(gradedCount, 'session')}, ${percent(passRate)}.`,
  );
}

function RunRow({ projectId, run }: { projectId: string; run: OverviewRun }) {
  const { runId, journeyId, waveId, findings } = run;
  return (
    <tr>
      <th scope="row">
        <Link to="/projects/$projectId/journey-runs/$runId" params={{ projectId, runId }}>
          <InstantText atMs={run.createdAt} />
        </Link>
      </th>
      <td data-label="Journey">
        {run.journeyArchived ? (
          <bdi>{run.journeyName}</bdi>
        ) : (
          <Link to="/projects/$projectId/journeys/$journeyId" params={{ projectId, journeyId }}>
            <bdi>{run.journeyName}</bdi>
          </Link>
        )}
      </td>
      <td data-label="Verdict">
        <RunVerdict run={run} />
      </td>
      <td data-label="Failed checks">
        {findings.map(({ criterionId, label, kind, failCount, sessionsGraded, runStreak }) => (
          <div key={criterionId}>
            <bdi className="tone-fail">{criterionName({ label, kind: kind ?? criterionId })}</bdi>
            <span className="hint">
              {` held in ${grouped(sessionsGraded - failCount)} of ${grouped(sessionsGraded)} graded${runStreak > 1 ? `, did not hold in ${count(runStreak, 'run')} in a row` : ''}`}
            </span>
          </div>
        ))}
      </td>
      <td data-label="Wave">
        {waveId !== undefined && (
          <Link to="/projects/$projectId/waves/$waveId" params={{ projectId, waveId }}>
            {waveName(waveId) ?? 'All runs of its launch'}
          </Link>
        )}
      </td>
    </tr>
  );
}
