/**
 * Rejects the use of an object with an unreadable part: a client with an unreadable config, or an
 * unreadable version of a plugin. A run with it would not test what was saved. Listing and deleting
 * the object stay possible.
 */
import { refuse } from './action.ts';

export function refuseUnreadablePart(part: { readonly isUnreadable?: true | undefined }): void {
  if (part.isUnreadable !== true) return;
  refuse({
    code: 'CONFLICT',
    message: 'The stored client or plugin cannot be read; delete it and create it again.',
    details: { reason: 'STORED_DOCUMENT_UNREADABLE' },
  });
}
