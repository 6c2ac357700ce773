import { scenarioInviteLifetimeMs, scenarioInviteMail } from '@proofmark/domain';
import { newToken } from '../../../platform/accounts/token.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import * as members from '../store/scenario-members.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';
import { presentUserTesting } from './present-scenario.ts';
import { scenarioLink } from './scenario-link.ts';

export const upsertScenarioMember: Action<'upsertScenarioMember', UserTestingParts> = async (
  context,
  { params, body },
) => {
  const { scenario, member, inviteUrl } = await context.tenant(async (sql) => {
    const found = await findScenario(sql, context.project.id, params.scenarioId, 'forUpdate');
    const { token, hash } = newToken();
    const invited = await members.storeInvitedMember(sql, found, {
      id: context.newId('scenarioMember'),
      email: body.email,
      invitedBy: context.caller.account.id,
      inviteHash: hash,
      inviteLifetimeMs: scenarioInviteLifetimeMs,
    });
    await recordAudit(sql, context, {
      action: 'scenario.memberInvited',
      subjectId: found.id,
      details: { memberId: invited.id },
    });
    const { url } = scenarioLink(context, found);
    return { scenario: found, member: invited, inviteUrl: `${url}#invite=${token}` };
  });
  // Sends the mail only after the invitation is committed, because a sent mail cannot be undone.
  const mail = scenarioInviteMail({
    title: scenario.name,
    url: inviteUrl,
    expiresAt: member.inviteExpiresAt,
  });
  const mailed = body.sendInviteEmail
    ? await context.mailer?.send({ to: member.email, ...mail })
    : false;
  return {
    ...presentUserTesting(scenario),
    scenarioId: scenario.id,
    email: member.email,
    memberId: member.id,
    role: member.role,
    invited: mailed === true,
    inviteUrl,
  };
};
