/** The typed client on the page's own origin. The session is a cookie that scripts cannot read. */
import { createApiClient } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { queryClient, sessionKey } from './query-client.ts';

export const client = createApiClient({
  // A getter, so that tests without `window` can import modules that use the client.
  get baseUrl() {
    return window.location.origin;
  },
  headers: csrfHeader,
});

function csrfHeader(): Record<string, string> {
  const session = queryClient.getQueryData<OutputOf<'getSession'>>(sessionKey);
  return session?.signedIn ? { 'x-csrf-token': session.csrfToken } : {};
}
