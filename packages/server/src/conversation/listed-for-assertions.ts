import { isRecord, type ListedTool } from '@proofmark/domain';
import type { OpenedServers } from './run-servers.ts';
import type { ToolSurface } from './trial-record.ts';

/**
 * Returns undefined if the list of a server is incomplete: an assertion could then miss a tool that
 * exists.
 */
export function listedForAssertions({
  servers,
  surface,
}: OpenedServers): readonly ListedTool[] | undefined {
  if (surface === null) return undefined;
  const known = madeFor.get(surface);
  if (known !== undefined) return known;
  const listed = servers.flatMap(({ name: serverName, tools }) =>
    tools.map((tool): ListedTool => {
      const { name, description, inputSchema, outputSchema, annotations } = tool;
      return {
        serverName,
        name: typeof name === 'string' ? name : '',
        ...(typeof description === 'string' && { description }),
        ...(inputSchema !== undefined && { inputSchema }),
        ...(outputSchema !== undefined && { outputSchema }),
        ...(isRecord(annotations) && { annotations }),
      };
    }),
  );
  madeFor.set(surface, listed);
  return listed;
}

const madeFor = new WeakMap<ToolSurface, readonly ListedTool[]>();
