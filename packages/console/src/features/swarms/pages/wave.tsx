import '../../../kit/styles/run.css';
import '../../../kit/styles/server.css';
import '../../../kit/styles/workbench.css';
import '../swarms.css';
import { count, grouped } from '@proofmark/domain';
import {
  endedSessions,
  miningSentence,
  playersSentence,
  waveName,
  waveSentence,
  waveVerdict,
} from '@proofmark/report';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { Table } from '../../../kit/table.tsx';
import { VerdictHeading } from '../../evals/index.ts';
import { useJourneys } from '../data/swarms.ts';
import { useWave, type Wave } from '../data/waves.ts';
import { RunVerdict } from '../run-verdict.tsx';
import { CompareWaves } from '../wave-comparison.tsx';
import { ReadWaveInsights } from '../wave-insights.tsx';

const route = '/signed-in/projects/$projectId/waves/$waveId';

export function WaveDetailPage() {
  const ids = useParams({ from: route });
  const { base } = useSearch({ from: route });
  const watched = useWave(ids);
  const { data: journeys } = useJourneys(ids.projectId);
  const journeyName = (journeyId: string) =>
    journeys?.find(({ id }) => id === journeyId)?.name ?? 'Archived journey';
  const verdict = watched.data && verdictOf(watched.data);
  return (
    <PageFrame
      title={verdict?.sentence ?? 'Wave'}
      heading={
        verdict && <VerdictHeading sentence={[verdict.sentence]} verdict={verdict.verdict} />
      }
      crumbs={
        <>
          <ProjectCrumbs projectId={ids.projectId} section="swarms" />
          {[' / wave', waveName(ids.waveId)].join(' ')}
        </>
      }
    >
      <QueryView query={watched}>
        {(wave) => (
          <>
            <p className="about-run">{aboutWords(wave)}</p>
            {!wave.terminal && <Progress wave={wave} />}
            <WaveRuns wave={wave} journeyName={journeyName} />
            {wave.terminal && wave.mined && wave.runs[0] !== undefined && (
              <ReadWaveInsights ids={ids} runId={wave.runs[0].id} />
            )}
            <CompareWaves ids={ids} base={base} wave={wave} journeyName={journeyName} />
          </>
        )}
      </QueryView>
    </PageFrame>
  );
}

function verdictOf({ terminal, runs }: Wave) {
  const verdicts = runs.map(({ verdict }) => verdict);
  return { sentence: waveSentence(verdicts, terminal), verdict: waveVerdict(verdicts, terminal) };
}

function aboutWords(wave: Wave): string {
  const sessions = wave.runs.reduce((sum, { summary }) => sum + summary.total, 0);
  return [
    `${wave.sessionsGraded} of ${count(sessions, 'session')} graded.`,
    miningSentence(wave),
    ...new Set(wave.runs.map(playersSentence)),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function Progress({ wave }: { wave: Wave }) {
  const sum = (of: (run: Wave['runs'][number]) => number) =>
    wave.runs.reduce((total, run) => total + of(run), 0);
  const [done, total] = [
    sum(({ summary }) => endedSessions(summary)),
    sum(({ summary }) => summary.total),
  ];
  const running = sum(({ status }) => (status === 'running' ? 1 : 0));
  return (
    <div className="panel live">
      <p role="status">
        {`${grouped(done)} of ${count(total, 'session')} done; ${running === 0 ? 'grades are missing.' : `${grouped(running)} of ${count(wave.runs.length, 'run')} ${running === 1 ? 'goes' : 'go'} on.`}`}
      </p>
      <progress value={done} max={total} aria-label="Sessions done" />
    </div>
  );
}

function WaveRuns(props: { wave: Wave; journeyName: (journeyId: string) => string }) {
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      <Table columns={['Journey', 'Verdict', 'Sessions', 'Persona']}>
        {props.wave.runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <Link
                to="/projects/$projectId/journey-runs/$runId"
                params={{ projectId: props.wave.projectId, runId: run.id }}
              >
                {props.journeyName(run.journeyId)}
              </Link>
            </th>
            <td data-label="Verdict">
              <RunVerdict run={run} />
            </td>
            <td data-label="Sessions" className="figures">
              {`${run.summary.succeeded} of ${run.summary.total} played`}
            </td>
            <td data-label="Persona">
              <bdi>{run.persona.name}</bdi>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
