import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { forgetServerTrouble } from '../store/server-health.ts';
import { mayStoreHealth } from './may-store-health.ts';
import { speakToServer } from './speak-to-server.ts';

/**
 * Checks whether the server answers. If it does, earlier stored problems no longer apply and are
 * removed.
 */
export const validateServer: Action<'validateServer', ServersParts> = async (
  context,
  { params, body },
) => {
  const initInfo = await speakToServer(
    context,
    { params, body },
    async (session) => session.initInfo,
  );
  if (body.clientId === undefined && mayStoreHealth(context.caller)) {
    await context.tenant((sql) => forgetServerTrouble(sql, context.project.id, params.serverId));
  }
  return { success: true, status: 'connected', initInfo };
};
