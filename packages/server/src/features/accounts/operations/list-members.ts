import { presentMember } from '../../../platform/accounts/present-member.ts';
import { readMembers } from '../../../platform/accounts/store/members.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { asAdmin } from './enter-as-admin.ts';

export const listMembers: Action<'listMembers'> = (context, { params, page }) =>
  asAdmin(context, params.organizationId, async (sql) =>
    presentPage(await readMembers(sql, params.organizationId, page), (member) =>
      presentMember(member, context.caller.account.id),
    ),
  );
