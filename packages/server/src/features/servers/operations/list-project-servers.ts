import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listServers } from '../store/servers.ts';
import { presentServer } from './present-server.ts';

export const listProjectServers: Action<'listProjectServers'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) =>
      listServers(sql, context.database.vault, context.project.id, page),
    ),
    presentServer,
  );
