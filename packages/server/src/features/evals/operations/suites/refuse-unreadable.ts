/**
 * Rejects edits and runs of a suite whose stored document cannot be read. A run would be decided by
 * other terms than the author declared, and an edit would overwrite the document with an empty one.
 * Reads show the suite without the document.
 */
import { refuse } from '../../../../platform/operations/action.ts';

export function refuseUnreadable(
  suite: { readonly isUnreadable?: true },
  cases: readonly { readonly isUnreadable?: true }[] = [],
): void {
  if (![suite, ...cases].some(({ isUnreadable }) => isUnreadable)) return;
  refuse({
    code: 'CONFLICT',
    message:
      'The stored data of this suite or of one of its cases cannot be read; import its file again, or delete it.',
    details: { reason: 'STORED_DOCUMENT_UNREADABLE' },
  });
}
