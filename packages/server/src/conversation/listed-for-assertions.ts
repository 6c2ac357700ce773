/**
 * The tools of a session in the format that assertions read. Trials with the same lists share them.
 */
import { isRecord, type ListedTool } from '@proofmark/domain';
import type { OpenedServers } from './run-servers.ts';
import type { ToolSurface } from './trial-record.ts';

/**
 * Returns undefined if a server's list is not known completely, because that list could contain a
 * tool that seems to be missing.
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
