/** Answers MCP messages, each with a server of its own. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Served } from '../handle-operation.ts';
import { createToolServer, type ToolCaller } from './create-tool-server.ts';

export function createToolHandler(served: Served): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createToolServer(served, authInfo?.extra?.['caller'] as ToolCaller),
    {
      legacy: 'stateless',
      // Calls may take minutes; the lines that keep a stream open get them through proxies.
      responseMode: 'sse',
      // The tools never change while the service runs, so there is nothing to wait for.
      maxSubscriptions: 0,
    },
  );
}
