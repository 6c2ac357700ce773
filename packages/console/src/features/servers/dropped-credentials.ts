/**
 * Names the stored credentials that saving would drop. Credentials belong to the origin for which
 * they were entered. If the new address has another origin, they are dropped unless they are
 * replaced in the same edit.
 */
import type { ProjectServer } from '@proofmark/contract';
import { credentialChange, sameOrigin, serverUrlProblem } from '@proofmark/domain';
import { storedCredentials } from './credential-words.ts';
import { newSecret, type ServerDraft } from './server-draft.ts';

export function droppedCredentials(draft: ServerDraft, server: ProjectServer): string[] {
  const nextUrl = draft.url.trim();
  // While the typed address is incomplete, its origin is unknown, so no credentials are named.
  if (server.url === null || serverUrlProblem(nextUrl) !== undefined) return [];
  if (sameOrigin(server.url, nextUrl)) return [];
  const edit = { storedUrls: [server.url], nextUrls: [nextUrl], clear: false };
  const headers = credentialChange({
    ...edit,
    given: draft.headers === 'kept' ? undefined : draft.headers,
  });
  const secret = credentialChange({ ...edit, given: newSecret(draft) });
  return storedCredentials({
    headerNames: headers.kind === 'drop' ? server.headerNames : [],
    hasClientSecret: secret.kind === 'drop' && server.hasClientSecret && !draft.removeClientSecret,
  });
}
