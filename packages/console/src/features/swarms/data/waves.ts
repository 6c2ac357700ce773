/** The queries for waves: their runs, their findings, and the comparison of two waves. */
import type { OutputOf } from '@proofmark/contract';
import { useQuery } from '@tanstack/react-query';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { pollWhile, useChange, useOperation, useSeveral } from '../../../kit/data/operations.ts';
import { mayChange } from '../may-change.ts';
import type { JourneyRun } from './journey-runs.ts';

export type Wave = OutputOf<'getWave'>;
export type WaveComparison = OutputOf<'compareWaves'>;
export type SwarmOverview = OutputOf<'getSwarmOverview'>;

export interface WaveIds {
  readonly projectId: string;
  readonly waveId: string;
}

/** Returns all runs of a wave with one request. An ended wave is polled until it is mined. */
export function useWave(ids: WaveIds) {
  return useOperation('getWave', ids, {
    refetchInterval: pollWhile(({ mining }) => mining === 'pending'),
  });
}

/**
 * Returns the insights of a wave, which every run of the wave contains. One run is read, and polled
 * while the insights are pending.
 */
export function useWaveInsights({ projectId, waveId, runId }: WaveIds & { runId: string }) {
  return useQuery({
    queryKey: keyOf('getWaveInsights', { projectId, waveId }),
    queryFn: async ({ signal }) =>
      (await client.getJourneyRun({ projectId, runId }, { signal })).insights ?? null,
    refetchInterval: pollWhile(
      (insights: JourneyRun['insights'] | null) => insights?.status === 'pending',
    ),
  });
}

/** Polls the comparison while one of the two waves is in progress. */
export function useWaveComparison(ids: WaveIds, baseWaveId: string) {
  return useOperation(
    'compareWaves',
    { ...ids, baseWaveId },
    { refetchInterval: pollWhile(({ terminal }) => !(terminal.base && terminal.current)) },
  );
}

/** Requests the insights of a wave, which every run of the wave then contains. */
export function useRequestWaveInsights(ids: WaveIds) {
  return useChange('requestWaveInsights', ids, { readAgain: insightsAndUse(ids) });
}

/** Cancels the insights. The service rejects this if they are finished; they are then reloaded. */
export function useCancelWaveInsights(ids: WaveIds) {
  return useSeveral(() => client.cancelWaveInsights(ids), insightsAndUse(ids), { isPartly: true });
}

function insightsAndUse({ projectId, waveId }: WaveIds) {
  return [
    allBelow('getWave', { projectId, waveId }),
    keyOf('getProjectCapabilities', { projectId }),
  ];
}

/** Returns the newest runs of all journeys, polled while one of them is in progress. */
export function useSwarmOverview(projectId: string) {
  return useOperation(
    'getSwarmOverview',
    { projectId },
    { refetchInterval: pollWhile(({ runs }) => runs.some(mayChange)) },
  );
}
