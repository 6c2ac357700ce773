import { deleteServer } from '../../storage/servers.ts';
import type { Action } from '../action.ts';
import { findEditableServer } from './find-server.ts';

export const deleteProjectServer: Action<'deleteProjectServer'> = async (context, { params }) => {
  await context.tenant(async (sql) => {
    const server = await findEditableServer(sql, context.project.id, params.serverId);
    await deleteServer(sql, context.project.id, server.id);
  });
  return { id: params.serverId, deleted: true };
};
