import type { OutputOf } from '@proofmark/contract';
import type { Account } from './store/callers.ts';

export function presentAccount(account: Account): OutputOf<'getMe'> {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    createdAt: account.createdAt.getTime(),
    updatedAt: account.updatedAt.getTime(),
  };
}
