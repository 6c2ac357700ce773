import { endSessions } from '../../../platform/accounts/members.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { actOnAccount } from './act-on-account.ts';

export const endMemberSessions: Action<'endMemberSessions'> = (context, { params }) =>
  actOnAccount(
    context,
    params,
    (sql, by) => endSessions(sql, by, params.accountId),
    async (_sql, { endedSessions }) => ({ accountId: params.accountId, endedSessions }),
  );
