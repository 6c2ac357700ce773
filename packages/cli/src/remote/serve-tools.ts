/**
 * An MCP server over stdio whose tools call the service's API. It ends when standard input is
 * closed.
 */
import { once } from 'node:events';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ApiClient, ApiError, type CallOptions, ConnectionError } from '@proofmark/client';
import { type Operation, version } from '@proofmark/contract';
import {
  callMcpTool,
  mcpInstructions,
  mcpServerInfo,
  mcpTools,
  type ToolRefusal,
  type ToolRequest,
} from '@proofmark/contract/mcp-tools';
import { printNotice } from '../output.ts';

export async function serveTools(client: ApiClient): Promise<void> {
  const ended = once(process.stdin, 'end');
  const serving = serveStdio(() => toolServer(client), {
    onerror: ({ message }) => printNotice(message),
    // The tools never change while the command runs, so clients need no subscription to changes.
    maxSubscriptions: 0,
  });
  await ended;
  await serving.close();
}

function toolServer(client: ApiClient): Server {
  const server = new Server(
    { ...mcpServerInfo, version },
    { capabilities: { tools: {} }, instructions: mcpInstructions },
  );
  const tools = () => [...mcpTools().values()].map(({ tool }) => tool);
  server.setRequestHandler('tools/list', () => ({ tools: tools() }) as never);
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const result = await callMcpTool(params.name, params.arguments, (row, request) =>
      askService(client, row, request, mcpReq.signal),
    );
    if (result !== undefined) return result as never;
    const message = `There is no tool ${JSON.stringify(params.name.slice(0, 100))}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  return server;
}

/**
 * The common shape of all client methods. The MCP tools look methods up by name, so the exact types
 * are unknown here.
 */
type LooseMethod = (input: Record<string, unknown>, call: CallOptions) => Promise<unknown>;

async function askService(
  client: ApiClient,
  row: Operation,
  { params, query, ...more }: ToolRequest,
  signal: AbortSignal,
): Promise<{ readonly answer: unknown } | { readonly error: ToolRefusal }> {
  const method = client[row.operationId as keyof ApiClient] as unknown as LooseMethod;
  try {
    return { answer: await method({ ...query, ...params, ...more }, { signal }) };
  } catch (error) {
    return { error: toolErrorFor(error) };
  }
}

/**
 * The message is sent to the MCP client. Messages of the API client and the service never contain
 * the key.
 */
export function toolErrorFor(error: unknown): ToolRefusal {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError) return { code: error.code, message, details: error.details };
  if (error instanceof ConnectionError) return { code: 'SERVICE_UNREACHABLE', message };
  // The client throws a TypeError only for invalid ids.
  if (error instanceof TypeError) return { code: 'VALIDATION_ERROR', message };
  return { code: 'INTERNAL_ERROR', message };
}
