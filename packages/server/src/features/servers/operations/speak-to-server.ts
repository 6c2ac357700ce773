/**
 * Each call reads the server from the database and decrypts its headers again. A fault of the
 * server becomes an error response, never a failure of the service. A disabled server is called
 * like any other, so that its repair can be tested.
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

export interface Asked {
  readonly params: { readonly serverId: string };
  readonly body: { readonly clientId?: string | undefined };
}

/**
 * Decides which tools the client shows to a model, and which context it gives to widgets. Without a
 * client, all tools are shown and widgets get no context.
 */
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
 * Turns a fault of the server into a refusal. A disconnected caller becomes a refusal too: nobody
 * reads the response, but the metrics must not count a failure of the service.
 */
export async function orRefusal<Result>(
  spoken: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await spoken;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) {
      refuse({ code: 'TIMEOUT', message: 'The caller disconnected before the server answered.' });
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
