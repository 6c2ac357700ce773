import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

export const readResource: Action<'readResource', ServersParts> = async (
  context,
  { params, body },
) =>
  (await speakToServer(context, { params, body }, (session) =>
    session.readResource(body.uri),
  )) as OutputOf<'readResource'>;
