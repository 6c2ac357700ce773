/** Creates the handler of MCP messages, which creates a new server object for each message. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Served } from '../handle-operation.ts';
import { createToolServer, type ToolCaller } from './create-tool-server.ts';

export function createToolHandler(served: Served): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createToolServer(served, authInfo?.extra?.['caller'] as ToolCaller),
    {
      legacy: 'stateless',
      // A call may take minutes. An answer as an event stream has keep-alive lines, which keep
      // proxies from closing the connection.
      responseMode: 'sse',
      // The list of tools never changes while the service runs, so there is nothing that a client
      // could subscribe to.
      maxSubscriptions: 0,
    },
  );
}
