/** Waves: the runs that were launched together, what was found in them, and two of them compared. */
import type { OutputOf } from '@proofmark/contract';
import { pollDelayMs } from '@proofmark/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { capabilitiesKey } from '../../../kit/data/capabilities.ts';
import { client } from '../../../kit/data/client.ts';
import { mayChange } from '../may-change.ts';

export type Wave = OutputOf<'getWave'>;
export type WaveComparison = OutputOf<'compareWaves'>;
export type SwarmOverview = OutputOf<'getSwarmOverview'>;

export interface WaveIds {
  readonly projectId: string;
  readonly waveId: string;
}

/** One request tells all runs of it, however many there are. One that has ended is still mined. */
export function useWave(ids: WaveIds) {
  return useQuery({
    queryKey: ['waves', ids.projectId, ids.waveId],
    queryFn: ({ signal }) => client.getWave({ ...ids }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.mining === 'pending'
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

/** They stand on each run of the wave, so one is read, and again while they are being written. */
export function useWaveInsights({ projectId, waveId, runId }: WaveIds & { runId: string }) {
  return useQuery({
    queryKey: ['waves', projectId, waveId, 'insights'],
    queryFn: async ({ signal }) =>
      (await client.getJourneyRun({ projectId, runId }, { signal })).insights ?? null,
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' ? pollDelayMs(state.dataUpdateCount) : false,
  });
}

/** Read again while one of the two goes on. */
export function useWaveComparison(ids: WaveIds, baseWaveId: string) {
  return useQuery({
    queryKey: ['waves', ids.projectId, ids.waveId, 'compare', baseWaveId],
    queryFn: ({ signal }) => client.compareWaves({ ...ids, baseWaveId }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !(state.data.terminal.base && state.data.terminal.current)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

/** The insights of a wave stand on each of its runs. */
export function useRequestWaveInsights({ projectId, waveId }: WaveIds) {
  const readAgain = useReadInsightsAgain(projectId);
  return useMutation({
    mutationFn: (body: { readonly force: boolean }) =>
      client.requestWaveInsights({ projectId, waveId, body }),
    onSuccess: readAgain,
  });
}

/** One that has been answered meanwhile is refused, and then read. */
export function useCancelWaveInsights({ projectId, waveId }: WaveIds) {
  const readAgain = useReadInsightsAgain(projectId);
  return useMutation({
    mutationFn: () => client.cancelWaveInsights({ projectId, waveId }),
    onSettled: readAgain,
  });
}

function useReadInsightsAgain(projectId: string) {
  const cache = useQueryClient();
  return () => {
    void cache.invalidateQueries({ queryKey: ['waves', projectId] });
    void cache.invalidateQueries({ queryKey: capabilitiesKey(projectId) });
  };
}

/** The newest runs of all journeys, read again while one of them goes on. */
export function useSwarmOverview(projectId: string) {
  return useQuery({
    queryKey: ['swarm-overview', projectId],
    queryFn: ({ signal }) => client.getSwarmOverview({ projectId }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.runs.some(mayChange) ? pollDelayMs(state.dataUpdateCount) : false,
  });
}
