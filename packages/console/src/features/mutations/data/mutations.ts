import type { OutputOf } from '@proofmark/contract';
import { type Assertion, withCheck } from '@proofmark/domain';
import { useQuery } from '@tanstack/react-query';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { pollWhile, useSeveral } from '../../../kit/data/operations.ts';
import type { SuiteIds } from '../../evals/index.ts';

export type SuiteMutation = OutputOf<'getEvalSuiteMutation'>;

export function isMutating({ status }: Pick<SuiteMutation, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Returns `none` if the suite has no mutation yet. */
export function useNewestMutation(ids: SuiteIds) {
  return useQuery({
    queryKey: [...keyOf('listEvalSuiteMutations', ids), 'newest'],
    queryFn: async ({ signal }): Promise<SuiteMutation | 'none'> => {
      const { items } = await client.listEvalSuiteMutations({ ...ids, limit: 1 }, { signal });
      const [newest] = items;
      if (newest === undefined) return 'none';
      const { mutationId } = newest;
      return client.getEvalSuiteMutation({ ...ids, mutationId }, { signal });
    },
    refetchInterval: pollWhile(
      (read: SuiteMutation | 'none') => read !== 'none' && isMutating(read),
    ),
  });
}

/**
 * Adds a check to the current version of a case. If another person changes the case at the same
 * time, the service rejects the edit.
 */
export function useAddSuggestion(ids: SuiteIds) {
  return useSeveral(
    async ({ caseId, assertion }: { caseId: string; assertion: Assertion }) => {
      const one = await client.getEvalCase({ ...ids, caseId });
      const checks = withCheck(one.checks ?? undefined, assertion);
      if (checks === undefined) return;
      const body = { checks, expectedUpdatedAt: one.updatedAt };
      await client.updateEvalCase({ ...ids, caseId, body });
    },
    [allBelow('getEvalSuite', ids)],
  );
}
