import { invitationMail } from '@proofmark/domain';
import { invite } from '../../../platform/accounts/invitations.ts';
import { invitationUrl } from '../../../platform/accounts/sessions.ts';
import { readOrganizationName } from '../../../platform/accounts/store/organizations.ts';
import type { Action } from '../../../platform/operations/action.ts';
import type { AccountsParts } from '../accounts-context.ts';
import { asAdmin } from './enter-as-admin.ts';
import { presentInvitation } from './present-invitation.ts';
import { orRefuse } from './refuse-problem.ts';

export const createInvitation: Action<'createInvitation', AccountsParts> = async (
  context,
  { params, body },
) => {
  const { organizationId } = params;
  const { invitation, url, organizationName } = await asAdmin(
    context,
    organizationId,
    async (sql, by) => {
      const made = orRefuse(await invite(sql, by, organizationId, body));
      return {
        ...made,
        url: invitationUrl(context.baseUrl, made.token),
        organizationName: await readOrganizationName(sql, organizationId),
      };
    },
  );
  // The mail is sent only after the invitation is committed, because a mail cannot be taken back.
  const mail = invitationMail({ ...invitation, organizationName, url });
  const mailed = await context.mailer?.send({ to: invitation.email, ...mail });
  return { ...presentInvitation(invitation), url, mailed: mailed === true };
};
