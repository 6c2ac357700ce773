import type { OutputOf } from '@proofmark/contract';
import { pollWhile, useWholeList } from '../../../kit/data/operations.ts';
import { mayChange } from '../may-change.ts';

export type Persona = OutputOf<'getPersona'>;
export type Swarm = OutputOf<'getSwarm'>;
export type Journey = OutputOf<'getJourney'>;

export function useJourneys(projectId: string) {
  return useWholeList(
    'listJourneys',
    { projectId },
    {
      refetchInterval: pollWhile((journeys) =>
        journeys.some(({ latestRun }) => latestRun && mayChange(latestRun)),
      ),
    },
  );
}
