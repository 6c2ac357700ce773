/** Reads the current definition of a tool from its server. */
import { visitBounds } from '@proofmark/domain';
import type { RunServers } from '../../conversation/run-servers.ts';

export async function listedNow(
  servers: RunServers,
  serverId: string,
  toolName: string,
  signal: AbortSignal,
): Promise<unknown> {
  const endsAtMs = performance.now() + visitBounds.turnMs;
  const time = { remainingMs: () => endsAtMs - performance.now() };
  const tools = await servers.listAgain(serverId, signal, time);
  return tools.find(({ name }) => name === toolName);
}
