import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../swarms.css';
import { count, criterionName, grouped, heldRateOf, journeyVerdict } from '@proofmark/domain';
import {
  endedSessions,
  heldWords,
  journeyVerdictSentence,
  judgedSentences,
  playedSentence,
  playersSentence,
  scorecardSentences,
  waveName,
} from '@proofmark/report';
import { Link, useParams } from '@tanstack/react-router';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { FactList } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import {
  CancelRun,
  keepPercent,
  lastedWords,
  RateBar,
  type RunIds,
  runSourceWords,
  StageLegend,
  VerdictHeading,
} from '../../evals/index.ts';
import {
  type JourneyRun,
  type RunScorecard,
  useJourneyRun,
  type WatchedRun,
} from '../data/journey-runs.ts';
import { useJourneys } from '../data/swarms.ts';
import { FailReasons } from '../fail-reasons.tsx';
import { SessionGrid } from '../session-grid.tsx';
import { gradeWords } from '../session-words.ts';
import { InsightsOfRun } from '../wave-insights.tsx';

export function JourneyRunPage() {
  const ids = useParams({ from: '/signed-in/projects/$projectId/journey-runs/$runId' });
  const watched = useJourneyRun(ids);
  const { data: journeys } = useJourneys(ids.projectId);
  const run = watched.data?.run;
  const sentence = watched.data && verdictOf(watched.data);
  const journey = journeys?.find(({ id }) => id === run?.journeyId);
  return (
    <PageFrame
      title={sentence?.title ?? 'Run of a journey'}
      heading={sentence?.heading}
      crumbs={
        <>
          <ProjectCrumbs projectId={ids.projectId} section="swarms" />
          {run !== undefined && (
            <>
              {' / '}
              <Link
                to="/projects/$projectId/journeys/$journeyId"
                params={{ projectId: ids.projectId, journeyId: run.journeyId }}
              >
                {journey?.name ?? 'Journey'}
              </Link>
            </>
          )}
          {' / run'}
        </>
      }
      actions={run?.status === 'running' ? <Cancel ids={ids} /> : undefined}
    >
      <QueryView query={watched}>{(all) => <KnownRun ids={ids} watched={all} />}</QueryView>
    </PageFrame>
  );
}

function verdictOf({ run, card }: WatchedRun) {
  const sentence = journeyVerdictSentence(run, card ?? undefined);
  const verdict = journeyVerdict(run, card ?? undefined);
  return { title: sentence, heading: <VerdictHeading sentence={[sentence]} verdict={verdict} /> };
}

function KnownRun({ ids, watched }: { ids: RunIds; watched: WatchedRun }) {
  const { run, sessions, card } = watched;
  const rests = card === null ? [] : scorecardSentences(card, run);
  const hasStages = sessions.some(({ chain }) => chain !== null);
  return (
    <>
      <p className="about-run">
        {[playedSentence(run.summary), ...rests, playersSentence(run)].join(' ')}
      </p>
      {run.status === 'running' && <Progress run={run} />}
      {card !== null && <CriteriaTable card={card} />}
      {card !== null && <FailReasons ids={ids} run={run} card={card} />}
      {run.goalCompletion !== null && <RunJudge run={run} judged={run.goalCompletion} />}
      <SessionGrid ids={ids} run={run} sessions={sessions} criteria={card?.criteria ?? []} />
      {hasStages && <StageLegend />}
      {run.status !== 'running' && <InsightsOfRun ids={waveOf(run)} runId={run.id} />}
      <RunFacts run={run} />
    </>
  );
}

/**
 * The judge grades how well the goal was reached. Its grades do not affect the verdict, so they are
 * shown apart from the criteria.
 */
function RunJudge(props: { run: JourneyRun; judged: NonNullable<JourneyRun['goalCompletion']> }) {
  const { run, judged } = props;
  return (
    <section aria-labelledby="judge">
      <h2 id="judge">Judge: goal completion</h2>
      <p className="intro">
        {keepPercent(judgedSentences(judged).join(' '))}
        {typeof run.judgeModel === 'string' && ` Judged by ${run.judgeModel}.`}
      </p>
    </section>
  );
}

function Progress({ run }: { run: JourneyRun }) {
  const done = endedSessions(run.summary);
  const { total } = run.summary;
  return (
    <div className="panel live">
      <p role="status">{`${grouped(done)} of ${count(total, 'session')} done.`}</p>
      <progress value={done} max={total} aria-label="Sessions done" />
    </div>
  );
}

function Cancel({ ids }: { ids: RunIds }) {
  return (
    <CancelRun
      cancel={useChange('cancelJourneyRun', ids, { readAgain: [allBelow('getJourneyRun', ids)] })}
    >
      Sessions that have not ended are stopped. Those that have ended are kept, and graded.
    </CancelRun>
  );
}

function RunFacts({ run }: { run: JourneyRun }) {
  const { persona, startedAt, completedAt, estimatedCostUsd } = run;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">The run</h2>
      <FactList
        facts={[
          ['Goal', run.goal ?? ''],
          ['Persona', `${persona.name}, ${persona.role}`],
          ['Simulated user', run.personaModel],
          ['Judge', run.judgeModel ?? 'nobody'],
          ['Max turns', String(run.maxTurns ?? '')],
          [
            'Wave',
            <Link key="wave" to="/projects/$projectId/waves/$waveId" params={waveOf(run)}>
              {waveName(run.waveId) ?? 'All runs of its launch'}
            </Link>,
          ],
          ['Launched', <InstantText key="launched" atMs={run.createdAt} />],
          [
            'Lasted',
            completedAt === null
              ? 'still going on'
              : lastedWords(completedAt - (startedAt ?? run.createdAt)),
          ],
          ['Launched by', runSourceWords(run)],
          ...(typeof estimatedCostUsd === 'number'
            ? ([['Cost', costWords(estimatedCostUsd)]] as const)
            : []),
        ]}
      />
    </section>
  );
}

function waveOf({ projectId, waveId }: JourneyRun) {
  return { projectId, waveId };
}

function costWords(usd: number): string {
  return usd === 0 ? 'nothing' : `${usd.toFixed(4)} USD, estimated`;
}

/** Each criterion with its number of graded sessions. Without graded sessions, no rate is shown. */
function CriteriaTable({ card }: { card: RunScorecard }) {
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">Checks</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Outcome</th>
            <th scope="col">Sessions</th>
          </tr>
        </thead>
        <tbody>
          {card.criteria.map((criterion) => (
            <tr key={criterion.id}>
              <th scope="row">
                <bdi>{criterionName(criterion)}</bdi>
                {criterion.role === 'advisory' && <p className="hint">decides nothing</p>}
              </th>
              <td data-label="Outcome">
                <Outcome criterion={criterion} />
              </td>
              <td data-label="Sessions" className="figures">
                <span className="rate">
                  <HeldBar criterion={criterion} />
                  <span>{keepPercent(heldWords(criterion, card.sessionsGraded))}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HeldBar({ criterion }: { criterion: RunScorecard['criteria'][number] }) {
  const held = heldRateOf(criterion);
  return held?.interval === undefined ? null : <RateBar rate={held.rate} {...held.interval} />;
}

function Outcome({ criterion }: { criterion: RunScorecard['criteria'][number] }) {
  if (criterion.failRate === null) return <b className="tone-none">not graded</b>;
  if (criterion.failCount === 0) return <b className="tone-pass">held</b>;
  const { word, tone } = gradeWords(false, criterion.role);
  return <b className={`tone-${tone}`}>{word}</b>;
}
