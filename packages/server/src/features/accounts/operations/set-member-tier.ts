import { notFound } from '@proofmark/domain';
import { lockTarget } from '../../../platform/accounts/members.ts';
import { findNamedProject, setTier } from '../../../platform/accounts/store/projects.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { changeMember, showMember } from '../../../platform/operations/change-member.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { orRefuse } from './refuse-problem.ts';

export const setMemberTier: Action<'setMemberTier'> = (context, { params, body }) =>
  changeMember(context, params.organizationId, async (sql, by) => {
    const { organizationId, accountId, projectId } = params;
    orRefuse(await lockTarget(sql, by, params));
    const project = await findNamedProject(sql, organizationId, projectId);
    if (project?.id !== projectId) refuse(notFound);
    await setTier(sql, { id: projectId, organizationId }, accountId, body.tier);
    const where = { caller: context.caller, project: { organizationId, id: projectId } };
    const details = { tier: body.tier ?? 'none' };
    await recordAudit(sql, where, { action: 'member.tierChanged', subjectId: accountId, details });
    return showMember(sql, context, params);
  });
