import { notFound } from '@proofmark/domain';
import { deleteInvitation } from '../../storage/accounts/invitations.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { asAdmin } from './enter-as-admin.ts';

export const withdrawInvitation: Action<'withdrawInvitation'> = (context, { params }) =>
  asAdmin(context, params.organizationId, async (sql) => {
    const { organizationId, invitationId } = params;
    const gone = (await deleteInvitation(sql, organizationId, invitationId)) ?? refuse(notFound);
    const where = { caller: context.caller, project: { organizationId, id: null } };
    await recordAudit(sql, where, {
      action: 'member.invitationWithdrawn',
      subjectId: invitationId,
      details: { email: gone.email },
    });
    return { id: invitationId, withdrawn: true };
  });
