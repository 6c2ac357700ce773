/**
 * The preselected choice: the given servers, or else one's own, and the sample only if there is
 * nothing else.
 */
import { sampleServerName } from '@proofmark/domain';

interface OfferedServer {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Returns the given servers that exist, or else the newest one that is not the sample. */
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
 * Returns the intended suite, or else the first that tests one of the given servers; otherwise
 * undefined.
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
