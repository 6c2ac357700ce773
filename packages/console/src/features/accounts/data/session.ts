import type { BodyInputOf, Session } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useOperation } from '../../../kit/data/operations.ts';
import { sessionKey } from '../../../kit/data/query-client.ts';

export function useConsoleSession() {
  return useOperation('getSession', {}, { refetchOnWindowFocus: 'always' });
}

export function useSignIn() {
  const replaceSession = useReplaceSession();
  return useMutation({
    mutationFn: (body: BodyInputOf<'signIn'>) => client.signIn({ body }),
    onSuccess: replaceSession,
  });
}

export function useRedeemSignInLink() {
  const replaceSession = useReplaceSession();
  return useMutation({
    mutationFn: (token: string) => client.redeemSignInLink({ body: { token } }),
    onSuccess: replaceSession,
  });
}

export function useInvitation(token: string | undefined) {
  return useQuery({
    queryKey: keyOf('readInvitation', { body: { token: token ?? '' } }),
    queryFn: ({ signal }) => client.readInvitation({ body: { token: token ?? '' } }, { signal }),
    enabled: token !== undefined,
  });
}

export function useAcceptInvitation() {
  const replaceSession = useReplaceSession();
  return useMutation({
    mutationFn: (token: string) => client.acceptInvitation({ body: { token } }),
    onSuccess: replaceSession,
  });
}

export function useSignOut() {
  const replaceSession = useReplaceSession();
  return useMutation({ mutationFn: () => client.signOut(), onSuccess: replaceSession });
}

export function useSetPassword() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'setPassword'>) => client.setPassword({ body }),
    onSuccess: async (session) => {
      await cache.cancelQueries({ queryKey: sessionKey });
      cache.setQueryData<Session>(sessionKey, session);
    },
  });
}

/**
 * Replaces the console session and clears the cache, so that the next user does not see the
 * previous user's data.
 */
function useReplaceSession() {
  const cache = useQueryClient();
  return async (session: Session) => {
    // A pending response belongs to the old session and would overwrite the new session.
    await cache.cancelQueries({ queryKey: sessionKey });
    cache.setQueryData<Session>(sessionKey, session);
    cache.removeQueries({ predicate: (query) => !publicKeys.has(String(query.queryKey[0])) });
  };
}

const publicKeys = new Set(['session', 'api-document']);
