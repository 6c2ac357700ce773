import { resetPassword } from '../../../platform/accounts/members.ts';
import { signInUrl } from '../../../platform/accounts/sessions.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { actOnAccount } from './act-on-account.ts';

export const resetMemberPassword: Action<'resetMemberPassword'> = (context, { params }) =>
  actOnAccount(
    context,
    params,
    (sql, by) => resetPassword(sql, by, params.accountId),
    async (_sql, { token, expiresAt }) => ({
      url: signInUrl(context.baseUrl, token),
      expiresAt: expiresAt.getTime(),
    }),
  );
