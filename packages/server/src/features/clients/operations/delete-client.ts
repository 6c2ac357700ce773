import type { Action } from '../../../platform/operations/action.ts';
import { findClient } from './find-client.ts';
import { removeClient } from './remove-client.ts';

export const deleteClient: Action<'deleteClient'> = (context, { params }) =>
  context.tenant(async (sql) =>
    removeClient(
      sql,
      context,
      await findClient(sql, context.project.id, params.client, 'forUpdate'),
    ),
  );
