/**
 * How every operation on a server reaches it. The server is found and its headers are opened for this call
 * alone; what it does wrong becomes the answer of the error table, so no server can make us fail. A disabled
 * server is spoken to like any other: whoever repairs it has to see how it does.
 */
import { canonicalJson, notFound, Refused, type SavedServer } from '@proofmark/domain';
import { McpFailure } from '../../mcp/mcp-failure.ts';
import type { McpSession } from '../../mcp/mcp-gateway.ts';
import type { HttpAddress, McpTarget, StdioAddress } from '../../mcp/mcp-target.ts';
import { findServerToCall, type Headers } from '../../storage/servers.ts';
import { type ProjectContext, refuse } from '../action.ts';
import { grantTokens } from './grant-tokens.ts';

export async function speakToServer<Result>(
  context: ProjectContext,
  serverId: string,
  work: (session: McpSession) => Promise<Result>,
): Promise<Result> {
  const { target } = await findTarget(context, serverId);
  const { signal } = context;
  return orRefusal(context.mcp.use(target, work, { signal }), signal);
}

export async function findTarget(
  context: ProjectContext,
  serverId: string,
): Promise<{ readonly server: SavedServer; readonly target: McpTarget }> {
  const { database } = context;
  const found = await context.tenant((sql) =>
    findServerToCall(sql, database.vault, context.project.id, serverId),
  );
  const { server, headers } = found ?? refuse(notFound);
  const described = {
    organizationId: server.organizationId,
    serverId: server.id,
    address: addressOf(context, server, headers),
    ...(server.timeoutMs !== null && { timeoutMs: server.timeoutMs }),
    ...(server.clientCapabilities !== null && {
      clientCapabilities: server.clientCapabilities as Readonly<Record<string, unknown>>,
    }),
  };
  const tokens = await grantTokens(context, server);
  const changing = { updatedAt: server.updatedAt.getTime(), importId: tokens?.importId };
  // Keyed, so that not even a guess at a weak secret can be tried on it.
  const identity = database.vault.sign('mcp session', canonicalJson({ ...described, ...changing }));
  return { server, target: { ...described, identity, ...(tokens && { tokens }) } };
}

/**
 * What the server did is told by the code, the sentence and the details that the room of MCP found for it. That
 * the caller went away is no failure of ours either; nobody reads that answer, but it stands in the metrics.
 */
export async function orRefusal<Result>(
  spoken: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await spoken;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) {
      refuse({ code: 'TIMEOUT', message: 'The caller went away before the server answered.' });
    }
    if (!(error instanceof McpFailure)) throw error;
    const { code, message, details } = error;
    throw new Refused({ code, message, details }, headersOf(error));
  }
}

function addressOf(
  context: ProjectContext,
  server: SavedServer,
  headers: Headers,
): HttpAddress | StdioAddress {
  if (server.url !== null) return { kind: 'http', url: server.url, headers };
  return (
    context.stdioAddressOf(server.id) ??
    refuse({
      code: 'SERVER_UNREACHABLE',
      message:
        'The configuration file of this service does not name this server; ask the operator to add it.',
      details: { reason: 'NOT_CONFIGURED' },
    })
  );
}

function headersOf({ code, details }: McpFailure): Readonly<Record<string, string>> {
  if (code !== 'RATE_LIMITED') return {};
  const seconds = Number(details['retryAfterSeconds']);
  return { 'retry-after': String(seconds >= 1 ? Math.ceil(seconds) : 1) };
}
