import { readMembers } from '../../../platform/accounts/store/members.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { presentMember } from '../../../platform/operations/present-member.ts';
import { asAdmin } from './enter-as-admin.ts';

export const listMembers: Action<'listMembers'> = (context, { params, page }) =>
  asAdmin(context, params.organizationId, async (sql) =>
    presentPage(await readMembers(sql, params.organizationId, page), (member) =>
      presentMember(member, context.caller.account.id),
    ),
  );
