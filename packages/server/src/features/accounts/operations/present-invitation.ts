import type { OutputOf } from '@proofmark/contract';
import type { StoredInvitation } from '../../../platform/accounts/store/invitations.ts';

export function presentInvitation({
  createdAt,
  expiresAt,
  isExpired,
  ...invitation
}: StoredInvitation): Omit<OutputOf<'createInvitation'>, 'url' | 'mailed'> {
  return {
    ...invitation,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
    isOpen: !isExpired,
  };
}
