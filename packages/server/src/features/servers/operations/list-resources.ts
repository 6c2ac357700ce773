import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

export const listResources: Action<'listResources', ServersParts> = async (
  context,
  { params, body },
) =>
  (await speakToServer(context, { params, body }, (session) =>
    session.listResources(body.cursor),
  )) as OutputOf<'listResources'>;
