/** An MCP server over stdio whose tools ask a service. It ends when standard input does. */
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
    // The tools never change while the command runs, so there is nothing to wait for.
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

/** Methods of the client are typed by row; here, for all rows at once, only the common shape is known. */
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

/** The words of the client and of the service hold no key. */
export function toolErrorFor(error: unknown): ToolRefusal {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError) return { code: error.code, message, details: error.details };
  if (error instanceof ConnectionError) return { code: 'SERVICE_UNREACHABLE', message };
  // What the client itself refuses is an id that is none.
  if (error instanceof TypeError) return { code: 'VALIDATION_ERROR', message };
  return { code: 'INTERNAL_ERROR', message };
}
