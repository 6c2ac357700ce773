/**
 * How long the servers took to be opened, for the timeline alone. A trial of a run that shares its sessions may find
 * them open already, and then shows the shortest spans there are.
 */
import type { OpenedServers } from './run-servers.ts';
import { type Span, spanOver } from './span.ts';

export function setUpSpans({ servers }: OpenedServers, waitedMs: number): Span[] {
  return servers.flatMap(({ id, name, connectMs, listMs, failure }) => {
    const connectedMs = Math.min(connectMs, waitedMs);
    const connect = spanOver(`run-connect-${id}`, name, 'connection', 0, connectedMs);
    connect.serverId = id;
    if (failure !== undefined && listMs === 0) {
      connect.status = 'error';
      return [connect];
    }
    const listedMs = Math.min(connectMs + listMs, waitedMs);
    const list = spanOver(`run-toolslist-${id}`, name, 'discovery', connectedMs, listedMs);
    list.serverId = id;
    if (failure !== undefined) list.status = 'error';
    return [connect, list];
  });
}
