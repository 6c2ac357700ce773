import type { BodyInputOf, Session } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { sessionKey } from '../../../kit/data/query-client.ts';

export function useConsoleSession() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => client.getSession({}, { signal }),
    refetchOnWindowFocus: 'always',
  });
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
    queryKey: ['invitation', token],
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

/** What the person before could see must not be shown to the next one. */
function useReplaceSession() {
  const cache = useQueryClient();
  return async (session: Session) => {
    // An answer that is still on its way is of before, and would take the place of this one.
    await cache.cancelQueries({ queryKey: sessionKey });
    cache.setQueryData<Session>(sessionKey, session);
    cache.removeQueries({ predicate: (query) => !publicKeys.has(String(query.queryKey[0])) });
  };
}

const publicKeys = new Set(['session', 'api-document', 'invitation']);
