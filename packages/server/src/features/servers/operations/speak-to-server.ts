/**
 * How every operation on a server reaches it. The server is found and its headers are opened for this call
 * alone; what it does wrong becomes the answer of the error table, so no server can make us fail. A disabled
 * server is spoken to like any other: whoever repairs it has to see how it does. Where a client is named, its config
 * says how to connect, and no session is shared between two configs.
 */

import {
  type ClientConfig,
  callFailureAnswer,
  notFound,
  Refused,
  type SavedServer,
} from '@proofmark/domain';
import { McpFailure } from '../../../outside/mcp/mcp-failure.ts';
import type { McpSession } from '../../../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../../../outside/mcp/mcp-target.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { findClientToPlay } from '../../clients/index.ts';
import type { ServersProject } from '../servers-context.ts';
import { findServerToCall } from '../store/servers.ts';
import { targetOf } from './target-of.ts';

/** What an operation on a server is asked with, as far as reaching the server goes. */
export interface Asked {
  readonly params: { readonly serverId: string };
  /** The service plays the part of the client that is named. */
  readonly body: { readonly clientId?: string | undefined };
}

/** What the client lets a model see, and what it tells widgets of itself; everything and nothing where none is named. */
export type ToolVisibility = Pick<ClientConfig, 'respectToolVisibility'> &
  Partial<Pick<ClientConfig, 'hostContext'>>;

const seesAll: ToolVisibility = { respectToolVisibility: false };

export async function speakToServer<Result>(
  context: ServersProject,
  asked: Asked,
  work: (session: McpSession, sight: ToolVisibility) => Promise<Result>,
): Promise<Result> {
  const { target, sight } = await findTarget(context, asked);
  const { signal } = context;
  return orRefusal(
    context.mcp.use(target, (session) => work(session, sight), { signal }),
    signal,
  );
}

export async function findTarget(
  context: ServersProject,
  { params, body }: Asked,
): Promise<{
  readonly server: SavedServer;
  readonly target: McpTarget;
  readonly sight: ToolVisibility;
}> {
  const { database, project } = context;
  const { found, client } = await context.tenant(async (sql) => {
    const found = await findServerToCall(sql, database.vault, project.id, params.serverId);
    const { clientId } = body;
    return {
      found: found ?? refuse(notFound),
      client:
        clientId === undefined ? undefined : await findClientToPlay(sql, project.id, clientId),
    };
  });
  const target = await targetOf(context, found, client);
  return { server: found.server, target, sight: client?.config ?? seesAll };
}

/**
 * What the server did is told by the sentence and the details that `mcp` found for it. That the caller
 * went away is no failure of ours either; nobody reads that answer, but it stands in the metrics.
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
    throw new Refused(callFailureAnswer(error), headersOf(error));
  }
}

function headersOf({ code, details }: McpFailure): Readonly<Record<string, string>> {
  if (code !== 'RATE_LIMITED') return {};
  const seconds = Number(details['retryAfterSeconds']);
  return { 'retry-after': String(seconds >= 1 ? Math.ceil(seconds) : 1) };
}
