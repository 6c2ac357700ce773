import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { speakToServer } from './speak-to-server.ts';

export const listPrompts: Action<'listPrompts'> = async (context, { params, body }) =>
  (await speakToServer(context, { params, body }, (session) =>
    session.listPrompts(body.cursor),
  )) as OutputOf<'listPrompts'>;
