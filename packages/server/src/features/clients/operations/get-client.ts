import type { Action } from '../../../platform/operations/action.ts';
import { findClient } from './find-client.ts';
import { presentClientDetail } from './present-client.ts';

export const getClient: Action<'getClient'> = (context, { params }) =>
  context.tenant(async (sql) =>
    presentClientDetail(sql, await findClient(sql, context.project.id, params.client)),
  );
