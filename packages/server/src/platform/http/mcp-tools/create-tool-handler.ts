import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Served } from '../handle-operation.ts';
import { createToolServer, type ToolCaller } from './create-tool-server.ts';

export function createToolHandler(served: Served): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createToolServer(served, authInfo?.extra?.['caller'] as ToolCaller),
    {
      legacy: 'stateless',
      // A call may take minutes. An event stream has keep-alive lines, so proxies do not close the
      // connection.
      responseMode: 'sse',
      // The list of tools never changes while the service runs, so a client has no use for a
      // subscription.
      maxSubscriptions: 0,
    },
  );
}
