import { invite } from '../../accounts/invitations.ts';
import { invitationUrl } from '../../accounts/sessions.ts';
import type { Action } from '../action.ts';
import { asAdmin } from './enter-as-admin.ts';
import { presentInvitation } from './present-invitation.ts';
import { orRefuse } from './refuse-problem.ts';

export const createInvitation: Action<'createInvitation'> = (context, { params, body }) =>
  asAdmin(context, params.organizationId, async (sql, by) => {
    const made = orRefuse(await invite(sql, by, params.organizationId, body));
    const url = invitationUrl(context.baseUrl, made.token);
    return { ...presentInvitation(made.invitation), url };
  });
