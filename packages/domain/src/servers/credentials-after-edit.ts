/**
 * Credentials belong to the origin of the server's address. If an edit changes the origin, the same
 * write removes all stored credentials; only credentials in the edit itself remain. Otherwise
 * everyone who may edit a server could point it at their own host and receive its secrets.
 */
import { sameOrigin } from './server-url.ts';

export type CredentialChange<Value> =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'replace'; readonly value: Value };

export function credentialChange<Value>(edit: {
  /**
   * Every address to which the credential may be sent, before and after the edit, in the same
   * order.
   */
  readonly storedUrls: readonly (string | null)[];
  readonly nextUrls: readonly (string | null)[];
  readonly given: Value | undefined;
  readonly clear: boolean;
}): CredentialChange<Value> {
  if (edit.given !== undefined) return { kind: 'replace', value: edit.given };
  const stays = edit.storedUrls.every((url, at) => sameOrigin(url, edit.nextUrls[at] ?? null));
  return stays && !edit.clear ? { kind: 'keep' } : { kind: 'drop' };
}
