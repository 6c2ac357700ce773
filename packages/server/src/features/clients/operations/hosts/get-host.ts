import type { Action } from '../../../../platform/operations/action.ts';
import { findHost } from '../find-client.ts';
import { presentHostDetail } from './present-host.ts';

export const getHost: Action<'getHost'> = (context, { params }) =>
  context.tenant(async (sql) =>
    presentHostDetail(await findHost(sql, context.project.id, params.hostId)),
  );
