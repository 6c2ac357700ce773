/**
 * Credentials belong to the origin they were given for. When an edit moves a server to another
 * origin, everything stored is dropped in the same write; only what the edit itself brings is kept.
 * Otherwise whoever may edit a server could point it at a host of their own and be sent its secrets.
 */
import { sameOrigin } from './server-url.ts';

export type CredentialChange<Value> =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'replace'; readonly value: Value };

export function credentialChange<Value>(edit: {
  /** Every address the credential may be sent to, before and after the edit, in one order. */
  readonly storedUrls: readonly (string | null)[];
  readonly nextUrls: readonly (string | null)[];
  readonly given: Value | undefined;
  readonly clear: boolean;
}): CredentialChange<Value> {
  if (edit.given !== undefined) return { kind: 'replace', value: edit.given };
  const stays = edit.storedUrls.every((url, at) => sameOrigin(url, edit.nextUrls[at] ?? null));
  return stays && !edit.clear ? { kind: 'keep' } : { kind: 'drop' };
}
