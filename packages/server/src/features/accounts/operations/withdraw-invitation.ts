import { withdraw } from '../../../platform/accounts/invitations.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { asAdmin } from './enter-as-admin.ts';
import { orRefuse } from './refuse-problem.ts';

export const withdrawInvitation: Action<'withdrawInvitation'> = (context, { params }) =>
  asAdmin(context, params.organizationId, async (sql, { actor }) => {
    const { organizationId, invitationId } = params;
    const by = { actor, callerId: context.caller.account.id };
    orRefuse(await withdraw(sql, by, organizationId, invitationId));
    return { id: invitationId, withdrawn: true };
  });
