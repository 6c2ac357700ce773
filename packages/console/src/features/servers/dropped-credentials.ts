/**
 * The stored credentials that an edit would drop. Credentials belong to the origin that they were
 * given for, so an address on another origin drops those that the same edit does not replace.
 */
import type { ProjectServer } from '@proofmark/contract';
import { credentialChange, sameOrigin, serverUrlProblem } from '@proofmark/domain';
import { storedCredentials } from './credential-words.ts';
import { newSecret, type ServerDraft } from './server-draft.ts';

export function droppedCredentials(draft: ServerDraft, server: ProjectServer): string[] {
  const nextUrl = draft.url.trim();
  // An incomplete address has no origin yet.
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
