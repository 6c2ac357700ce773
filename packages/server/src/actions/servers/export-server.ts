import { createHash } from 'node:crypto';
import type { OutputOf } from '@proofmark/contract';
import { canonicalToolSurface } from '@proofmark/domain';
import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

/** One list after the other: a session that is given back must have no request under way. */
export const exportServer: Action<'exportServer'> = async (context, { params }) => {
  const lists = await speakToServer(context, params.serverId, async (session) => ({
    tools: await session.listAll('tools'),
    resources: await session.listAll('resources'),
    resourceTemplates: await session.listAll('resourceTemplates'),
    prompts: await session.listAll('prompts'),
  }));
  const surface = canonicalToolSurface(lists.tools);
  return {
    serverId: params.serverId,
    exportedAt: new Date().toISOString(),
    ...lists,
    toolSurfaceHash: createHash('sha256').update(surface).digest('hex'),
  } as unknown as OutputOf<'exportServer'>;
};
