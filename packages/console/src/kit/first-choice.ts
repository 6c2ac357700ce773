/**
 * The preselected servers and suite of a form. Servers named by the page come first, then other
 * saved servers. The sample server is chosen only if no other exists.
 */
import { sampleServerName } from '@proofmark/domain';

interface OfferedServer {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/**
 * Returns the servers of `atHand` that exist. If none exists, returns the newest server, and the
 * sample server only as a last choice.
 */
export function firstServers(
  servers: readonly OfferedServer[],
  atHand: readonly string[] = [],
): readonly string[] {
  const there = servers.filter(({ id }) => atHand.includes(id));
  if (there.length > 0) return there.map(({ id }) => id);
  const own = servers.filter(({ name }) => name !== sampleServerName);
  const newest = [...(own.length > 0 ? own : servers)].sort((a, b) => b.createdAt - a.createdAt);
  return newest.slice(0, 1).map(({ id }) => id);
}

/**
 * Returns the suite `meant` if it exists, or else the first suite that tests a server in `atHand`.
 */
export function firstSuite(
  suites: readonly { readonly id: string; readonly serverIds: readonly string[] }[],
  meant: string | undefined,
  atHand: readonly string[] = [],
): string | undefined {
  const found =
    suites.find(({ id }) => id === meant) ??
    suites.find(({ serverIds }) => serverIds.some((id) => atHand.includes(id)));
  return found?.id;
}
