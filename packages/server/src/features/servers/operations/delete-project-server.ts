import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import { deleteServer } from '../store/servers.ts';
import { findEditableServer } from './find-server.ts';
import { refuseUsedServer } from './refuse-used-server.ts';

export const deleteProjectServer: Action<'deleteProjectServer', ServersParts> = async (
  context,
  { params },
) => {
  await context.tenant(async (sql) => {
    const server = await findEditableServer(
      sql,
      context.database,
      context.project.id,
      params.serverId,
    );
    await refuseUsedServer(sql, context.project.id, server.id);
    await deleteServer(sql, context.project.id, server.id);
    await recordAudit(sql, context, { action: 'server.deleted', subjectId: server.id });
  });
  context.mcp.forget(params.serverId);
  return { id: params.serverId, deleted: true };
};
