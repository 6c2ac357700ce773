/** The runs of a journey, newest first, how its criteria did in them, and the button that starts one. */
import {
  count,
  criterionName,
  journeyRunWord,
  journeyVerdict,
  verdictWords,
} from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  type JourneyIds,
  type JourneyRun,
  type RunScorecard,
  useJourneyEstimate,
  useJourneyRuns,
  useLaunchJourney,
  useScorecards,
} from '../../data/journey-runs.ts';
import type { Journey } from '../../data/swarms.ts';
import { verdictTone } from '../../evals/run-tone.ts';
import { CopyText } from '../copy-text.tsx';
import { InstantText } from '../instant-text.tsx';
import { Empty, QueryView } from '../query-view.tsx';

/** So many of the newest runs are compared. */
const comparedRuns = 10;

export function JourneyRuns(props: { journey: Journey; mayRun: boolean }) {
  const { id: journeyId, projectId, updatedAt } = props.journey;
  const ids = { projectId, journeyId };
  const runs = useJourneyRuns(ids);
  const newest = (runs.data ?? [])
    .filter(({ status }) => status !== 'running')
    .slice(0, comparedRuns);
  const cards = useScorecards(
    ids.projectId,
    newest.map(({ id }) => id),
  );
  const cardOf = (runId: string) => cards[newest.findIndex(({ id }) => id === runId)] ?? null;
  return (
    <>
      {props.mayRun && <Launch ids={ids} editedAt={updatedAt} />}
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <QueryView query={runs}>
          {(all) =>
            all.length > 0 ? (
              <>
                <RunTable runs={all} cardOf={cardOf} />
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
                  text={`npx proofmark journey run ${ids.journeyId} --wait`}
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
  const launch = useLaunchJourney(ids);
  const { data: estimate } = useJourneyEstimate(ids, editedAt);
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
      {estimate !== undefined && (
        <p className="hint estimate">
          {`${count(estimate.sessions, 'session')} on ${count(estimate.targets, 'target')}, at most ${count(estimate.maxTurns, 'turn')} each.`}
        </p>
      )}
      <div role="alert">
        {launch.error !== null && <p className="form-problem">{launch.error.message}</p>}
      </div>
    </div>
  );
}

function RunTable(props: {
  runs: readonly JourneyRun[];
  cardOf: (runId: string) => RunScorecard | null;
}) {
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
        {props.runs.map((run) => {
          const verdict = journeyVerdict(run, props.cardOf(run.id) ?? undefined);
          return (
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
                <b className={`tone-${verdictTone(verdict)}`}>
                  {verdict === 'notEstablished' ? journeyRunWord(run) : verdictWords[verdict]}
                </b>
              </td>
              <td data-label="Sessions" className="figures">
                {`${run.summary.succeeded} of ${run.summary.total} played`}
              </td>
              <td data-label="Simulated user">{run.personaModel}</td>
              <td data-label="Persona">{run.persona.name}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A criterion is the same over time while its id is; a run that did not ask it has a gap. */
function CriteriaOverTime(props: {
  projectId: string;
  runs: readonly JourneyRun[];
  cards: readonly (RunScorecard | null)[];
}) {
  const { projectId, runs, cards } = props;
  const known = new Map(
    [...cards]
      .reverse()
      .flatMap((card) => card?.criteria.map((one) => [one.id, one] as const) ?? []),
  );
  if (known.size === 0) return null;
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Criteria over time</h2>
      <p className="intro">Graded sessions in which each held, the newest run first.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">Held</th>
          </tr>
        </thead>
        <tbody>
          {[...known.values()].map((criterion) => (
            <tr key={criterion.id}>
              <th scope="row">
                <bdi>{criterionName(criterion)}</bdi>
              </th>
              <td data-label="Held">
                <ol className="over-time figures">
                  {runs.map(({ id: runId }, at) => (
                    <li key={runId}>
                      <Link
                        to="/projects/$projectId/journey-runs/$runId"
                        params={{ projectId, runId }}
                      >
                        <Held card={cards[at] ?? null} criterionId={criterion.id} />
                      </Link>
                    </li>
                  ))}
                </ol>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Held(props: { card: RunScorecard | null; criterionId: string }) {
  const { card, criterionId } = props;
  const found = card?.criteria.find(({ id }) => id === criterionId);
  if (card === null || found === undefined || found.failRate === null) return 'not graded';
  const tone = found.failCount === 0 ? 'pass' : found.role === 'gating' ? 'fail' : 'hold';
  const { sessionsGraded, distinctTranscripts } = card;
  const copies = distinctTranscripts < sessionsGraded ? `, ${distinctTranscripts} distinct` : '';
  return (
    <span className={`tone-${tone}`}>{`${found.passCount} of ${sessionsGraded}${copies}`}</span>
  );
}
