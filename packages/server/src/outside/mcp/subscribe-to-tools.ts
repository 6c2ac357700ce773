/**
 * Asks a server of the newer era to announce changes of its tools, if it states that it can. A
 * server of the older era announces them unasked. If the server ends the subscription, another one
 * is opened, and the gap between both is reported.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { isRecord } from '@proofmark/domain';
import type { McpConnection } from './mcp-connection.ts';
import type { OnServerEvent } from './server-events.ts';

export async function subscribeToTools(
  client: Pick<Client, 'listen' | 'getProtocolEra'>,
  connection: McpConnection,
  onServerEvent: OnServerEvent,
  remainingMs: number,
): Promise<void> {
  const { tools } = connection.initInfo.serverCapabilities;
  const isOffered = isRecord(tools) && tools['listChanged'] === true;
  if (!isOffered || client.getProtocolEra() !== 'modern') return;
  const first = keepOpen(client, connection, onServerEvent).catch(() => undefined);
  // The tools are listed after the server has accepted, so that no change is missed in between. A
  // server that never does so must not stop the session.
  await Promise.race([
    first,
    sleep(Math.min(longestWaitMs, remainingMs / 4), undefined, { ref: false }),
  ]);
}

async function keepOpen(
  client: Pick<Client, 'listen'>,
  connection: McpConnection,
  onServerEvent: OnServerEvent,
  opened = 1,
): Promise<void> {
  const { closed } = await client.listen({ toolsListChanged: true }, { timeout: acceptMs });
  void closed
    .then(async (cause) => {
      if (cause === 'local' || opened === mostOpened) return;
      await sleep(pauseMs * opened, undefined, { ref: false });
      if (!connection.isOpen) return;
      await keepOpen(client, connection, onServerEvent, opened + 1);
      connection.tools = undefined;
      onServerEvent({ mayHaveChanged: 'tools' });
    })
    .catch(() => undefined);
}

const longestWaitMs = 2_000;
const acceptMs = 10_000;
const pauseMs = 250;
const mostOpened = 8;
