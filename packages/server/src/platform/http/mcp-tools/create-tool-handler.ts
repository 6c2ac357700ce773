/** Answers MCP messages, each with a separate server object. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Served } from '../handle-operation.ts';
import { createToolServer, type ToolCaller } from './create-tool-server.ts';

export function createToolHandler(served: Served): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createToolServer(served, authInfo?.extra?.['caller'] as ToolCaller),
    {
      legacy: 'stateless',
      // Calls may take minutes; the keep-alive lines of a stream keep them open through proxies.
      responseMode: 'sse',
      // The tools never change while the service runs, so there is nothing to subscribe to.
      maxSubscriptions: 0,
    },
  );
}
