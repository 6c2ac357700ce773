import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

export const listTools: Action<'listTools'> = async (context, { params, body }) =>
  (await speakToServer(context, params.serverId, (session) =>
    session.listTools(body.cursor),
  )) as OutputOf<'listTools'>;
