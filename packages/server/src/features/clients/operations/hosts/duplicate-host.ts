import type { Action } from '../../../../platform/operations/action.ts';
import { copyClient } from '../copy-client.ts';
import { findHost } from '../find-client.ts';
import { presentHostDetail } from './present-host.ts';

export const duplicateHost: Action<'duplicateHost'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const source = await findHost(sql, context.project.id, params.hostId);
    return presentHostDetail(await copyClient(sql, context, source, body.name));
  });
