import { listServers } from '../../storage/servers/servers.ts';
import { type Action, presentPage } from '../action.ts';
import { presentServer } from './present-server.ts';

export const listProjectServers: Action<'listProjectServers'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) =>
      listServers(sql, context.database.vault, context.project.id, page),
    ),
    presentServer,
  );
