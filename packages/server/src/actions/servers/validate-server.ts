import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

export const validateServer: Action<'validateServer'> = async (context, { params }) => ({
  success: true,
  status: 'connected',
  initInfo: await speakToServer(context, params.serverId, async ({ initInfo }) => initInfo),
});
