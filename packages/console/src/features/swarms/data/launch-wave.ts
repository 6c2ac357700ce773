/**
 * Launches all journeys of a swarm as one wave. A wave with journeys still to launch is stored in
 * this browser tab, and the next launch continues it. The wave's id is the idempotency key, so no
 * journey is started and paid for twice.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { readAgain } from '../../../kit/data/operations.ts';
import type { Journey } from './swarms.ts';

export interface UnfinishedWave {
  readonly waveId: string;
  readonly started: number;
}

export interface SwarmIds {
  readonly projectId: string;
  readonly swarmId: string;
}

/** A rejected journey does not prevent the launch of the others. */
export function useLaunchWave({ projectId, swarmId }: SwarmIds) {
  const cache = useQueryClient();
  const storageKey = `proofmark-unfinished-wave ${projectId} ${swarmId}`;
  const [unfinished, setUnfinished] = useState(() => readUnfinished(storageKey));
  const keep = (wave: UnfinishedWave | undefined) => {
    if (wave === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(wave));
    setUnfinished(wave);
  };
  const launch = useMutation({
    mutationFn: async (journeys: readonly Journey[]) => {
      const { waveId } = readUnfinished(storageKey) ?? { waveId: newWaveId() };
      let started = 0;
      const notStarted: { readonly journey: Journey; readonly why: string }[] = [];
      for (const journey of journeys) {
        // Stored before each request, so that the next launch continues the wave even if the
        // response is lost or the page is closed.
        keep({ waveId, started });
        try {
          const body = { waveId };
          const ids = { projectId, journeyId: journey.id };
          await client.launchJourneyRun({ ...ids, body, idempotencyKey: waveId });
          started += 1;
        } catch (error) {
          notStarted.push({ journey, why: (error as Error).message });
        }
      }
      keep(notStarted.length > 0 ? { waveId, started } : undefined);
      return { waveId, notStarted };
    },
    onSettled: () => {
      void readAgain(cache, [
        allBelow('listJourneys', { projectId }),
        keyOf('getSwarmOverview', { projectId }),
      ]);
    },
  });
  const forget = () => {
    keep(undefined);
    launch.reset();
  };
  return { launch, unfinished, forget };
}

export function newWaveId(): string {
  return `wav_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
}

function readUnfinished(storageKey: string): UnfinishedWave | undefined {
  const stored = sessionStorage.getItem(storageKey);
  return stored === null ? undefined : (JSON.parse(stored) as UnfinishedWave);
}
