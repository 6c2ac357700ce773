import type { Action } from '../../../platform/operations/action.ts';
import { changeClient } from './change-client.ts';
import { findClient } from './find-client.ts';
import { presentClientDetail } from './present-client.ts';

export const updateClient: Action<'updateClient'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const current = await findClient(sql, context.project.id, params.client, 'forUpdate');
    const changed = await changeClient(sql, context, current, {
      edit: body,
      action: 'client.updated',
      configPath: 'body.config',
      fields: Object.keys(body),
    });
    return presentClientDetail(sql, changed);
  });
