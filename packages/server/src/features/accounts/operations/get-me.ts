import { presentAccount } from '../../../platform/accounts/present-account.ts';
import type { Action } from '../../../platform/operations/action.ts';

export const getMe: Action<'getMe'> = async ({ caller }) => presentAccount(caller.account);
