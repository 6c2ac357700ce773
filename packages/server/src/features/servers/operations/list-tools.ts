import type { OutputOf } from '@proofmark/contract';
import { visibleTools } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { rememberListedTools } from '../../evals/index.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

export const listTools: Action<'listTools', ServersParts> = async (context, { params, body }) => {
  const page = await speakToServer(context, { params, body }, async (session, sight) => {
    const listed = await session.listTools(body.cursor);
    return { ...listed, items: visibleTools(sight, listed.items) };
  });
  // Stores only complete, unfiltered lists, because only they show which tools are absent.
  if (body.cursor === undefined && body.clientId === undefined && page.nextCursor === undefined) {
    const names = page.items.map(({ name }) => String(name));
    await context.tenant((sql) =>
      rememberListedTools(sql, new Map([[params.serverId, names]]), false),
    );
  }
  return page as OutputOf<'listTools'>;
};
