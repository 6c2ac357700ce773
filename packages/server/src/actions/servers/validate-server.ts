import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

export const validateServer: Action<'validateServer'> = async (context, { params, body }) => ({
  success: true,
  status: 'connected',
  initInfo: await speakToServer(context, { params, body }, async ({ initInfo }) => initInfo),
});
