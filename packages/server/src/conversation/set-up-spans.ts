/**
 * Spans for the opening of the servers, only for the timeline. A trial in shared sessions may find
 * them already open, and then has spans of minimal length.
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
