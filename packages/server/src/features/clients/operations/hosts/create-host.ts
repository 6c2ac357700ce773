import type { Action } from '../../../../platform/operations/action.ts';
import { makeClient } from '../make-client.ts';
import { presentHostDetail } from './present-host.ts';

export const createHost: Action<'createHost'> = (context, { body }) =>
  context.tenant(async (sql) => presentHostDetail(await makeClient(sql, context, body)));
