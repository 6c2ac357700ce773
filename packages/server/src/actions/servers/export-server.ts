import { createHash } from 'node:crypto';
import type { OutputOf } from '@proofmark/contract';
import { canonicalToolSurface, visibleTools } from '@proofmark/domain';
import { McpFailure } from '../../mcp/mcp-failure.ts';
import type { McpList, McpSession } from '../../mcp/mcp-gateway.ts';
import type { Action } from '../action.ts';
import { speakToServer } from './speak-to-server.ts';

/** One list after the other: a session that is given back must have no request under way. */
export const exportServer: Action<'exportServer'> = async (context, { params, body }) => {
  const lists = await speakToServer(context, { params, body }, async (session, sight) => ({
    tools: visibleTools(sight, await listed(session, 'tools')),
    resources: await listed(session, 'resources'),
    resourceTemplates: await listed(session, 'resourceTemplates'),
    prompts: await listed(session, 'prompts'),
  }));
  const surface = canonicalToolSurface(lists.tools);
  return {
    serverId: params.serverId,
    exportedAt: new Date().toISOString(),
    ...lists,
    toolSurfaceHash: createHash('sha256').update(surface).digest('hex'),
  } as unknown as OutputOf<'exportServer'>;
};

/** Some servers declare what they have no list of; there is nothing to take down then. */
async function listed(session: McpSession, list: McpList): ReturnType<McpSession['listAll']> {
  try {
    return await session.listAll(list);
  } catch (error) {
    if (error instanceof McpFailure && error.code === 'FEATURE_NOT_SUPPORTED') return [];
    throw error;
  }
}
