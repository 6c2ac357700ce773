/**
 * A client with an unreadable config, or an unreadable version of a plugin, is listed and can be
 * deleted. Nothing may use it: a run would test another client than the saved one.
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
