import type { Action } from '../../../../platform/operations/action.ts';
import { changeClient } from '../change-client.ts';
import { findHost } from '../find-client.ts';
import { presentHostDetail } from './present-host.ts';

/** This older path takes no expected version, so the last edit wins. */
export const updateHost: Action<'updateHost'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const current = await findHost(sql, context.project.id, params.hostId, 'forUpdate');
    const changed = await changeClient(sql, context, current, {
      edit: body,
      action: 'client.updated',
      configPath: 'body.config',
      fields: Object.keys(body),
    });
    return presentHostDetail(changed);
  });
