import { Link, useNavigate } from '@tanstack/react-router';
import { CopyText } from '../../kit/copy-text.tsx';
import { allBelow } from '../../kit/data/address-key.ts';
import { pollPagesWhile, useChange, usePages } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { CriteriaOverTime } from './criteria-over-time.tsx';
import { type JourneyIds, type JourneyRun, useScorecards } from './data/journey-runs.ts';
import type { Journey } from './data/swarms.ts';
import { LaunchEstimate } from './launch-estimate.tsx';
import { mayChange } from './may-change.ts';
import { RunVerdict } from './run-verdict.tsx';

/** Number of runs, newest first, whose criteria are compared. */
const comparedRuns = 10;

export function JourneyRuns(props: { journey: Journey; mayRun: boolean }) {
  const { id: journeyId, projectId, updatedAt } = props.journey;
  const ids = { projectId, journeyId };
  const runs = usePages('listJourneyRuns', ids, { refetchInterval: pollPagesWhile(mayChange) });
  const newest = (runs.data ?? [])
    .filter(({ status }) => status !== 'running')
    .slice(0, comparedRuns);
  const cards = useScorecards(ids.projectId, newest);
  return (
    <>
      {props.mayRun && <Launch ids={ids} editedAt={updatedAt} />}
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <QueryView query={runs}>
          {(all) =>
            all.length > 0 ? (
              <>
                <RunTable runs={all} />
                {runs.hasNextPage && (
                  <p className="after-table">
                    <button
                      type="button"
                      disabled={runs.isFetchingNextPage}
                      onClick={() => void runs.fetchNextPage()}
                    >
                      {runs.isFetchingNextPage ? 'Loading…' : 'Load more runs'}
                    </button>
                  </p>
                )}
              </>
            ) : (
              <Empty title="No runs yet">
                <p>Press Run, or start one from a terminal:</p>
                <CopyText
                  block
                  text={`proofmark journey run ${ids.journeyId} --wait`}
                  label="Copy the command"
                />
              </Empty>
            )
          }
        </QueryView>
      </section>
      <CriteriaOverTime projectId={ids.projectId} runs={newest} cards={cards} />
    </>
  );
}

function Launch({ ids, editedAt }: { ids: JourneyIds; editedAt: number }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const launch = useChange('launchJourneyRun', ids, {
    readAgain: [allBelow('listJourneys', { projectId: ids.projectId })],
  });
  return (
    <div className="run-suite">
      <button
        type="button"
        className="primary"
        disabled={launch.isPending}
        onClick={() =>
          launch.mutate(
            {},
            {
              onSuccess: ({ id: runId }) =>
                void navigate({
                  to: '/projects/$projectId/journey-runs/$runId',
                  params: { projectId, runId },
                }),
            },
          )
        }
      >
        {launch.isPending ? 'Starting…' : 'Run'}
      </button>
      <LaunchEstimate ids={ids} editedAt={editedAt} />
      <div role="alert">
        {launch.error !== null && <p className="form-problem">{launch.error.message}</p>}
      </div>
    </div>
  );
}

function RunTable(props: { runs: readonly JourneyRun[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Launched</th>
          <th scope="col">Verdict</th>
          <th scope="col">Sessions</th>
          <th scope="col">Simulated user</th>
          <th scope="col">Persona</th>
        </tr>
      </thead>
      <tbody>
        {props.runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <Link
                to="/projects/$projectId/journey-runs/$runId"
                params={{ projectId: run.projectId, runId: run.id }}
              >
                <InstantText atMs={run.createdAt} />
              </Link>
            </th>
            <td data-label="Verdict">
              <RunVerdict run={run} />
            </td>
            <td data-label="Sessions" className="figures">
              {`${run.summary.succeeded} of ${run.summary.total} played`}
            </td>
            <td data-label="Simulated user">{run.personaModel}</td>
            <td data-label="Persona">
              <bdi>{run.persona.name}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
