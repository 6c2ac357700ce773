import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { effectOf, version } from '@proofmark/contract';
import {
  callMcpTool,
  mcpInstructions,
  mcpServerInfo,
  mcpTools,
  toolErrorOf,
} from '@proofmark/contract/mcp-tools';
import { type KeyScope, type Refused, scopeAllows } from '@proofmark/domain';
import type { Served } from '../handle-operation.ts';
import type { RequestExchange } from '../request-exchange.ts';
import { askWithin } from './ask-within.ts';

export type ToolCaller = { readonly exchange: RequestExchange } & (
  | { readonly scope: KeyScope }
  | { readonly limited: Refused }
);

export function createToolServer(served: Served, caller: ToolCaller): Server {
  const server = new Server(
    { ...mcpServerInfo, version },
    { capabilities: { tools: {} }, instructions: mcpInstructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(caller) }) as never);
  server.setRequestHandler('tools/call', async ({ params }) => {
    if ('limited' in caller) return toolErrorOf(caller.limited.refusal) as never;
    const result = await callMcpTool(params.name, params.arguments, (row, request) =>
      askWithin(caller.exchange, served, row, request),
    );
    if (result !== undefined) return result as never;
    const message = `There is no tool ${JSON.stringify(params.name.slice(0, 100))}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  return server;
}

/**
 * Returns the tools that the scope of the key allows. If the rate limit was exceeded, the scope is
 * unknown and all tools are returned.
 */
function toolsFor(caller: ToolCaller) {
  const scope = 'scope' in caller ? caller.scope : 'full';
  return [...mcpTools().values()]
    .filter(({ row }) => scopeAllows(scope, effectOf(row)))
    .map(({ tool }) => tool);
}
