/** A piece of evidence links to its session if the run of that session is known. */
import { miningSentence } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { QueryFailure } from '../../kit/query-view.tsx';
import { InsightsBlock } from '../insights/index.ts';
import type { JourneyRun } from './data/journey-runs.ts';
import {
  useCancelWaveInsights,
  useRequestWaveInsights,
  useWave,
  useWaveInsights,
  type WaveIds,
} from './data/waves.ts';

export function ReadWaveInsights({ ids, runId }: { ids: WaveIds; runId: string }) {
  const { data, error, isFetching, refetch } = useWaveInsights({ ...ids, runId });
  if (data) return <WaveInsights ids={ids} insights={data} />;
  if (error === null) return null;
  return <QueryFailure error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

/**
 * The insights cover the whole wave, which may still be in progress when this run has ended. They
 * are shown once the wave has ended and its findings exist.
 */
export function InsightsOfRun({ ids, runId }: { ids: WaveIds; runId: string }) {
  const { data: wave } = useWave(ids);
  if (wave === undefined) return null;
  if (wave.terminal && wave.mined) return <ReadWaveInsights ids={ids} runId={runId} />;
  return (
    <p className="hint" role="status">
      {miningSentence(wave) ??
        'Findings are looked for when all runs of its wave have ended and are graded.'}
    </p>
  );
}

function WaveInsights(props: { ids: WaveIds; insights: NonNullable<JourneyRun['insights']> }) {
  const { projectId } = props.ids;
  return (
    <InsightsBlock
      projectId={projectId}
      insights={props.insights}
      unit="session"
      asking={useRequestWaveInsights(props.ids)}
      cancelling={useCancelWaveInsights(props.ids)}
      evidenceLink={({ sessionId, runId }, words) => {
        if (sessionId === undefined || runId === undefined) return words;
        return (
          <Link
            to="/projects/$projectId/journey-runs/$runId/sessions/$sessionId"
            params={{ projectId, runId, sessionId }}
          >
            {words}
          </Link>
        );
      }}
    />
  );
}
