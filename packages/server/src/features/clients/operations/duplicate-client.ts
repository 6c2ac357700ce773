import type { Action } from '../../../platform/operations/action.ts';
import { copyClient } from './copy-client.ts';
import { findClient } from './find-client.ts';
import { presentClientDetail } from './present-client.ts';

export const duplicateClient: Action<'duplicateClient'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const source = await findClient(sql, context.project.id, params.client);
    return presentClientDetail(sql, await copyClient(sql, context, source, body.name));
  });
