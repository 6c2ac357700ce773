import type { BodyInputOf } from '@proofmark/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import type { RunIds } from './eval-runs.ts';

/** Makes a session a case of a suite, with the words that were said in it. */
export function useMakeCase(ids: RunIds, sessionId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createEvalCaseFromSession'>) =>
      client.createEvalCaseFromSession({ ...ids, sessionId, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId] }),
  });
}
