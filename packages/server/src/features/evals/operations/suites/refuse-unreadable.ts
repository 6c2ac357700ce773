/**
 * A suite whose document cannot be read is shown without it. Nothing is built on it: a run would be decided by other
 * terms than were declared, and an edit would write down that nothing was ever said.
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
      'What was stored of this suite or of one of its cases cannot be read; import its file again, or delete it.',
    details: { reason: 'STORED_DOCUMENT_UNREADABLE' },
  });
}
