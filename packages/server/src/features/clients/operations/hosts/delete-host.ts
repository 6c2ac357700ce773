import type { Action } from '../../../../platform/operations/action.ts';
import { findHost } from '../find-client.ts';
import { removeClient } from '../remove-client.ts';

export const deleteHost: Action<'deleteHost'> = (context, { params }) =>
  context.tenant(async (sql) =>
    removeClient(sql, context, await findHost(sql, context.project.id, params.hostId, 'forUpdate')),
  );
