import { readInvitations } from '../../../platform/accounts/store/invitations.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { asAdmin } from './enter-as-admin.ts';
import { presentInvitation } from './present-invitation.ts';

export const listInvitations: Action<'listInvitations'> = (context, { params, page }) =>
  asAdmin(context, params.organizationId, async (sql) =>
    presentPage(await readInvitations(sql, params.organizationId, page), presentInvitation),
  );
