import type { Action } from '../../../platform/operations/action.ts';
import { makeClient } from './make-client.ts';
import { presentClientDetail } from './present-client.ts';

export const createClient: Action<'createClient'> = (context, { body }) =>
  context.tenant(async (sql) => presentClientDetail(sql, await makeClient(sql, context, body)));
