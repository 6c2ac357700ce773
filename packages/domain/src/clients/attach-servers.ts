/**
 * Replaces the list of servers that a client is attached to. A server that the new list omits is
 * detached, and its connection settings are removed from the config.
 */
import type { ClientConfig } from './client-config.ts';

export function attachServers(
  config: ClientConfig,
  servers: {
    readonly serverIds: readonly string[];
    readonly optionalServerIds?: readonly string[] | undefined;
  },
): ClientConfig {
  const { serverConnectionOverrides, ...rest } = config;
  const { serverIds, optionalServerIds = [] } = servers;
  const attached = new Set([...serverIds, ...optionalServerIds]);
  const given = Object.entries(serverConnectionOverrides ?? {});
  const kept = given.filter(([serverId]) => attached.has(serverId));
  const hasLostAll = kept.length === 0 && given.length > 0;
  return {
    ...rest,
    serverIds: [...serverIds],
    optionalServerIds: [...optionalServerIds],
    ...(serverConnectionOverrides === undefined || hasLostAll
      ? {}
      : { serverConnectionOverrides: Object.fromEntries(kept) }),
  };
}
