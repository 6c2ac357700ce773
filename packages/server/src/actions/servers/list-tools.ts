import type { OutputOf } from '@proofmark/contract';
import { visibleTools } from '@proofmark/domain';
import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

export const listTools: Action<'listTools'> = async (context, { params, body }) =>
  (await speakToServer(context, { params, body }, async (session, sight) => {
    const page = await session.listTools(body.cursor);
    return { ...page, items: visibleTools(sight, page.items) };
  })) as OutputOf<'listTools'>;
