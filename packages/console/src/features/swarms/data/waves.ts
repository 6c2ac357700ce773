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

/** Polled until the service has derived the wave's findings. */
export function useWave(ids: WaveIds) {
  return useOperation('getWave', ids, {
    refetchInterval: pollWhile(({ mining }) => mining === 'pending'),
  });
}

/**
 * Every run of a wave contains the wave's insights, so one run is requested. It is polled while the
 * insights are pending.
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

export function useWaveComparison(ids: WaveIds, baseWaveId: string) {
  return useOperation(
    'compareWaves',
    { ...ids, baseWaveId },
    { refetchInterval: pollWhile(({ terminal }) => !(terminal.base && terminal.current)) },
  );
}

export function useRequestWaveInsights(ids: WaveIds) {
  return useChange('requestWaveInsights', ids, { readAgain: insightsAndUse(ids) });
}

/**
 * If the insights are already finished, the service rejects the cancellation. They are then loaded.
 */
export function useCancelWaveInsights(ids: WaveIds) {
  return useSeveral(() => client.cancelWaveInsights(ids), insightsAndUse(ids), { isPartly: true });
}

function insightsAndUse({ projectId, waveId }: WaveIds) {
  return [
    allBelow('getWave', { projectId, waveId }),
    keyOf('getProjectCapabilities', { projectId }),
  ];
}

/** Returns the newest runs of all journeys, polled while a verdict may still change. */
export function useSwarmOverview(projectId: string) {
  return useOperation(
    'getSwarmOverview',
    { projectId },
    { refetchInterval: pollWhile(({ runs }) => runs.some(mayChange)) },
  );
}
