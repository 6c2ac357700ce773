import { disableAccount, enableAccount } from '../../../platform/accounts/members.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { showMember } from '../../../platform/operations/change-member.ts';
import { actOnAccount } from './act-on-account.ts';

export const setMemberDisabled: Action<'setMemberDisabled'> = (context, { params, body }) =>
  actOnAccount(
    context,
    params,
    (sql, by) =>
      body.disabled
        ? disableAccount(sql, by, params.accountId)
        : enableAccount(sql, by, params.accountId),
    (sql) => showMember(sql, context, params),
  );
