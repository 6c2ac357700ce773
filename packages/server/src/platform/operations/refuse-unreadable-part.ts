/**
 * A client whose config cannot be read, or a version of a plugin, is listed and can be deleted. Nothing is built on it:
 * what would be played is another client than the one that was saved.
 */
import { refuse } from './action.ts';

export function refuseUnreadablePart(part: { readonly isUnreadable?: true | undefined }): void {
  if (part.isUnreadable !== true) return;
  refuse({
    code: 'CONFLICT',
    message: 'The stored client, or a plugin, cannot be read; delete it and make it again.',
    details: { reason: 'STORED_DOCUMENT_UNREADABLE' },
  });
}
