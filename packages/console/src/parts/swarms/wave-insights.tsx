/** What was found in a wave, explained; each piece of evidence leads to its session where its run is known. */
import { Link } from '@tanstack/react-router';
import type { JourneyRun } from '../../data/journey-runs.ts';
import { useRequestWaveInsights, useWaveInsights, type WaveIds } from '../../data/waves.ts';
import { InsightsBlock } from '../run-page/insights-block.tsx';

/** Read on their own, as they stand on this run of the wave. */
export function ReadWaveInsights({ ids, runId }: { ids: WaveIds; runId: string }) {
  const { data: insights } = useWaveInsights({ ...ids, runId });
  return insights ? <WaveInsights ids={ids} insights={insights} /> : null;
}

export function WaveInsights(props: {
  ids: WaveIds;
  insights: NonNullable<JourneyRun['insights']>;
}) {
  const { projectId } = props.ids;
  return (
    <InsightsBlock
      projectId={projectId}
      insights={props.insights}
      unit="session"
      asking={useRequestWaveInsights(props.ids)}
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
