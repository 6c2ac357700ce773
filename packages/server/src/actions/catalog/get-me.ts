import type { Action } from '../action.ts';
import { presentAccount } from './present-account.ts';

export const getMe: Action<'getMe'> = async ({ caller }) => presentAccount(caller.account);
