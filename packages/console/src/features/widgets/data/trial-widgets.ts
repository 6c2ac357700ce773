import type { OutputOf } from '@proofmark/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { type RunIds, runKey } from '../../evals/data/eval-runs.ts';

export type TrialWidget = OutputOf<'getEvalIterationWidgets'>['items'][number];

/** Of a trial that has ended; before that there is nothing to see. */
export function useTrialWidgets(ids: RunIds, trialId: string, hasEnded: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'widgets', trialId],
    queryFn: ({ signal }) =>
      client.getEvalIterationWidgets({ ...ids, iterationId: trialId }, { signal }),
    enabled: hasEnded,
  });
}
