/** Answers MCP messages, each with a server of its own. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { HttpOptions } from '../http-options.ts';
import { createToolServer, type ToolCaller } from './create-tool-server.ts';

export function createToolHandler(options: HttpOptions): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createToolServer(options, authInfo?.extra?.['caller'] as ToolCaller),
    {
      legacy: 'stateless',
      // Calls may take minutes; the lines that keep a stream open get them through proxies.
      responseMode: 'sse',
      // The tools never change while the service runs, so there is nothing to wait for.
      maxSubscriptions: 0,
    },
  );
}
