import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import { findServerUsers } from '../store/server-users.ts';
import { deleteServer } from '../store/servers.ts';
import { findEditableServer } from './find-server.ts';

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

async function refuseUsedServer(sql: Sql, projectId: string, serverId: string): Promise<void> {
  const users = await findServerUsers(sql, projectId, serverId);
  const all = [...users.environments, ...users.clients, ...users.suites];
  if (all.length === 0) return;
  refuse({
    code: 'CONFLICT',
    message: `This server is used by ${namesOf(users)}; remove the server from them, or delete them.`,
    details: { reason: 'IN_USE', ...users },
  });
}

function namesOf(users: Awaited<ReturnType<typeof findServerUsers>>): string {
  const kinds = [
    ['environment', users.environments],
    ['client', users.clients],
    ['suite', users.suites],
  ] as const;
  return kinds
    .filter(([, named]) => named.length > 0)
    .map(([kind, named]) => {
      const shown = named.slice(0, 3).map(({ name }) => JSON.stringify(name));
      const more = named.length > shown.length ? ' and more' : '';
      return `the ${kind}${named.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`;
    })
    .join(', ');
}
