import { attachServers } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { changeClient } from './change-client.ts';
import { findClient } from './find-client.ts';
import { presentClientDetail } from './present-client.ts';

export const setClientServers: Action<'setClientServers'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const current = await findClient(sql, context.project.id, params.client, 'forUpdate');
    const { expectedConfigId, ...servers } = body;
    const changed = await changeClient(sql, context, current, {
      edit: { config: attachServers(current.config, servers), expectedConfigId },
      action: 'client.serversReplaced',
      configPath: 'body',
      fields: Object.keys(servers),
    });
    return presentClientDetail(sql, changed);
  });
