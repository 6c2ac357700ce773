import { attachServers } from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { changeClient } from '../change-client.ts';
import { findHost } from '../find-client.ts';
import { presentHostDetail } from './present-host.ts';

export const setHostServers: Action<'setHostServers'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const current = await findHost(sql, context.project.id, params.hostId, 'forUpdate');
    const changed = await changeClient(sql, context, current, {
      edit: { config: attachServers(current.config, body) },
      action: 'client.serversReplaced',
      configPath: 'body',
      fields: Object.keys(body),
    });
    return presentHostDetail(changed);
  });
