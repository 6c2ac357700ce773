/** How a server lists a tool at this moment. */
import { visitBounds } from '@proofmark/domain';
import type { RunServers } from '../engine/run-servers.ts';

/** In a session of its own, since a server may tell one session what it told it before. */
export async function listedNow(
  servers: RunServers,
  serverId: string,
  toolName: string,
  signal: AbortSignal,
): Promise<unknown> {
  const endsAtMs = performance.now() + visitBounds.turnMs;
  const time = { remainingMs: () => endsAtMs - performance.now() };
  const session = await servers.forTrial(signal, time);
  try {
    const { servers: opened } = await session.open(signal);
    const tools = opened.find(({ id }) => id === serverId)?.tools ?? [];
    return tools.find(({ name }) => name === toolName);
  } finally {
    session.close();
  }
}
