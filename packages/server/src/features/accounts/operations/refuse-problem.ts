import { notFound, type Refusal } from '@proofmark/domain';
import type { MemberProblem } from '../../../platform/accounts/members.ts';
import { refuse } from '../../../platform/operations/action.ts';

/** Throws if `done` contains a problem. The error also rolls back the transaction. */
export function orRefuse<Done>(done: Done): Exclude<Done, { problem: string }> {
  const { problem } = done as { problem?: keyof typeof refusals };
  if (problem === undefined) return done as Exclude<Done, { problem: string }>;
  return refuse(refusals[problem]);
}

const refusals: Readonly<Record<MemberProblem | 'alreadyAMember', Refusal>> = {
  outside: notFound,
  notAMember: notFound,
  forbidden: {
    code: 'FORBIDDEN',
    message: 'Your role in the organization does not allow this; ask one of its owners.',
  },
  lastOwner: {
    code: 'CONFLICT',
    message: 'This member is the last owner who can sign in; make another member an owner first.',
    details: { reason: 'LAST_OWNER' },
  },
  elsewhere: {
    code: 'FORBIDDEN',
    message:
      'This change applies to the whole account, which also belongs to organizations you do not manage; ask the operator. You can remove the member.',
    details: { reason: 'ACCOUNT_NOT_YOURS' },
  },
  disabledByOperator: {
    code: 'FORBIDDEN',
    message: 'The operator disabled this account, and only the operator can enable it.',
    details: { reason: 'DISABLED_BY_OPERATOR' },
  },
  disabled: {
    code: 'CONFLICT',
    message: 'This account is disabled; enable it first.',
    details: { reason: 'ACCOUNT_DISABLED' },
  },
  alreadyAMember: {
    code: 'CONFLICT',
    message: 'This person is already a member.',
    details: { reason: 'ALREADY_A_MEMBER' },
  },
};
