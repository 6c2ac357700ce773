/** Waves: the runs that were launched together, what was found in them, and two of them compared. */
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

/** One request tells all runs of it, however many there are. One that has ended is still mined. */
export function useWave(ids: WaveIds) {
  return useOperation('getWave', ids, {
    refetchInterval: pollWhile(({ mining }) => mining === 'pending'),
  });
}

/** They stand on each run of the wave, so one is read, and again while they are being written. */
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

/** Read again while one of the two goes on. */
export function useWaveComparison(ids: WaveIds, baseWaveId: string) {
  return useOperation(
    'compareWaves',
    { ...ids, baseWaveId },
    { refetchInterval: pollWhile(({ terminal }) => !(terminal.base && terminal.current)) },
  );
}

/** The insights of a wave stand on each of its runs. */
export function useRequestWaveInsights(ids: WaveIds) {
  return useChange('requestWaveInsights', ids, { readAgain: insightsAndUse(ids) });
}

/** One that has been answered meanwhile is refused, and then read. */
export function useCancelWaveInsights(ids: WaveIds) {
  return useSeveral(() => client.cancelWaveInsights(ids), insightsAndUse(ids), { isPartly: true });
}

function insightsAndUse({ projectId, waveId }: WaveIds) {
  return [
    allBelow('getWave', { projectId, waveId }),
    keyOf('getProjectCapabilities', { projectId }),
  ];
}

/** The newest runs of all journeys, read again while one of them goes on. */
export function useSwarmOverview(projectId: string) {
  return useOperation(
    'getSwarmOverview',
    { projectId },
    { refetchInterval: pollWhile(({ runs }) => runs.some(mayChange)) },
  );
}
