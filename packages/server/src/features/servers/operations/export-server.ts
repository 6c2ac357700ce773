import type { OutputOf } from '@proofmark/contract';
import { joinToolSurface, type SpelledTool, spellTool, visibleTools } from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { invalidAnswer } from '../../../outside/mcp/explain-mcp-error.ts';
import { McpFailure } from '../../../outside/mcp/mcp-failure.ts';
import type { McpList, McpSession } from '../../../outside/mcp/mcp-gateway.ts';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

/**
 * Reads the lists one after another, because a session that still has open requests cannot be
 * reused.
 */
export const exportServer: Action<'exportServer', ServersParts> = async (
  context,
  { params, body },
) => {
  const exported = await speakToServer(context, { params, body }, async (session, sight) => {
    const tools = visibleTools(sight, await listed(session, 'tools'));
    const { excludedTools } = session;
    return {
      tools,
      ...(excludedTools.length > 0 && { excludedTools }),
      resources: await listed(session, 'resources'),
      resourceTemplates: await listed(session, 'resourceTemplates'),
      prompts: await listed(session, 'prompts'),
      toolSurfaceHash: await surfaceHash(tools),
    };
  });
  return {
    serverId: params.serverId,
    exportedAt: new Date().toISOString(),
    ...exported,
  } as unknown as OutputOf<'exportServer'>;
};

/** Returns an empty list if the server declares this kind of list but does not support it. */
async function listed(session: McpSession, list: McpList): ReturnType<McpSession['listAll']> {
  try {
    return await session.listAll(list);
  } catch (error) {
    if (error instanceof McpFailure && error.code === 'FEATURE_NOT_SUPPORTED') return [];
    throw error;
  }
}

/** Yields to other requests between tools, because serializing megabytes of tools takes a while. */
async function surfaceHash(tools: readonly Tool[]): Promise<string> {
  const spelled: SpelledTool[] = [];
  let length = 0;
  for (const tool of tools) {
    const one = spelledOrRefused(tool);
    spelled.push(one);
    length += one.text.length;
    if (length < turnLength) continue;
    length = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sha256Hex(joinToolSurface(spelled));
}

/**
 * Rejects a tool that cannot be written as JSON: a server may send a number that JavaScript cannot
 * represent, for example 1e999.
 */
function spelledOrRefused(tool: Tool): SpelledTool {
  try {
    return spellTool(tool);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidAnswer('The server sent a tool that cannot be written as JSON.');
  }
}

type Tool = Readonly<Record<string, unknown>>;

const turnLength = 256 * 1024;
