import type { Action } from '../../../platform/operations/action.ts';
import { findServer } from './find-server.ts';
import { presentServer } from './present-server.ts';

export const getProjectServer: Action<'getProjectServer'> = async (context, { params }) =>
  presentServer(
    await context.tenant((sql) =>
      findServer(sql, context.database, context.project.id, params.serverId),
    ),
  );
