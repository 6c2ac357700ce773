/** How much a suite notices: its newest mutation, beginning one, and adding what would notice more. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { type Assertion, pollDelayMs, withCheck } from '@proofmark/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import type { SuiteIds } from '../../evals/data/eval-suites.ts';

export type SuiteMutation = OutputOf<'getEvalSuiteMutation'>;

export function isMutating({ status }: Pick<SuiteMutation, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

const keyOf = ({ projectId, suiteId }: SuiteIds) => [
  ...['eval-suites', projectId, suiteId, 'mutations'],
];

/** `none` where there is none yet. */
export function useNewestMutation(ids: SuiteIds) {
  return useQuery({
    queryKey: keyOf(ids),
    queryFn: async ({ signal }): Promise<SuiteMutation | 'none'> => {
      const { items } = await client.listEvalSuiteMutations({ ...ids, limit: 1 }, { signal });
      const [newest] = items;
      if (newest === undefined) return 'none';
      const { mutationId } = newest;
      return client.getEvalSuiteMutation({ ...ids, mutationId }, { signal });
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data !== 'none' && isMutating(state.data)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

export function useStartMutation(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createEvalSuiteMutation'>) =>
      client.createEvalSuiteMutation({ ...ids, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(ids) }),
  });
}

export function useCancelMutation(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (mutationId: string) => client.cancelEvalSuiteMutation({ ...ids, mutationId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(ids) }),
  });
}

/** To the case as it is now; where somebody changes it meanwhile nothing is written, and the service says so. */
export function useAddSuggestion(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ caseId, assertion }: { caseId: string; assertion: Assertion }) => {
      const one = await client.getEvalCase({ ...ids, caseId });
      const checks = withCheck(one.checks ?? undefined, assertion);
      if (checks === undefined) return;
      const body = { checks, expectedUpdatedAt: one.updatedAt };
      await client.updateEvalCase({ ...ids, caseId, body });
    },
    onSuccess: () =>
      cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId, ids.suiteId] }),
  });
}
